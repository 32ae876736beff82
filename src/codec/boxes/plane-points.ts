import { WordRows } from '../word-rows.ts'

/**
 * A growing list of points of a plane with their documents: the words of the first coordinate, most
 * significant first, then the second's.
 */
export class PlanePoints extends WordRows {
  /** 32-bit words of a coordinate: 1, 2 or 4. */
  readonly wordCount: number

  constructor(wordCount: number) {
    super(2 * wordCount)
    this.wordCount = wordCount
  }
}
