import { bitsAt } from '../packed-bits.ts'
import { checkSection, partOf, type Section } from '../section.ts'
import { POINTS_HEADER_BYTES, POINTS_PER_BLOCK, POINTS_VERSION } from './format.ts'

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
  readonly #u32: Uint32Array
  readonly #blockCount: number
  readonly #index: number
  readonly #data: number

  constructor(section: Section) {
    checkSection(section, POINTS_VERSION, POINTS_HEADER_BYTES)
    const { u32 } = section.views
    const header = section.start >> 2
    this.#u32 = u32
    this.wordCount = u32[header + 1]!
    this.count = u32[header + 2]!
    this.docCount = u32[header + 3]!
    this.#blockCount = u32[header + 4]!
    this.maxDoc = u32[header + 8]!
    this.#index = partOf(section, 20, this.#entryWords() * 4 * this.#blockCount) >> 2
    this.#data = partOf(section, 24, 0) >> 2
    this.indexAt = 4 * this.#index
    this.dataAt = 4 * this.#data
    partOf(section, 28, 0)
  }

  /**
   * Visits the document of every point in [lower, upper], both inclusive, in order of value.
   * @param lower,upper unsigned words, most significant first: `longWords` makes them
   */
  intersect(lower: Uint32Array, upper: Uint32Array, visit: (docId: number) => void): void {
    for (let block = this.#firstBlock(lower); block < this.#blockCount; block++) {
      const entry = this.#index + block * this.#entryWords()
      if (this.#compareAt(entry + 2, upper) > 0) return
      const whole =
        this.#compareAt(entry + 2, lower) >= 0 &&
        this.#compareAt(entry + 2 + this.wordCount, upper) <= 0
      this.#visitBlock(block, entry, whole ? null : lower, upper, visit)
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
    let total = Math.max(0, last - first - 1) * POINTS_PER_BLOCK
    total += this.#estimateBlock(first, lower, upper)
    if (last > first) total += this.#estimateBlock(last, lower, upper)
    return total
  }

  #estimateBlock(block: number, lower: Uint32Array, upper: Uint32Array): number {
    const entry = this.#index + block * this.#entryWords()
    const whole =
      this.#compareAt(entry + 2, lower) >= 0 &&
      this.#compareAt(entry + 2 + this.wordCount, upper) <= 0
    const length = this.#blockLength(block)
    return whole ? length : Math.ceil(length / 2)
  }

  /**
   * Visits every point of 64-bit integers with its value in halves, in order of value; for merges.
   */
  visitAll(visit: (docId: number, hi: number, lo: number) => void): void {
    const u32 = this.#u32
    for (let block = 0; block < this.#blockCount; block++) {
      const entry = this.#index + block * this.#entryWords()
      const length = this.#blockLength(block)
      const docsAt = this.#data + (u32[entry]! >>> 2)
      const docBits = u32[entry + 1]!
      const highAt = docsAt + Math.ceil((length * docBits) / 32)
      const highWidth = u32[highAt + 1]!
      const lowAt = highAt + 2 + Math.ceil((length * highWidth) / 32)
      const lowWidth = u32[lowAt + 1]!
      for (let i = 0; i < length; i++) {
        const high = u32[highAt]! + bitsAt(u32, highAt + 2, i * highWidth, highWidth)
        const low = u32[lowAt]! + bitsAt(u32, lowAt + 2, i * lowWidth, lowWidth)
        visit(bitsAt(u32, docsAt, i * docBits, docBits), (high ^ 0x80000000) | 0, low >>> 0)
      }
    }
  }

  #entryWords(): number {
    return 2 + 2 * this.wordCount
  }

  #blockLength(block: number): number {
    return Math.min(POINTS_PER_BLOCK, this.count - block * POINTS_PER_BLOCK)
  }

  /** The first block whose last value is at or above `lower`. */
  #firstBlock(lower: Uint32Array): number {
    let low = 0
    let high = this.#blockCount
    while (low < high) {
      const middle = (low + high) >>> 1
      const last = this.#index + middle * this.#entryWords() + 2 + this.wordCount
      if (this.#compareAt(last, lower) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The last block whose first value is at or below `upper`; −1: none. */
  #lastBlock(upper: Uint32Array): number {
    let low = -1
    let high = this.#blockCount - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#compareAt(this.#index + middle * this.#entryWords() + 2, upper) > 0)
        high = middle - 1
      else low = middle
    }
    return low
  }

  #compareAt(at: number, words: Uint32Array): number {
    for (let i = 0; i < words.length; i++) {
      const difference = this.#u32[at + i]! - words[i]!
      if (difference !== 0) return difference
    }
    return 0
  }

  #visitBlock(
    block: number,
    entry: number,
    lower: Uint32Array | null,
    upper: Uint32Array,
    visit: (docId: number) => void,
  ): void {
    const u32 = this.#u32
    const length = this.#blockLength(block)
    const docsAt = this.#data + (u32[entry]! >>> 2)
    const docBits = u32[entry + 1]!
    if (lower === null) {
      for (let i = 0; i < length; i++) visit(bitsAt(u32, docsAt, i * docBits, docBits))
      return
    }
    const columns: { base: number; width: number; at: number }[] = []
    let at = docsAt + Math.ceil((length * docBits) / 32)
    for (let word = 0; word < this.wordCount; word++) {
      const width = u32[at + 1]!
      columns.push({ base: u32[at]!, width, at: at + 2 })
      at += 2 + Math.ceil((length * width) / 32)
    }
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
      visit(bitsAt(u32, docsAt, i * docBits, docBits))
    }
  }
}

/** The words of a signed 64-bit integer given in halves. */
export function longWords(hi: number, lo: number): Uint32Array {
  return Uint32Array.of((hi ^ 0x80000000) >>> 0, lo)
}
