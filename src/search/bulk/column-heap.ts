/** The first documents of a slice by one column: kernels keep them, within one leaf at a time. */
import { compareLongs } from '../../codec/doc-values/long-column.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { LeafPart } from '../collector/collect-spec.ts'
import { highHalf, joinHalves, lowHalf } from '../query/point-value.ts'
import { SORT, SORT_BYTES } from './plan-record.ts'

/** Above every value that is kept: no bound. */
export const NO_LIMIT: bigint = (1n << 63n) - 1n

/** A leaf's column. Values as they are kept are flipped in descending sorts: the smallest is first. */
export interface LeafColumn {
  /** Addresses of its parts; those of `NO_COLUMN` where no document has a value. */
  readonly parts: typeof NO_COLUMN
  /** Stands for a document without a value. */
  readonly missing: bigint
  /** As kept: values up to this one are passed over; null: none is. */
  readonly after: bigint | null
  /** As kept: no value above it is a hit. */
  readonly limit: bigint
}

/** A leaf in which no document has the field. */
export const NO_COLUMN: {
  readonly presence: number
  readonly ranks: number
  readonly spans: number
  readonly blocks: number
  readonly data: number
} = { presence: 0, ranks: 0, spans: 0, blocks: 0, data: 0 }

/** Keeps the first hits; between leaves they lie here, whichever arena comes next. */
export class ColumnHeap {
  readonly #capacity: number
  /** XOR mask of values: −1 in descending sorts, which reverses the order. */
  readonly #flip: number
  /** Halves of the values as the kernel keeps them. */
  readonly #hi: number[] = []
  readonly #lo: number[] = []
  readonly #docs: number[] = []
  #count = 0

  constructor(capacity: number, descending: boolean) {
    this.#capacity = capacity
    this.#flip = descending ? -1 : 0
  }

  /** @param matches address of their bits, all 0 outside the part */
  takeMatches(leaf: Leaf, part: LeafPart, column: LeafColumn, matches: number): void {
    const mark = leaf.scratch.mark()
    const record = this.#record(leaf, part, column)
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
  takeTerm(
    leaf: Leaf,
    part: LeafPart,
    column: LeafColumn,
    cursor: number,
    accept: number,
    counts: boolean,
  ): number {
    const { i32 } = leaf.views
    const mark = leaf.scratch.mark()
    const record = this.#record(leaf, part, column)
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
  #record(leaf: Leaf, part: LeafPart, { parts, missing, after, limit }: LeafColumn): number {
    const { scratch } = leaf
    const { i32, u32 } = leaf.views
    const record = scratch.allocate(SORT_BYTES)
    const values = scratch.allocate(8 * this.#capacity)
    const docs = scratch.allocate(4 * this.#capacity)
    const at = record >> 2
    i32[at + SORT.minDoc / 4] = part.minDoc
    i32[at + SORT.maxDoc / 4] = part.maxDoc
    i32[at + SORT.docBase / 4] = leaf.docBase
    i32[at + SORT.capacity / 4] = this.#capacity
    i32[at + SORT.hitCount / 4] = this.#count
    i32[at + SORT.hitValues / 4] = values
    i32[at + SORT.hitDocs / 4] = docs
    i32[at + SORT.flip / 4] = this.#flip
    i32[at + SORT.presence / 4] = parts.presence
    i32[at + SORT.ranks / 4] = parts.ranks
    i32[at + SORT.spans / 4] = parts.spans
    i32[at + SORT.blocks / 4] = parts.blocks
    i32[at + SORT.data / 4] = parts.data
    setLong(leaf, at + SORT.missing / 4, missing)
    i32[at + SORT.hasAfter / 4] = after === null ? 0 : 1
    setLong(leaf, at + SORT.after / 4, after ?? 0n)
    setLong(leaf, at + SORT.limit / 4, limit)
    for (let i = 0; i < this.#count; i++) {
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
    this.#count = count
    for (let i = 0; i < count; i++) {
      this.#hi[i] = i32[values + 2 * i + 1]!
      this.#lo[i] = u32[values + 2 * i]!
      this.#docs[i] = u32[docs + i]!
    }
  }

  /** As kept: the value of the last hit; null: there are not as many as there is room for. */
  last(): bigint | null {
    if (this.#count < this.#capacity) return null
    let last = 0
    for (let i = 1; i < this.#count; i++)
      if (compareLongs(this.#hi[i]!, this.#lo[i]!, this.#hi[last]!, this.#lo[last]!) > 0) last = i
    return joinHalves(this.#hi[last]!, this.#lo[last]!)
  }

  /** Forgets the hits. */
  clear(): void {
    this.#count = 0
  }

  /** The hits in sort order, of equal values the lowest document first: a value of the column, a global document. */
  *inOrder(): Generator<readonly [value: bigint, globalDoc: number]> {
    const count = this.#count
    const order = new Int32Array(count)
    for (let i = 0; i < count; i++) order[i] = i
    if (count > FEW_HITS) order.sort((a, b) => this.#compare(a, b))
    else this.#sortFew(order)
    for (let i = 0; i < count; i++) {
      const at = order[i]!
      const value = joinHalves(this.#hi[at]! ^ this.#flip, this.#lo[at]! ^ this.#flip)
      yield [value, this.#docs[at]!]
    }
  }

  #sortFew(order: Int32Array): void {
    for (let i = 1; i < order.length; i++) {
      const hit = order[i]!
      let at = i
      for (; at > 0 && this.#compare(hit, order[at - 1]!) < 0; at--) order[at] = order[at - 1]!
      order[at] = hit
    }
  }

  #compare(a: number, b: number): number {
    return (
      compareLongs(this.#hi[a]!, this.#lo[a]!, this.#hi[b]!, this.#lo[b]!) ||
      this.#docs[a]! - this.#docs[b]!
    )
  }
}

/** Up to this many are sorted by insertion: faster without comparator calls. */
const FEW_HITS = 32

function setLong({ views: { i32, u32 } }: Leaf, at: number, value: bigint): void {
  u32[at] = lowHalf(value)
  i32[at + 1] = highHalf(value)
}
