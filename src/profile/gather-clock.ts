import type { GatherNotes, GatherTimer } from '../search/collector/gather.ts'
import type { GatherReading } from './slice-profile.ts'
import { AGGREGATION_TIMING_TYPES } from './timing-types.ts'

/** Times every call: calls are for whole batches, and cost more than the clock. */
export class GatherClock implements GatherTimer {
  readonly #now: () => number
  readonly #starts: number[] = AGGREGATION_TIMING_TYPES.map(() => 0)
  readonly #times: number[] = AGGREGATION_TIMING_TYPES.map(() => 0)
  readonly #counts: number[] = AGGREGATION_TIMING_TYPES.map(() => 0)
  /** Start of the call that runs. */
  readonly #running: number[] = AGGREGATION_TIMING_TYPES.map(() => 0)
  #notes: GatherNotes = {}

  constructor(now: () => number) {
    this.#now = now
  }

  start(call: number): void {
    const now = this.#now()
    this.#running[call] = now
    if (this.#starts[call] === 0) this.#starts[call] = now
  }

  stop(call: number, count: number): void {
    // A call takes at least a nanosecond, however coarse the clock.
    const took = Math.max(1, this.#now() - this.#running[call]!)
    this.#times[call] = this.#times[call]! + took
    this.#counts[call] = this.#counts[call]! + count
  }

  note(notes: GatherNotes): void {
    this.#notes = notes
  }

  reading(): GatherReading {
    const calls = this.#starts.map((start, call) => ({
      start,
      time: this.#times[call]!,
      count: this.#counts[call]!,
    }))
    return { calls, notes: this.#notes }
  }
}
