import { type SectionKind, tokensOf } from '../../codec/directory/format.ts'
import type { TermState } from '../../codec/terms/format.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { TermFrequencyFilter } from '../../segment/uninvert.ts'
import { appended } from '../../util/lists.ts'
import { averageLength } from '../similarity/bm25.ts'
import type { FieldCounts, GivenCounts, TermCounts } from '../similarity/scored-terms.ts'
import { type SectionUse, sectionBit } from './section-use.ts'
import { type TermStatistics, termKey } from './term-statistics.ts'
import type { Expansion } from './weight.ts'

/** Up to this many terms, or fields, are found by linear search. */
const FEW_TERMS = 8
const FEW_FIELDS = 4

const TERMS = sectionBit('terms')

/** A field of the query. */
interface FieldUse {
  readonly field: string
  /** As in `SectionUse`. */
  kinds: number
  fieldData?: TermFrequencyFilter
  /** Documents that have the field, −1 until read, and its mean length, float32. */
  docCount: number
  average: number
  /** Tokens of those documents; 0 until read. */
  tokens: number
  /** Beyond a few terms: ids of the field's by text. */
  termIds: Map<string, number> | null
}

/** A term that was looked up; its index in the list is its id. */
interface KnownTerm {
  readonly use: FieldUse
  readonly term: string
  /** In the shard, or over all shards that share their statistics. */
  docFreq: number
  /** In place of its counts where the query says otherwise, for shards that share theirs; null: it does not. */
  given: GivenCounts | null
}

/** States looked up in one leaf so far. */
interface GrowingStates {
  terms: (TermState | null)[]
  expansions: Expansion[]
}

/** The terms and fields of a query over a shard: each is looked up once, with its statistics. */
export class ShardTerms {
  readonly #leaves: readonly Leaf[]
  readonly #shared: TermStatistics | null
  /** Most searches have few terms, which linear search finds faster than a map. */
  #terms: KnownTerm[] = []
  /** States looked up so far, by leaf. */
  states: GrowingStates[] = []
  /** The fields of the query. */
  uses: FieldUse[] = []
  /** Beyond a few fields: the uses of further ones. */
  #furtherUses: Map<string, FieldUse> | null = null

  /** @param shared statistics in place of the shard's own; null: none */
  constructor(leaves: readonly Leaf[], shared: TermStatistics | null = null) {
    this.#leaves = leaves
    this.#shared = shared
    for (let i = 0; i < leaves.length; i++)
      this.states = appended(this.states, { terms: [], expansions: [] })
  }

  /** The id of a term; a new term is looked up in each leaf. */
  termId(field: string, term: string): number {
    return this.termIn(this.useOf(field), term)
  }

  /** The same for a field whose use is known. */
  termIn(use: FieldUse, term: string): number {
    const known = this.#knownTerm(use, term)
    if (known >= 0) return known
    const { field } = use
    const termId = this.#terms.length
    let docFreq = 0
    use.kinds |= TERMS
    for (let i = 0; i < this.#leaves.length; i++) {
      const leaf = this.#leaves[i]!
      const indexed = (leaf.fieldInfo(field)?.indexOptions ?? 'none') !== 'none'
      const state = indexed ? (leaf.terms(field)?.lookupText(term) ?? null) : null
      const states = this.states[i]!
      states.terms = appended(states.terms, state)
      if (state !== null) docFreq += state.docFreq
    }
    if (docFreq > 0 && this.#shared !== null)
      docFreq = this.#shared.terms.get(termKey(field, term))?.docFreq ?? docFreq
    this.#terms = appended(this.#terms, { use, term, docFreq, given: null })
    use.termIds?.set(term, termId)
    return termId
  }

  /** The id of a term that was looked up before; else −1. */
  #knownTerm(use: FieldUse, term: string): number {
    const terms = this.#terms
    if (terms.length > FEW_TERMS) {
      if (use.termIds === null) {
        use.termIds = new Map()
        for (let i = 0; i < terms.length; i++)
          if (terms[i]!.use === use) use.termIds.set(terms[i]!.term, i)
      }
      return use.termIds.get(term) ?? -1
    }
    for (let i = 0; i < terms.length; i++)
      if (terms[i]!.term === term && terms[i]!.use === use) return i
    return -1
  }

  /** A term's document frequency over the shard, or over all that share their statistics. */
  docFreqOf(termId: number): number {
    return this.#terms[termId]!.docFreq
  }

  /**
   * The document frequency that a term scores by.
   * @param given in place of the shard's own, which shards with shared statistics add up
   */
  scoredDocFreq(termId: number, given: GivenCounts): number {
    const known = this.#terms[termId]!
    if (this.#shared !== null) return known.docFreq
    known.given = given
    return given.docFreq
  }

  /** The counts that a term scores by, where the query gives some in place of its own. */
  givenCounts(termId: number, { docFreq, occurrences }: GivenCounts): TermCounts {
    if (this.#shared !== null) return this.#countsOf(termId)
    if (typeof occurrences === 'number') return { docFreq, totalTermFreq: occurrences }
    const { use } = this.#terms[termId]!
    const counts = occurrences.map(term => this.#countsOf(this.termIn(use, term)))
    return { docFreq, totalTermFreq: counts.reduce((sum, each) => sum + each.totalTermFreq, 0) }
  }

  /** Counts of the terms that occur, over the shard, or over all that share their statistics. */
  countsOf(termIds: readonly number[]): readonly TermCounts[] {
    return termIds.map(termId => this.#countsOf(termId)).filter(({ docFreq }) => docFreq > 0)
  }

  #countsOf(termId: number): TermCounts {
    const { use, term, docFreq } = this.#terms[termId]!
    // A term that the shard lacks has no shared counts either: nothing of it is scored here.
    const shared = docFreq > 0 ? this.#shared?.terms.get(termKey(use.field, term)) : undefined
    if (shared !== undefined) return shared
    let totalTermFreq = 0
    for (const { terms } of this.states) totalTermFreq += terms[termId]?.totalTermFreq ?? 0
    return { docFreq, totalTermFreq }
  }

  /** Counts of a field over the shard, or over all that share their statistics. */
  fieldCounts(field: string): FieldCounts {
    const shared = this.#shared?.fields.get(field)
    if (shared !== undefined) {
      const { docCount, sumDocFreq, tokens } = shared
      return { docCount, sumDocFreq, sumTotalTermFreq: tokens }
    }
    let [docCount, sumDocFreq, sumTotalTermFreq] = [0, 0, 0]
    for (const leaf of this.#leaves) {
      const info = leaf.fieldInfo(field)
      if (info === null) continue
      docCount += info.docCount
      sumDocFreq += info.sumDocFreq
      sumTotalTermFreq += tokensOf(info)
    }
    return { docCount, sumDocFreq, sumTotalTermFreq }
  }

  /** The statistics of all terms and fields of the query. */
  statistics(): TermStatistics {
    return {
      fields: new Map(
        this.uses
          .filter(({ docCount }) => docCount >= 0)
          .map(({ field, docCount, tokens }) => {
            const { sumDocFreq } = this.fieldCounts(field)
            return [field, { docCount, tokens, sumDocFreq }]
          }),
      ),
      // By index: what is given of an expansion may look up further terms.
      terms: new Map(
        [...this.#terms.keys()].flatMap(termId => {
          const { use, term, docFreq, given } = this.#terms[termId]!
          if (docFreq === 0) return []
          const counts = given === null ? this.#countsOf(termId) : this.givenCounts(termId, given)
          return [[termKey(use.field, term), counts] as const]
        }),
      ),
    }
  }

  /** The use of a field, with its statistics over the shard. */
  statisticsOf(use: FieldUse): FieldUse {
    if (use.docCount >= 0) return use
    const shared = this.#shared?.fields.get(use.field)
    if (shared !== undefined) {
      use.docCount = shared.docCount
      use.tokens = shared.tokens
      use.average = averageLength(shared.tokens, shared.docCount)
      return use
    }
    let docCount = 0
    let sum = 0
    for (let i = 0; i < this.#leaves.length; i++) {
      const info = this.#leaves[i]!.fieldInfo(use.field)
      if (info === null) continue
      docCount += info.docCount
      sum += tokensOf(info)
    }
    use.docCount = docCount
    use.tokens = sum
    use.average = averageLength(sum, docCount)
    return use
  }

  /** Records that a section of a field will be read. */
  use(field: string, section: SectionKind): void {
    this.useOf(field).kinds |= sectionBit(section)
  }

  /** Records sections that will be read. */
  useSections(uses: readonly SectionUse[]): void {
    for (const { field, kinds, fieldData } of uses) {
      const use = this.useOf(field)
      use.kinds |= kinds
      if (fieldData !== undefined) use.fieldData = fieldData
    }
  }

  /** The use of a field, added if it is new. */
  useOf(field: string): FieldUse {
    const uses = this.uses
    for (let i = 0; i < uses.length && i < FEW_FIELDS; i++)
      if (uses[i]!.field === field) return uses[i]!
    const known = this.#furtherUses?.get(field)
    if (known !== undefined) return known
    const use = { field, kinds: 0, docCount: -1, average: 0, tokens: 0, termIds: null }
    if (uses.length >= FEW_FIELDS) {
      this.#furtherUses ??= new Map()
      this.#furtherUses.set(field, use)
    }
    this.uses = appended(uses, use)
    return use
  }
}
