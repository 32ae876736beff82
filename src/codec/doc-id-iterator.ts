/** The doc ID after the last document: doc IDs are below it. */
export const NO_MORE_DOCS = 2147483647

/**
 * Documents of one leaf in ascending order of ID. Starts before the first document (`docId()` is
 * −1); after the last one `docId()` stays `NO_MORE_DOCS`, and it must not be moved again.
 */
export interface DocIdIterator {
  /** The current document: −1 before the first move, `NO_MORE_DOCS` past the end. */
  docId(): number
  /** Moves to the next document and returns it. */
  nextDoc(): number
  /** Moves to the first document at or after `target`, which must be above the current one. */
  advance(target: number): number
  /** An upper bound of the number of documents; for ordering only, never for results. */
  cost(): number
}
