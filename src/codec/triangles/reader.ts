import { PointBlocks } from '../point-blocks.ts'
import type { Section } from '../section.ts'
import { TRIANGLE_COLUMNS, TRIANGLES_VERSION } from './format.ts'

/** A box of quantised coordinates, with their sign bit flipped; all four sides are in it. */
export interface WordBox {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** Triangles of one field of one leaf. */
export class TrianglesReader {
  readonly count: number
  readonly docCount: number
  readonly #blocks: PointBlocks

  constructor(section: Section) {
    this.#blocks = new PointBlocks(section, TRIANGLES_VERSION, () => 4)
    this.count = this.#blocks.count
    this.docCount = this.#blocks.docCount
  }

  /**
   * Visits every triangle of the blocks that one of some boxes touches, also such outside of them, with its
   * words, which are reused from triangle to triangle.
   * @param apart null; or it visits the document of every triangle of the other blocks
   */
  visitNear(
    boxes: readonly WordBox[],
    visit: (docId: number, words: Uint32Array) => void,
    apart: ((docId: number) => void) | null,
  ): void {
    const words = new Uint32Array(TRIANGLE_COLUMNS)
    for (let block = 0; block < this.#blocks.blockCount; block++)
      if (this.#touches(block, boxes)) this.#blocks.visitRows(block, words, visit)
      else if (apart !== null) this.#blocks.visitDocs(block, apart)
  }

  /** Estimated number of triangles that touch one of some boxes. */
  estimate(boxes: readonly WordBox[]): number {
    let total = 0
    for (let block = 0; block < this.#blocks.blockCount; block++)
      if (this.#touches(block, boxes)) total += this.#blocks.lengthOf(block)
    return total
  }

  /** Visits every triangle with its words, which are reused from triangle to triangle; for merges. */
  visitAll(visit: (docId: number, words: Uint32Array) => void): void {
    const words = new Uint32Array(TRIANGLE_COLUMNS)
    for (let block = 0; block < this.#blocks.blockCount; block++)
      this.#blocks.visitRows(block, words, visit)
  }

  /** Visits the document of every triangle. */
  visitDocs(visit: (docId: number) => void): void {
    for (let block = 0; block < this.#blocks.blockCount; block++)
      this.#blocks.visitDocs(block, visit)
  }

  #touches(block: number, boxes: readonly WordBox[]): boolean {
    const { u32 } = this.#blocks
    const at = this.#blocks.boundsOf(block)
    return boxes.some(
      ({ west, south, east, north }) =>
        u32[at]! <= east && u32[at + 1]! <= north && u32[at + 2]! >= west && u32[at + 3]! >= south,
    )
  }
}
