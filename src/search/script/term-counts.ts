import type { PostingsIterator } from '../../codec/postings/reader.ts'
import { unknownField } from '../../script/doc/doc-values.ts'
import { illegalArgument } from '../../script/java-faults.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { type AskedTerms, MAX_OPEN_TERMS } from './asked-terms.ts'

/** How often terms occur in a document of a leaf, and in the shard. */
export class TermCounts {
  readonly #asked: AskedTerms
  readonly #leaf: Leaf
  /** By field and term; null: the leaf lacks the term. */
  readonly #open = new Map<string, PostingsIterator | null>()
  #openCount = 0

  constructor(asked: AskedTerms, leaf: Leaf) {
    this.#asked = asked
    this.#leaf = leaf
  }

  /**
   * How often a term occurs in a document; documents come in ascending order, mostly.
   * @throws {ScriptFault} an unknown field, or too many terms
   */
  inDocument(name: string, term: string, docId: number): number {
    const { field } = this.#asked.fields[this.#fieldOf(name)]!
    const key = `${field}\0${term}`
    let postings = this.#open.get(key)
    if (postings === undefined || (postings !== null && postings.docId() > docId)) {
      postings = this.#postings(field, term)
      this.#open.set(key, postings)
    }
    if (postings === null) return 0
    const at = postings.docId() < docId ? postings.advance(docId) : postings.docId()
    return at === docId ? postings.freq() : 0
  }

  /**
   * How often a term occurs in the shard.
   * @throws {ScriptFault} an unknown field, or a term that neither the script nor its parameters hold
   */
  inShard(name: string, term: string): number {
    const { texts, occurrences } = this.#asked
    const at = texts.indexOf(term)
    const counts = occurrences[this.#fieldOf(name)]
    if (at < 0)
      throw illegalArgument(
        `[totalTermFreq] takes terms that the script or its parameters hold, but [${term.slice(0, 256)}] is none`,
      )
    return counts?.[at] ?? 0
  }

  /** Tokens of a field in the shard. @throws {ScriptFault} an unknown field */
  tokens(name: string): number {
    return this.#asked.tokens[this.#fieldOf(name)] ?? 0
  }

  #fieldOf(name: string): number {
    const at = this.#asked.fields.findIndex(each => each.name === name)
    if (at < 0) throw unknownField(name)
    return at
  }

  #postings(field: string, term: string): PostingsIterator | null {
    const state = this.#leaf.terms(field)?.lookupText(term) ?? null
    if (state === null) return null
    if (this.#openCount++ >= MAX_OPEN_TERMS)
      throw illegalArgument(`a script asks for more than [${MAX_OPEN_TERMS}] terms`)
    return this.#leaf.postings(field, state)
  }
}
