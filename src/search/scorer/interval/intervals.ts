/**
 * Minimal intervals of positions in one document, as Lucene's intervals package finds them (Boldi &
 * Vigna, "Efficient Optimally Lazy Algorithms for Minimal-Interval Semantics"): none contains another
 * one of the same source, so that both their starts and their ends ascend.
 */

/** Start and end of exhausted intervals. */
export const NO_MORE_INTERVALS = 2147483647

/** Intervals of one document; both ends are included. */
export interface Intervals {
  /** −1 before the first one. */
  readonly start: number
  readonly end: number
  /** Positions of the current one that its parts do not cover. */
  readonly gaps: number
  /** Opens a document; false when it has none, as far as postings alone tell. */
  open(docId: number): boolean
  /** Moves to the next one and returns its start. */
  next(): number
}
