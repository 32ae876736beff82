import { bitsAt } from '../packed-bits.ts'
import { BLOCK_POINTS, PointBlocks, type WordColumn } from '../point-blocks.ts'
import type { Section } from '../section.ts'
import { POINTS_VERSION } from './format.ts'

/** Points of one field of one leaf in ascending order, for range queries. */
export class PointsReader {
  readonly count: number
  readonly docCount: number
  readonly maxDoc: number
  /** 32-bit words of a value. */
  readonly wordCount: number
  /** Byte addresses of the index and of the blocks. */
  readonly indexAt: number
  readonly dataAt: number
  readonly #blocks: PointBlocks

  constructor(section: Section) {
    const blocks = new PointBlocks(section, POINTS_VERSION, wordCount => 2 * wordCount)
    this.#blocks = blocks
    this.wordCount = blocks.wordCount
    this.count = blocks.count
    this.docCount = blocks.docCount
    this.maxDoc = blocks.maxDoc
    this.indexAt = 4 * blocks.index
    this.dataAt = 4 * blocks.data
  }

  /**
   * Visits the document of every point in [lower, upper], both inclusive, in order of value.
   * @param lower,upper unsigned words, most significant first: `longWords` makes them
   */
  intersect(lower: Uint32Array, upper: Uint32Array, visit: (docId: number) => void): void {
    for (let block = this.#firstBlock(lower); block < this.#blocks.blockCount; block++) {
      if (this.#compareAt(this.#blocks.boundsOf(block), upper) > 0) return
      if (this.#isWithin(block, lower, upper)) this.#blocks.visitDocs(block, visit)
      else this.#visitBlock(block, lower, upper, visit)
    }
  }

  /**
   * Estimated number of points in [lower, upper]: exact except for the blocks at both ends, which
   * count half.
   */
  estimate(lower: Uint32Array, upper: Uint32Array): number {
    const first = this.#firstBlock(lower)
    const last = this.#lastBlock(upper)
    if (first > last) return 0
    // Blocks between the first and the last one lie wholly within.
    let total = Math.max(0, last - first - 1) * BLOCK_POINTS
    total += this.#estimateBlock(first, lower, upper)
    if (last > first) total += this.#estimateBlock(last, lower, upper)
    return total
  }

  #estimateBlock(block: number, lower: Uint32Array, upper: Uint32Array): number {
    const length = this.#blocks.lengthOf(block)
    return this.#isWithin(block, lower, upper) ? length : Math.ceil(length / 2)
  }

  #isWithin(block: number, lower: Uint32Array, upper: Uint32Array): boolean {
    const bounds = this.#blocks.boundsOf(block)
    return (
      this.#compareAt(bounds, lower) >= 0 && this.#compareAt(bounds + this.wordCount, upper) <= 0
    )
  }

  /**
   * Visits every point of 64-bit integers with its value in halves, in order of value; for merges.
   */
  visitAll(visit: (docId: number, hi: number, lo: number) => void): void {
    const { u32 } = this.#blocks
    for (let block = 0; block < this.#blocks.blockCount; block++) {
      const docs = this.#blocks.docsOf(block)
      const columns = this.#blocks.columnsOf(block, 2)
      const high = columns[0]!
      const low = columns[1]!
      const length = this.#blocks.lengthOf(block)
      for (let i = 0; i < length; i++) {
        const hi = high.base + bitsAt(u32, high.at, i * high.width, high.width)
        const lo = low.base + bitsAt(u32, low.at, i * low.width, low.width)
        visit(bitsAt(u32, docs.at, i * docs.bits, docs.bits), (hi ^ 0x80000000) | 0, lo >>> 0)
      }
    }
  }

  /** The number of points below a value. */
  countBelow(value: Uint32Array): number {
    const block = this.#firstBlock(value)
    if (block === this.#blocks.blockCount) return this.count
    const columns = this.#blocks.columnsOf(block, this.wordCount)
    let low = 0
    let high = this.#blocks.lengthOf(block)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compareIn(columns, middle, value) < 0) low = middle + 1
      else high = middle
    }
    return block * BLOCK_POINTS + low
  }

  /**
   * The number of points below each of ascending values of 64 bits, which one walk over the index finds.
   * @param words of the values, two each, as `longWords` has them
   */
  countsBelow(words: Uint32Array): Int32Array {
    const counts = new Int32Array(words.length >> 1)
    let block = 0
    let from = 0
    let columns: readonly WordColumn[] | null = null
    for (let i = 0; i < counts.length; i++) {
      const hi = words[2 * i]!
      const lo = words[2 * i + 1]!
      const next = this.#firstBlockFrom(block, hi, lo)
      if (next === this.#blocks.blockCount) return counts.fill(this.count, i)
      if (columns === null || next !== block) {
        block = next
        from = 0
        columns = this.#blocks.columnsOf(block, 2)
      }
      from = this.#countIn(columns, from, this.#blocks.lengthOf(block), hi, lo)
      counts[i] = block * BLOCK_POINTS + from
    }
    return counts
  }

  /** The first block, from one on, whose last value is at or above one of two words. */
  #firstBlockFrom(block: number, hi: number, lo: number): number {
    const { blockCount } = this.#blocks
    let low = block
    let step = 1
    // Steps grow: the next value is mostly near.
    for (; low + step <= blockCount && this.#endsBelow(low + step - 1, hi, lo); step *= 2)
      low += step
    let high = Math.min(low + step - 1, blockCount)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#endsBelow(middle, hi, lo)) low = middle + 1
      else high = middle
    }
    return low
  }

  #endsBelow(block: number, hi: number, lo: number): boolean {
    const { u32 } = this.#blocks
    const last = this.#blocks.boundsOf(block) + 2
    const high = u32[last]!
    return high < hi || (high === hi && u32[last + 1]! < lo)
  }

  /** The first of the points [from, to) of a block that is not below a value of two words; `to`: none. */
  #countIn(
    columns: readonly WordColumn[],
    from: number,
    to: number,
    hi: number,
    lo: number,
  ): number {
    const { u32 } = this.#blocks
    const high = columns[0]!
    const low = columns[1]!
    let first = from
    let end = to
    while (first < end) {
      const middle = (first + end) >>> 1
      const own = high.base + bitsAt(u32, high.at, middle * high.width, high.width)
      const isBelow =
        own === hi ? low.base + bitsAt(u32, low.at, middle * low.width, low.width) < lo : own < hi
      if (isBelow) first = middle + 1
      else end = middle
    }
    return first
  }

  /** The words of a point's value. @param i below `count`, in order of value */
  valueAt(i: number): Uint32Array {
    const block = Math.floor(i / BLOCK_POINTS)
    const columns = this.#blocks.columnsOf(block, this.wordCount)
    const at = i - block * BLOCK_POINTS
    return Uint32Array.from(
      columns,
      column => column.base + bitsAt(this.#blocks.u32, column.at, at * column.width, column.width),
    )
  }

  #compareIn(columns: readonly WordColumn[], i: number, words: Uint32Array): number {
    for (const [word, { base, at, width }] of columns.entries()) {
      const difference = base + bitsAt(this.#blocks.u32, at, i * width, width) - words[word]!
      if (difference !== 0) return difference
    }
    return 0
  }

  /** The first block whose last value is at or above `lower`. */
  #firstBlock(lower: Uint32Array): number {
    let low = 0
    let high = this.#blocks.blockCount
    while (low < high) {
      const middle = (low + high) >>> 1
      const last = this.#blocks.boundsOf(middle) + this.wordCount
      if (this.#compareAt(last, lower) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The last block whose first value is at or below `upper`; −1: none. */
  #lastBlock(upper: Uint32Array): number {
    let low = -1
    let high = this.#blocks.blockCount - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#compareAt(this.#blocks.boundsOf(middle), upper) > 0) high = middle - 1
      else low = middle
    }
    return low
  }

  #compareAt(at: number, words: Uint32Array): number {
    for (let i = 0; i < words.length; i++) {
      const difference = this.#blocks.u32[at + i]! - words[i]!
      if (difference !== 0) return difference
    }
    return 0
  }

  #visitBlock(
    block: number,
    lower: Uint32Array,
    upper: Uint32Array,
    visit: (docId: number) => void,
  ): void {
    const { u32 } = this.#blocks
    const docs = this.#blocks.docsOf(block)
    const length = this.#blocks.lengthOf(block)
    const columns = this.#blocks.columnsOf(block, this.wordCount)
    for (let i = 0; i < length; i++) {
      let fromLower = 0
      let fromUpper = 0
      for (let word = 0; word < columns.length; word++) {
        const column = columns[word]!
        const value = column.base + bitsAt(u32, column.at, i * column.width, column.width)
        if (fromLower === 0) fromLower = value - lower[word]!
        if (fromUpper === 0) fromUpper = value - upper[word]!
      }
      if (fromLower < 0) continue
      if (fromUpper > 0) return
      visit(bitsAt(u32, docs.at, i * docs.bits, docs.bits))
    }
  }
}

/** The signed 64-bit integer of two words. */
export function longOf(words: Uint32Array): bigint {
  return (BigInt((words[0]! ^ 0x80000000) | 0) << 32n) | BigInt(words[1]!)
}

/** The words of a signed 64-bit integer given in halves. */
export function longWords(hi: number, lo: number): Uint32Array {
  return Uint32Array.of((hi ^ 0x80000000) >>> 0, lo)
}
