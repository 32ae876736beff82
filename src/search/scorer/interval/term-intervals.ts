import type { PositionPostings } from '../freq-postings.ts'
import { type Intervals, NO_MORE_INTERVALS } from './intervals.ts'

/** The part of a term's postings that its intervals read. */
export type IntervalPostings = Pick<PositionPostings, 'docId' | 'advance' | 'freq' | 'nextPosition'>

/** A term's positions. */
export class TermIntervals implements Intervals {
  readonly #postings: IntervalPostings
  start = -1
  readonly gaps = 0
  #left = 0

  constructor(postings: IntervalPostings) {
    this.#postings = postings
  }

  get end(): number {
    return this.start
  }

  open(docId: number): boolean {
    const postings = this.#postings
    this.start = -1
    if (postings.docId() < docId) postings.advance(docId)
    this.#left = postings.docId() === docId ? postings.freq() : 0
    return this.#left > 0
  }

  next(): number {
    if (this.#left === 0) return (this.start = NO_MORE_INTERVALS)
    this.#left--
    return (this.start = this.#postings.nextPosition())
  }
}
