/** Buffers of one disjunction window: each document's clauses, and their scores. */
export interface WindowSpace {
  /** One bit per document that some clause matches. */
  readonly bits: Int32Array
  /** Each document's clauses, `maskWords` words each. */
  readonly masks: Int32Array
  /** Scores at `clause * length + document`. */
  readonly scores: Float32Array
}

/**
 * Pool of windows, reused from leaf to leaf of a slice: allocating them for each leaf took a third
 * of a small search.
 */
export class WindowPool {
  readonly #free: WindowSpace[] = []
  readonly #lent: WindowSpace[] = []

  /** A window without bits set; its scores are undefined. */
  borrow(length: number, maskWords: number, scoreCount: number): WindowSpace {
    const known = this.#free.pop()
    const fits =
      known !== undefined &&
      known.bits.length >= length >>> 5 &&
      known.masks.length >= length * maskWords &&
      known.scores.length >= scoreCount
    const space = fits
      ? known
      : {
          bits: new Int32Array(length >>> 5),
          masks: new Int32Array(length * maskWords),
          scores: new Float32Array(scoreCount),
        }
    if (fits) {
      space.bits.fill(0)
      space.masks.fill(0)
    }
    this.#lent.push(space)
    return space
  }

  /** Takes all windows back at the end of the leaf. */
  reclaim(): void {
    this.#free.push(...this.#lent)
    this.#lent.length = 0
  }
}
