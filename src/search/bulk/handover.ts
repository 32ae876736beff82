import type { Leaf } from '../../segment/leaf.ts'
import type { CollectSpec } from '../collector/collect-spec.ts'
import type { SliceState } from '../collector/collector.ts'
import type { SharedScratch } from './bulk-scratch.ts'
import type { ScoreHits } from './score-hits.ts'

/** How a kernel gives matches to its slice. */
export interface Handover {
  /** Whether the kernel must have the scores of matches. */
  readonly takesScores: boolean
  /** Whether nothing but the number of matches is asked. */
  readonly countsOnly: boolean
  /** The score that matches must exceed to be given; 0: all are. */
  threshold(): number
  /** Whether the kernel counts matches, those below the threshold too. */
  counts(): boolean
  /** Takes what a kernel has written to its plan since the last time. */
  take(leaf: Leaf, shared: SharedScratch): void
}

/** A kernel sets the bits of all matches. */
export const BITS_HANDOVER: Handover = {
  takesScores: false,
  countsOnly: false,
  threshold: () => 0,
  counts: () => true,
  take() {},
}

/** A kernel counts the matches and keeps the best hits. */
export class HitsHandover implements Handover {
  readonly takesScores = true
  readonly countsOnly: boolean
  readonly #hits: ScoreHits
  readonly #state: SliceState
  readonly #hasBatches: boolean
  /** Whether matches are counted apart from the search for hits. */
  countsApart = false

  /** @param hasBatches all matches are handed over in batches, and counted there */
  constructor(
    hits: ScoreHits,
    state: SliceState,
    { topCount, minScore }: Pick<CollectSpec, 'topCount' | 'minScore'>,
    hasBatches: boolean,
  ) {
    this.countsOnly = topCount === 0 && minScore === null
    this.#hits = hits
    this.#state = state
    this.#hasBatches = hasBatches
  }

  /** Of other slices too. */
  threshold(): number {
    return this.#state.control.threshold()
  }

  counts(): boolean {
    return !(this.#state.isPastLimit() || this.#hasBatches || this.countsApart)
  }

  /** Counts what a kernel has counted, in whatever way it hands over, unless that is counted elsewhere. */
  countMany(count: number): void {
    if (count > 0 && !this.#hasBatches && !this.countsApart) this.#state.countMany(count)
  }

  take({ views }: Leaf, { plan }: SharedScratch): void {
    const reached = this.#hits.hear(views, plan)
    if (reached >= 0) this.#state.control.raiseThreshold(reached)
  }
}
