/** Hits in the order of one numeric column. */
import type { Leaf } from '../../segment/leaf.ts'
import type { LeafPart, SliceHit } from '../collector/collect-spec.ts'
import type { TopHits } from '../collector/gather-plan.ts'
import { MIN_LONG } from '../query/point-value.ts'
import { type AfterValue, isBeside, type SortKey } from '../sort/sort-key.ts'
import { ColumnHeap, type LeafColumn, NO_COLUMN, NO_LIMIT } from './column-heap.ts'
import type { ColumnSort } from './column-sort.ts'

/** A level by numbers. */
export type NumberKey = Extract<SortKey, { kind: 'number' }>

/** Keeps the first hits of a slice by the hits' own numbers. */
export class NumberSort implements ColumnSort {
  readonly #key: NumberKey
  readonly #heap: ColumnHeap
  /** The value of `search_after` as kept; null: no bound. */
  readonly #after: bigint | null

  constructor(
    key: NumberKey,
    { topCount, searchAfter }: Pick<TopHits, 'topCount' | 'searchAfter'>,
  ) {
    this.#key = key
    this.#heap = new ColumnHeap(topCount, key.descending)
    const [after] = searchAfter ?? []
    this.#after = after === undefined ? null : lastUpTo(key, after)
  }

  canSort(leaf: Leaf): boolean {
    const { field } = this.#key
    if (leaf.fieldInfo(field)?.multiValued === true) return false
    return leaf.numericValues(field)?.hasBlocks !== false
  }

  takeMatches(leaf: Leaf, part: LeafPart, matches: number): void {
    this.#heap.takeMatches(leaf, part, this.#columnOf(leaf), matches)
  }

  takeTerm(leaf: Leaf, part: LeafPart, cursor: number, accept: number, counts: boolean): number {
    return this.#heap.takeTerm(leaf, part, this.#columnOf(leaf), cursor, accept, counts)
  }

  hits(): SliceHit[] {
    const hits: SliceHit[] = []
    for (const [value, globalDoc] of this.#heap.inOrder())
      hits.push({ globalDoc, score: Number.NaN, sort: [value] })
    return hits
  }

  maxScore(): number {
    return Number.NaN
  }

  #columnOf(leaf: Leaf): LeafColumn {
    const { field, missing } = this.#key
    const parts = leaf.numericValues(field)?.addresses() ?? NO_COLUMN
    return { parts, missing, after: this.#after, limit: NO_LIMIT }
  }
}

/** As kept: the last integer that does not come after a value or a place; null: all do. */
export function lastUpTo({ descending, missing }: NumberKey, after: AfterValue): bigint | null {
  const flip = descending ? -1n : 0n
  if (!isBeside(after)) return (typeof after === 'bigint' ? after : missing) ^ flip
  const near = after.near ^ flip
  const isAhead = after.side > 0 !== descending
  if (isAhead) return near
  return near === MIN_LONG ? null : near - 1n
}
