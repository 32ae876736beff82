import { tokensOf } from '../../codec/directory/format.ts'
import type { TermsIterator } from '../../codec/terms/reader.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { encodeUtf8 } from '../../util/bytes.ts'
import { hasTerms, NEVER, type PhraseTerms, type WordCount } from './phrase-terms.ts'

/** The terms of one field of a shard, over all its leaves; deleted documents count. */
export class ShardWords implements PhraseTerms {
  readonly field: string
  /** Leaves that have terms of the field. */
  readonly leaves: readonly Leaf[]
  /** Documents of the shard. */
  readonly maxDoc: number
  /** Occurrences of all terms. */
  readonly totalTermFreq: number
  /** Distinct terms; in a shard of several leaves its documents, as Lucene takes it. */
  readonly termCount: number
  readonly #iterators: readonly TermsIterator[]
  readonly #counts = new Map<string, WordCount>()

  constructor(leaves: readonly Leaf[], field: string) {
    this.field = field
    this.maxDoc = leaves.reduce((sum, leaf) => sum + leaf.maxDoc, 0)
    this.leaves = leaves.filter(leaf => hasTerms(leaf, field))
    const infos = this.leaves.map(leaf => leaf.fieldInfo(field)!)
    this.totalTermFreq = infos.reduce((sum, info) => sum + tokensOf(info), 0)
    this.termCount = leaves.length === 1 ? (infos[0]?.termCount ?? 0) : this.maxDoc
    this.#iterators = this.leaves.flatMap(leaf => leaf.terms(field)?.iterator() ?? [])
  }

  /** Whether there are none. */
  get isEmpty(): boolean {
    return this.leaves.length === 0
  }

  /** Counts of a term, 0 where there is none; those asked for are remembered. */
  count(term: string): WordCount {
    const known = this.#counts.get(term)
    if (known !== undefined) return known
    const found = this.#read(encodeUtf8(term))
    this.#counts.set(term, found)
    return found
  }

  counted(term: string): WordCount {
    return this.count(term)
  }

  // biome-ignore lint/correctness/useYield: it is counted at once
  *docFreq(term: string): Generator<void, number, void> {
    return this.count(term).docFreq
  }

  // biome-ignore lint/correctness/useYield: it is known
  *docFreqOf(_term: string, whole: number): Generator<void, number, void> {
    return whole
  }

  /** Nothing is left to do: segments know theirs. */
  *addUp(): Generator<void, void, void> {}

  #read(term: Uint8Array): WordCount {
    let docFreq = 0
    let totalTermFreq = 0
    for (const iterator of this.#iterators) {
      if (!iterator.seekCeil(term) || !iterator.isAt(term)) continue
      docFreq += iterator.docFreq
      totalTermFreq += iterator.state().totalTermFreq
    }
    return docFreq === 0 ? NEVER : { docFreq, totalTermFreq }
  }
}
