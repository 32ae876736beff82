/** The postings interface of scorers, for one term's postings or a union of several terms'. */
import type { DocIdIterator } from '../../codec/doc-id-iterator.ts'

/** Documents with frequencies, with upper bounds over runs of documents. */
export interface FreqPostings extends DocIdIterator {
  /** Frequency in the current document. */
  freq(): number
  /** The last document of the run that holds `target` and has a known bound. */
  shallowAdvance(target: number): number
  /** An upper bound of the impacts of documents up to `upTo`. */
  maxImpact(upTo: number): number
}

/** The same with positions. */
export interface PositionPostings extends FreqPostings {
  /** The next position in the current document, ascending; call at most `freq()` times. */
  nextPosition(): number
}
