/** What scorers ask of postings, whether they are one term's or several terms' as one. */
import type { DocIdIterator } from '../../codec/doc-id-iterator.ts'

/** Documents with frequencies, bounded over runs of documents. */
export interface FreqPostings extends DocIdIterator {
  /** How often it occurs in the current document. */
  freq(): number
  /** The last document of the run that holds `target` and whose bound is known. */
  shallowAdvance(target: number): number
  /** No less than the impact of any document up to there. */
  maxImpact(upTo: number): number
}

/** The same with positions. */
export interface PositionPostings extends FreqPostings {
  /** The next position in the current document, ascending; at most `freq()` times. */
  nextPosition(): number
}
