/** A slice's times and counters in production, read only at the edges of its phases. */
import { nowInNanos } from '../util/clock.ts'
import { type LeafPart, noCounts, type SliceCounters } from './collector/collect-spec.ts'

/** One leaf, or a range of one. */
export interface LeafReport {
  readonly leafOrd: number
  readonly minDoc: number
  readonly maxDoc: number
  readonly counters: SliceCounters
}

/**
 * Nanoseconds of a slice by phase: filling clause records and making document sets; in the kernels
 * until the first read of the shared results, when k documents are known to reach some score; from
 * there to the end of the leaf (all of the leaf for the iterators); and merging the leaves' hits.
 */
export interface SlicePhases {
  prepare: number
  prime: number
  search: number
  merge: number
}

/** A slice's report as plain data. The phases together are all of its time. */
export interface SliceReading {
  /** On the common clock. */
  readonly start: number
  readonly end: number
  readonly phases: Readonly<SlicePhases>
  readonly leaves: readonly LeafReport[]
}

/** A reading with the thread and the executor of the slice. */
export interface SliceRecord extends SliceReading {
  readonly sliceId: number
  /** Number of the thread that ran it; −1: the calling thread. */
  readonly worker: number
  /** When it was queued, on the common clock. */
  readonly queued: number
  /** `kernels`, or why the iterators ran it. */
  readonly executor: string
}

/** Measures one slice while it runs. */
export class SliceReport {
  readonly #start = nowInNanos()
  readonly #leaves: LeafReport[] = []
  readonly #times: SlicePhases = { prepare: 0, prime: 0, search: 0, merge: 0 }
  #phase: keyof SlicePhases = 'prepare'
  /** When the phase began. */
  #mark = this.#start
  /** The slice's counters when the current leaf was begun. */
  #before: SliceCounters = noCounts()
  #part: LeafPart | null = null

  /** @param phase `search` when there is nothing to prepare */
  beginLeaf(part: LeafPart, phase: 'prepare' | 'search'): void {
    this.#part = part
    this.#enter(phase)
  }

  /** A kernel is about to be called. */
  beginCall(): void {
    this.#enter('prime')
  }

  /** A kernel reads the shared results, for the first time or again. */
  look(): void {
    if (this.#phase === 'prime') this.#enter('search')
  }

  /** All that follows counts as search, whatever kernels it calls. */
  beginSearch(): void {
    this.#enter('search')
  }

  /** @param counters of the whole slice so far */
  endLeaf(counters: SliceCounters): void {
    this.#enter('merge')
    const { leafOrd, minDoc, maxDoc } = this.#part!
    this.#leaves.push({ leafOrd, minDoc, maxDoc, counters: difference(counters, this.#before) })
    this.#before = { ...counters }
  }

  finish(): SliceReading {
    this.#enter('merge')
    return { start: this.#start, end: this.#mark, phases: this.#times, leaves: this.#leaves }
  }

  #enter(phase: keyof SlicePhases): void {
    const now = nowInNanos()
    this.#times[this.#phase] += now - this.#mark
    this.#mark = now
    this.#phase = phase
  }
}

function difference(of: SliceCounters, from: SliceCounters): SliceCounters {
  return {
    blocksDecoded: of.blocksDecoded - from.blocksDecoded,
    blocksSkipped: of.blocksSkipped - from.blocksSkipped,
    runsSkipped: of.runsSkipped - from.runsSkipped,
    windows: of.windows - from.windows,
    postingsScored: of.postingsScored - from.postingsScored,
    positionsChecked: of.positionsChecked - from.positionsChecked,
    candidates: of.candidates - from.candidates,
  }
}
