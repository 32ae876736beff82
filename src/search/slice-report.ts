/** What a slice took as production runs it, read at the edges of its phases alone. */
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
 * Where a slice's time went, nanoseconds: filling the records of clauses and making sets of documents;
 * in the kernels until the first look at what others found, which is when a score is known that enough
 * documents reach; from there to the end of the leaf, which is all of it for the iterators; and putting
 * together what the leaves gave.
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

/** The same, with where it ran and what ran it. */
export interface SliceRecord extends SliceReading {
  readonly sliceId: number
  /** Number of the thread that ran it; −1: the caller's own. */
  readonly worker: number
  /** When it was handed over, on the common clock. */
  readonly queued: number
  /** `kernels`, or why the iterators ran it. */
  readonly executor: string
}

/** Hears of a slice while it runs. */
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

  /** @param phase `search` where nothing is to be prepared */
  beginLeaf(part: LeafPart, phase: 'prepare' | 'search'): void {
    this.#part = part
    this.#enter(phase)
  }

  /** A kernel is about to be called. */
  beginCall(): void {
    this.#enter('prime')
  }

  /** A kernel looks at what others found, for the first time or again. */
  look(): void {
    if (this.#phase === 'prime') this.#enter('search')
  }

  /** What follows is searching, whatever kernels it calls. */
  beginSearch(): void {
    this.#enter('search')
  }

  /** @param counters of the slice, all its leaves so far together */
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
