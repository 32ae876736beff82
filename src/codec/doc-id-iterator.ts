/** What follows the last document: no document has this ID, the largest is one below. */
export const NO_MORE_DOCS = 2147483647

/**
 * Documents of one leaf in ascending order of ID. Starts before the first document (`docId()` is
 * −1); after the last one `docId()` is `NO_MORE_DOCS` for good, and it must not be moved again.
 */
export interface DocIdIterator {
  /** The current document: −1 before the first move, `NO_MORE_DOCS` past the end. */
  docId(): number
  /** Moves to the next document and returns it. */
  nextDoc(): number
  /** Moves to the first document at or after `target`, which must lie behind the current one. */
  advance(target: number): number
  /** An upper bound of how many documents there are; a measure for ordering, never for results. */
  cost(): number
}
