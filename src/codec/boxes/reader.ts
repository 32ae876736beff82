import { bitsAt } from '../packed-bits.ts'
import { PointBlocks } from '../point-blocks.ts'
import type { Section } from '../section.ts'
import { BOXES_VERSION } from './format.ts'

/** A block's position to a box: apart from it, wholly in it, or partly. */
const APART = 0
const WITHIN = 1
const CROSSING = 2

/**
 * Points of a plane of one field of one leaf, for searches in boxes. A box is given by its lower and
 * its upper corner, both included: the words of the first coordinate, then the second's.
 */
export class BoxesReader {
  readonly count: number
  readonly docCount: number
  /** 32-bit words of a coordinate. */
  readonly wordCount: number
  readonly #blocks: PointBlocks

  constructor(section: Section) {
    this.#blocks = new PointBlocks(section, BOXES_VERSION, wordCount => 4 * wordCount)
    this.wordCount = this.#blocks.wordCount
    this.count = this.#blocks.count
    this.docCount = this.#blocks.docCount
  }

  /** Visits the document of every point in a box, one that has several once for each. */
  intersect(lower: Uint32Array, upper: Uint32Array, visit: (docId: number) => void): void {
    for (let block = 0; block < this.#blocks.blockCount; block++) {
      const position = this.#position(block, lower, upper)
      if (position === WITHIN) this.#blocks.visitDocs(block, visit)
      else if (position === CROSSING) this.#visitBlock(block, lower, upper, visit)
    }
  }

  /**
   * Visits every point of the blocks that a box touches, also such outside of it, with its words, which
   * are reused from point to point.
   */
  visitNear(
    lower: Uint32Array,
    upper: Uint32Array,
    visit: (docId: number, words: Uint32Array) => void,
  ): void {
    const words = new Uint32Array(2 * this.wordCount)
    for (let block = 0; block < this.#blocks.blockCount; block++)
      if (this.#position(block, lower, upper) !== APART) this.#blocks.visitRows(block, words, visit)
  }

  /** Estimated number of points in a box: blocks that cross its border count half. */
  estimate(lower: Uint32Array, upper: Uint32Array): number {
    let total = 0
    for (let block = 0; block < this.#blocks.blockCount; block++) {
      const position = this.#position(block, lower, upper)
      const length = this.#blocks.lengthOf(block)
      if (position === WITHIN) total += length
      else if (position === CROSSING) total += Math.ceil(length / 2)
    }
    return total
  }

  /** Visits every point with its words, which are reused from point to point; for merges. */
  visitAll(visit: (docId: number, words: Uint32Array) => void): void {
    const words = new Uint32Array(2 * this.wordCount)
    for (let block = 0; block < this.#blocks.blockCount; block++)
      this.#blocks.visitRows(block, words, visit)
  }

  #position(block: number, lower: Uint32Array, upper: Uint32Array): number {
    const { wordCount } = this
    const min = this.#blocks.boundsOf(block)
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
      const difference = this.#blocks.u32[corner + i]! - words[i]!
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
    const { wordCount } = this
    const { u32 } = this.#blocks
    const docs = this.#blocks.docsOf(block)
    const length = this.#blocks.lengthOf(block)
    const columns = this.#blocks.columnsOf(block, 2 * wordCount)
    for (let i = 0; i < length; i++) {
      let isIn = true
      for (let first = 0; isIn && first < 2 * wordCount; first += wordCount) {
        let fromLower = 0
        let fromUpper = 0
        for (let word = first; word < first + wordCount; word++) {
          const { base, width, at } = columns[word]!
          const value = base + bitsAt(u32, at, i * width, width)
          if (fromLower === 0) fromLower = value - lower[word]!
          if (fromUpper === 0) fromUpper = value - upper[word]!
        }
        isIn = fromLower >= 0 && fromUpper <= 0
      }
      if (isIn) visit(bitsAt(u32, docs.at, i * docs.bits, docs.bits))
    }
  }
}
