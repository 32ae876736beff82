/** Hits in the order of a keyword's ordinals, which stand for its terms within a leaf. */
import type { TermsReader } from '../../codec/terms/reader.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { LeafPart, SliceHit } from '../collector/collect-spec.ts'
import type { TopHits } from '../collector/gather-plan.ts'
import type { AfterValue, SortKey } from '../sort/sort-key.ts'
import { compareSortValues } from '../sort/sort-kinds.ts'
import { ColumnHeap, type LeafColumn, NO_COLUMN, NO_LIMIT } from './column-heap.ts'
import type { ColumnSort } from './column-sort.ts'

/** A level by keywords. */
export type KeywordKey = Extract<SortKey, { kind: 'keyword' }>

/** As kept: behind and in front of every ordinal, flipped or not. */
const LAST = 1n << 40n
const FIRST = -LAST

/** A hit whose term is known. */
interface KeptHit {
  readonly globalDoc: number
  /** Null: without a value. */
  readonly term: Uint8Array | null
}

/** Keeps the first hits of a slice: those of a leaf by ordinals, those of the leaves before it by terms. */
export class KeywordSort implements ColumnSort {
  readonly #key: KeywordKey
  readonly #capacity: number
  readonly #flip: bigint
  readonly #after: AfterValue | undefined
  readonly #heap: ColumnHeap
  /** Of earlier leaves, in sort order. */
  #kept: readonly KeptHit[] = []
  #leaf: Leaf | null = null
  #column: LeafColumn | null = null

  constructor(
    key: KeywordKey,
    { topCount, searchAfter }: Pick<TopHits, 'topCount' | 'searchAfter'>,
  ) {
    this.#key = key
    this.#capacity = topCount
    this.#flip = key.descending ? -1n : 0n
    this.#after = searchAfter?.[0]
    this.#heap = new ColumnHeap(topCount, key.descending)
  }

  canSort(leaf: Leaf): boolean {
    return leaf.fieldInfo(this.#key.field)?.multiValued !== true
  }

  takeMatches(leaf: Leaf, part: LeafPart, matches: number): void {
    this.#heap.takeMatches(leaf, part, this.#columnOf(leaf), matches)
  }

  takeTerm(leaf: Leaf, part: LeafPart, cursor: number, accept: number, counts: boolean): number {
    return this.#heap.takeTerm(leaf, part, this.#columnOf(leaf), cursor, accept, counts)
  }

  hits(): SliceHit[] {
    this.#settle()
    return this.#kept.map(({ globalDoc, term }) => ({
      globalDoc,
      score: Number.NaN,
      sort: [term],
    }))
  }

  maxScore(): number {
    return Number.NaN
  }

  #columnOf(leaf: Leaf): LeafColumn {
    if (leaf === this.#leaf && this.#column !== null) return this.#column
    this.#settle()
    const { field } = this.#key
    const terms = leaf.terms(field)
    const worst = this.#kept.length < this.#capacity ? undefined : this.#kept.at(-1)?.term
    this.#leaf = leaf
    this.#column = {
      parts: leaf.ordinals(field)?.values.addresses() ?? NO_COLUMN,
      missing: this.#missing() ^ this.#flip,
      after: this.#after === undefined ? null : this.#lastUpTo(terms, this.#after),
      // Equal terms are compared by document when the leaf is done.
      limit: worst === undefined ? NO_LIMIT : this.#lastUpTo(terms, worst),
    }
    return this.#column
  }

  /** As kept: the rank of documents without a value. */
  #missing(): bigint {
    return this.#key.missing === 'first' ? FIRST : LAST
  }

  /** As kept: the last rank in a leaf that does not come after a term. */
  #lastUpTo(terms: TermsReader | null, term: AfterValue): bigint {
    if (!(term instanceof Uint8Array)) return this.#missing()
    // All that the leaf has are documents without a value.
    if (terms === null) return this.#key.missing === 'first' ? FIRST : LAST - 1n
    const iterator = terms.iterator()
    const hasCeil = iterator.seekCeil(term)
    const ceil = hasCeil ? iterator.ord() : terms.termCount
    if (hasCeil && iterator.isAt(term)) return BigInt(ceil) ^ this.#flip
    return BigInt(this.#key.descending ? ceil : ceil - 1) ^ this.#flip
  }

  /** Looks up the terms of the leaf's hits and puts them among those of earlier leaves. */
  #settle(): void {
    const leaf = this.#leaf
    this.#leaf = null
    if (leaf === null) return
    const terms = leaf.terms(this.#key.field)
    const missing = this.#missing() ^ this.#flip
    const found: KeptHit[] = []
    let last = missing
    let term: Uint8Array | null = null
    for (const [value, globalDoc] of this.#heap.inOrder()) {
      if (value !== last) term = value === missing ? null : terms!.termOfOrd(Number(value))
      last = value
      found.push({ globalDoc, term })
    }
    this.#heap.clear()
    if (this.#kept.length === 0) this.#kept = found
    else if (found.length > 0)
      this.#kept = [...this.#kept, ...found]
        .sort((a, b) => this.#compare(a, b))
        .slice(0, this.#capacity)
  }

  #compare(a: KeptHit, b: KeptHit): number {
    return compareSortValues(this.#key, a.term, b.term) || a.globalDoc - b.globalDoc
  }
}
