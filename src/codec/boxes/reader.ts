import { bitsAt } from '../packed-bits.ts'
import { checkSection, partOf, type Section } from '../section.ts'
import { BOXES_HEADER_BYTES, BOXES_VERSION, POINTS_PER_TILE } from './format.ts'

/** A block's position to a box: apart from it, wholly in it, or partly. */
const APART = 0
const WITHIN = 1
const CROSSING = 2

/** A packed column of a block. */
interface WordColumn {
  readonly base: number
  readonly width: number
  readonly at: number
}

/**
 * Points of a plane of one field of one leaf, for searches in boxes. A box is given by its lower and
 * its upper corner, both included: the words of the first coordinate, then the second's.
 */
export class BoxesReader {
  readonly count: number
  readonly docCount: number
  /** 32-bit words of a coordinate. */
  readonly wordCount: number
  readonly #u32: Uint32Array
  readonly #blockCount: number
  readonly #entryWords: number
  readonly #index: number
  readonly #data: number

  constructor(section: Section) {
    checkSection(section, BOXES_VERSION, BOXES_HEADER_BYTES)
    const { u32 } = section.views
    const header = section.start >> 2
    this.#u32 = u32
    this.wordCount = u32[header + 1]!
    this.count = u32[header + 2]!
    this.docCount = u32[header + 3]!
    this.#blockCount = u32[header + 4]!
    this.#entryWords = 2 + 4 * this.wordCount
    this.#index = partOf(section, 20, this.#entryWords * 4 * this.#blockCount) >> 2
    this.#data = partOf(section, 24, 0) >> 2
    partOf(section, 28, 0)
  }

  /** Visits the document of every point in a box, one that has several once for each. */
  intersect(lower: Uint32Array, upper: Uint32Array, visit: (docId: number) => void): void {
    for (let block = 0; block < this.#blockCount; block++) {
      const position = this.#position(block, lower, upper)
      if (position === WITHIN) this.#visitDocs(block, visit)
      else if (position === CROSSING) this.#visitBlock(block, lower, upper, visit)
    }
  }

  /** Estimated number of points in a box: blocks that cross its border count half. */
  estimate(lower: Uint32Array, upper: Uint32Array): number {
    let total = 0
    for (let block = 0; block < this.#blockCount; block++) {
      const position = this.#position(block, lower, upper)
      const length = this.#blockLength(block)
      if (position === WITHIN) total += length
      else if (position === CROSSING) total += Math.ceil(length / 2)
    }
    return total
  }

  /** Visits every point with its words, which are reused from point to point; for merges. */
  visitAll(visit: (docId: number, words: Uint32Array) => void): void {
    const u32 = this.#u32
    const words = new Uint32Array(2 * this.wordCount)
    for (let block = 0; block < this.#blockCount; block++) {
      const { docsAt, docBits } = this.#docsOf(block)
      const columns = this.#columnsOf(block)
      for (let i = 0; i < this.#blockLength(block); i++) {
        for (const [word, { base, width, at }] of columns.entries())
          words[word] = base + bitsAt(u32, at, i * width, width)
        visit(bitsAt(u32, docsAt, i * docBits, docBits), words)
      }
    }
  }

  #blockLength(block: number): number {
    return Math.min(POINTS_PER_TILE, this.count - block * POINTS_PER_TILE)
  }

  #position(block: number, lower: Uint32Array, upper: Uint32Array): number {
    const { wordCount } = this
    const min = this.#index + block * this.#entryWords + 2
    const max = min + 2 * wordCount
    let isWithin = true
    for (let first = 0; first < 2 * wordCount; first += wordCount) {
      if (this.#compareAt(max, first, lower) < 0 || this.#compareAt(min, first, upper) > 0)
        return APART
      isWithin &&=
        this.#compareAt(min, first, lower) >= 0 && this.#compareAt(max, first, upper) <= 0
    }
    return isWithin ? WITHIN : CROSSING
  }

  /** Compares the coordinate whose words start at `first` of a corner in the index and of another. */
  #compareAt(corner: number, first: number, words: Uint32Array): number {
    for (let i = first; i < first + this.wordCount; i++) {
      const difference = this.#u32[corner + i]! - words[i]!
      if (difference !== 0) return difference
    }
    return 0
  }

  #docsOf(block: number): { docsAt: number; docBits: number } {
    const entry = this.#index + block * this.#entryWords
    return { docsAt: this.#data + (this.#u32[entry]! >>> 2), docBits: this.#u32[entry + 1]! }
  }

  #columnsOf(block: number): WordColumn[] {
    const u32 = this.#u32
    const { docsAt, docBits } = this.#docsOf(block)
    const length = this.#blockLength(block)
    const columns: WordColumn[] = []
    let at = docsAt + Math.ceil((length * docBits) / 32)
    for (let word = 0; word < 2 * this.wordCount; word++) {
      const width = u32[at + 1]!
      columns.push({ base: u32[at]!, width, at: at + 2 })
      at += 2 + Math.ceil((length * width) / 32)
    }
    return columns
  }

  #visitDocs(block: number, visit: (docId: number) => void): void {
    const { docsAt, docBits } = this.#docsOf(block)
    const length = this.#blockLength(block)
    for (let i = 0; i < length; i++) visit(bitsAt(this.#u32, docsAt, i * docBits, docBits))
  }

  #visitBlock(
    block: number,
    lower: Uint32Array,
    upper: Uint32Array,
    visit: (docId: number) => void,
  ): void {
    const { wordCount } = this
    const { docsAt, docBits } = this.#docsOf(block)
    const length = this.#blockLength(block)
    const columns = this.#columnsOf(block)
    for (let i = 0; i < length; i++) {
      let isIn = true
      for (let first = 0; isIn && first < 2 * wordCount; first += wordCount) {
        let fromLower = 0
        let fromUpper = 0
        for (let word = first; word < first + wordCount; word++) {
          const { base, width, at } = columns[word]!
          const value = base + bitsAt(this.#u32, at, i * width, width)
          if (fromLower === 0) fromLower = value - lower[word]!
          if (fromUpper === 0) fromUpper = value - upper[word]!
        }
        isIn = fromLower >= 0 && fromUpper <= 0
      }
      if (isIn) visit(bitsAt(this.#u32, docsAt, i * docBits, docBits))
    }
  }
}
