/** Keeps the first hits by one numeric column, of matches that the kernels give as bits. */
import { compareLongs } from '../../codec/doc-values/long-column.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { LeafPart, SliceHit } from '../collector/collect-spec.ts'
import type { TopHits } from '../collector/gather-plan.ts'
import type { SortKey } from '../collector/sort-key.ts'
import { highHalf, joinHalves, lowHalf } from '../query/point-value.ts'
import { SORT, SORT_BYTES } from './plan-record.ts'

type NumberKey = Extract<SortKey, { kind: 'number' }>

/** The sort's only key if the kernels can sort by it: the hits' own numbers, with no scores wanted. */
export function bulkSortKey(
  spec: Pick<TopHits, 'sort' | 'trackScores' | 'topCount'>,
  minScore: number | null,
): NumberKey | null {
  if (spec.sort?.length !== 1) return null
  const key = spec.sort[0]!
  if (key.kind !== 'number' || key.nested !== undefined || key.conversion !== undefined) return null
  return spec.trackScores || minScore !== null || spec.topCount === 0 ? null : key
}

/** Keeps the first hits of a slice; between leaves they lie here, whichever arena comes next. */
export class FieldSort {
  readonly #key: NumberKey
  readonly #capacity: number
  /** The value of `search_after` as the kernel keeps values; null: no bound. */
  readonly #after: bigint | null
  /** Halves of the values as the kernel keeps them: smallest first. */
  readonly #hi: number[] = []
  readonly #lo: number[] = []
  readonly #docs: number[] = []

  constructor(key: NumberKey, spec: Pick<TopHits, 'topCount' | 'searchAfter'>) {
    this.#key = key
    this.#capacity = spec.topCount
    const [after] = spec.searchAfter ?? []
    const value = typeof after === 'bigint' ? after : key.missing
    this.#after = after === undefined ? null : value ^ flipOf(key)
  }

  /** Whether all documents of the leaf have at most one value, in blocks: the kernel reads one each. */
  canSort(leaf: Leaf): boolean {
    const { field } = this.#key
    if (leaf.fieldInfo(field)?.multiValued === true) return false
    return leaf.numericValues(field)?.hasBlocks !== false
  }

  /** @param matches address of their bits, all 0 outside the part */
  takeMatches(leaf: Leaf, part: LeafPart, matches: number): void {
    const mark = leaf.scratch.mark()
    const record = this.#record(leaf, part)
    leaf.views.i32[(record + SORT.matches) >> 2] = matches
    leaf.kernels.sortMatches(record)
    this.#hear(leaf, record)
    leaf.scratch.release(mark)
  }

  /**
   * Collects the documents of one term.
   * @param cursor address of its record
   * @param accept address of the bits of accepted documents; 0: all
   * @param counts whether all matches must be counted, even where none can be a hit
   * @returns how many were counted
   */
  takeTerm(leaf: Leaf, part: LeafPart, cursor: number, accept: number, counts: boolean): number {
    const { i32 } = leaf.views
    const mark = leaf.scratch.mark()
    const record = this.#record(leaf, part)
    const at = record >> 2
    i32[at + SORT.cursor / 4] = cursor
    i32[at + SORT.accept / 4] = accept
    i32[at + SORT.counting / 4] = counts ? 1 : 0
    leaf.kernels.sortPostings(record)
    this.#hear(leaf, record)
    leaf.scratch.release(mark)
    return i32[at + SORT.counted / 4]!
  }

  /** Fills a sort record in scratch, except for its matches. */
  #record(leaf: Leaf, part: LeafPart): number {
    const { field, descending, missing } = this.#key
    const { scratch } = leaf
    const { i32, u32 } = leaf.views
    const record = scratch.allocate(SORT_BYTES)
    const values = scratch.allocate(8 * this.#capacity)
    const docs = scratch.allocate(4 * this.#capacity)
    const column = leaf.numericValues(field)?.addresses() ?? NO_COLUMN
    const at = record >> 2
    i32[at + SORT.minDoc / 4] = part.minDoc
    i32[at + SORT.maxDoc / 4] = part.maxDoc
    i32[at + SORT.docBase / 4] = leaf.docBase
    i32[at + SORT.capacity / 4] = this.#capacity
    i32[at + SORT.hitCount / 4] = this.#docs.length
    i32[at + SORT.hitValues / 4] = values
    i32[at + SORT.hitDocs / 4] = docs
    i32[at + SORT.flip / 4] = descending ? -1 : 0
    i32[at + SORT.presence / 4] = column.presence
    i32[at + SORT.ranks / 4] = column.ranks
    i32[at + SORT.spans / 4] = column.spans
    i32[at + SORT.blocks / 4] = column.blocks
    i32[at + SORT.data / 4] = column.data
    u32[at + SORT.missing / 4] = lowHalf(missing)
    i32[at + SORT.missing / 4 + 1] = highHalf(missing)
    i32[at + SORT.hasAfter / 4] = this.#after === null ? 0 : 1
    u32[at + SORT.after / 4] = lowHalf(this.#after ?? 0n)
    i32[at + SORT.after / 4 + 1] = highHalf(this.#after ?? 0n)
    for (let i = 0; i < this.#docs.length; i++) {
      u32[(values >> 2) + 2 * i] = this.#lo[i]!
      i32[(values >> 2) + 2 * i + 1] = this.#hi[i]!
      i32[(docs >> 2) + i] = this.#docs[i]!
    }
    return record
  }

  /** Copies back the hits that a kernel has kept. */
  #hear({ views: { i32, u32 } }: Leaf, record: number): void {
    const at = record >> 2
    const count = i32[at + SORT.hitCount / 4]!
    const values = i32[at + SORT.hitValues / 4]! >> 2
    const docs = i32[at + SORT.hitDocs / 4]! >> 2
    for (let i = 0; i < count; i++) {
      this.#hi[i] = i32[values + 2 * i + 1]!
      this.#lo[i] = u32[values + 2 * i]!
      this.#docs[i] = u32[docs + i]!
    }
  }

  /** The hits in sort order. */
  hits(): SliceHit[] {
    const count = this.#docs.length
    const order = new Int32Array(count)
    for (let i = 0; i < count; i++) order[i] = i
    if (count > FEW_HITS) order.sort((a, b) => this.#compare(a, b))
    else this.#sortFew(order)
    const flip = this.#key.descending ? -1 : 0
    const hits: SliceHit[] = []
    for (let i = 0; i < count; i++) {
      const at = order[i]!
      const value = joinHalves(this.#hi[at]! ^ flip, this.#lo[at]! ^ flip)
      hits.push({ globalDoc: this.#docs[at]!, score: Number.NaN, sort: [value] })
    }
    return hits
  }

  #sortFew(order: Int32Array): void {
    for (let i = 1; i < order.length; i++) {
      const hit = order[i]!
      let at = i
      for (; at > 0 && this.#compare(hit, order[at - 1]!) < 0; at--) order[at] = order[at - 1]!
      order[at] = hit
    }
  }

  /** Order of two hits; of equal values the lower document is first. */
  #compare(a: number, b: number): number {
    return (
      compareLongs(this.#hi[a]!, this.#lo[a]!, this.#hi[b]!, this.#lo[b]!) ||
      this.#docs[a]! - this.#docs[b]!
    )
  }
}

/** Up to this many are sorted by insertion: faster without comparator calls. */
const FEW_HITS = 32

/**
 * XOR mask of the values: for descending sorts it reverses the order, so that the smallest is best.
 */
function flipOf({ descending }: NumberKey): bigint {
  return descending ? -1n : 0n
}

/** A leaf in which no document has the field. */
const NO_COLUMN = { presence: 0, ranks: 0, spans: 0, blocks: 0, data: 0 }
