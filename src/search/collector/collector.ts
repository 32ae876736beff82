/** The collector protocol, and the state that one slice's collectors share. */
import type { Leaf } from '../../segment/leaf.ts'
import type { Scorer } from '../scorer/scorer.ts'
import type { SliceControl } from './search-control.ts'

/** Receives the matches of one leaf, documents ascending. */
export interface LeafCollector {
  /** Called before the first document; not called without matches. */
  setScorer(scorer: Scorer): void
  /** A match: the scorer is positioned on it. */
  collect(docId: number): void
}

/** Receives the matches of one slice, leaf by leaf in ascending order. */
export interface Collector {
  openLeaf(leaf: Leaf, leafOrd: number): LeafCollector
}

/**
 * State shared by the collectors and the loop of one slice: hits counted, whether blocks may be
 * skipped yet, and why to stop.
 */
export class SliceState {
  /** Matches counted by this slice. */
  hitCount = 0
  /** Set by a collector that has seen enough; the loop stops after the current document. */
  isDone = false
  terminatedEarly = false
  timedOut = false
  cancelled = false
  readonly control: SliceControl
  readonly #limit: number
  readonly #countsHits: boolean
  #unshared = 0
  #isPastLimit: boolean

  /**
   * @param limit hits are counted up to here; Infinity: all, −1: none
   * @param isKnown the total is known from statistics
   */
  constructor(control: SliceControl, limit: number, isKnown: boolean) {
    this.control = control
    this.#limit = limit
    this.#countsHits = limit >= 0 && !isKnown
    this.#isPastLimit = !this.#countsHits
  }

  count(): void {
    this.countMany(1)
  }

  countMany(matches: number): void {
    this.hitCount += matches
    this.#unshared += matches
    // One slice alone may exceed the limit: do not wait for the next tick.
    if (!this.#isPastLimit && this.hitCount > this.#limit) this.share()
  }

  /** Adds this slice's new counts to the shared counter. */
  share(): void {
    if (!this.#countsHits) return
    const hits = this.control.addHits(this.#unshared)
    this.#unshared = 0
    if (hits > this.#limit) this.#isPastLimit = true
  }

  /** True once skipping matches cannot change the reported total. */
  isPastLimit(): boolean {
    return this.#isPastLimit
  }
}
