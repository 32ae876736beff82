/**
 * A timer of calls that are cheaper than reading the clock twice: counts are exact, times are
 * sampled and extrapolated. State and extrapolation are those of OpenSearch's timer; the
 * differences, because an empty timed pair costs more than most of the calls it measures:
 *
 *   calibration  the time of an empty pair is subtracted from every measured call, floor 1 ns
 *   gaps         the first 16 calls are measured, then one in min(max(⌊count/16⌋, 1), 1024),
 *                the gaps jittered around that by up to half, so that a period in the data never
 *                coincides with the sampler's
 *   batches      in calls that process a batch, the batch is measured each time, and only the rest of
 *                the call is sampled
 *
 * `reference` restores OpenSearch's own rule: a call is measured once min(⌊lastCount/256⌋, 1024)
 * calls have passed unmeasured, and nothing is subtracted. `unsampled` measures every call, with
 * the calibration subtracted: the baseline of the others.
 */
import { nowInNanos } from '../util/clock.ts'
import { Random } from '../util/random.ts'

/** Selects the calls that are measured. */
export type SamplingMode = 'calibrated' | 'reference' | 'unsampled'

/** All modes, as `lamella.profile.sampling` names them. */
export const SAMPLING_MODES: readonly SamplingMode[] = ['calibrated', 'reference', 'unsampled']

/** A timer's readings as plain data; all 0 without calls. */
export interface TimerReading {
  /** Start of the first call. */
  readonly start: number
  /** Total time of the calls, extrapolated. */
  readonly time: number
  readonly count: number
}

const FIRST_MEASURED = 16
const MAX_GAP = 1024
/** Mask of indices in the jitter table, which all timers of a thread share. */
const JITTER_MASK = 255
const jitter = new Float64Array(JITTER_MASK + 1)
const random = new Random(20_240_229)
for (let i = 0; i <= JITTER_MASK; i++) jitter[i] = 0.5 + random.next()
let jitterAt = 0

const NO_BATCHES = { total: 0 }

const CALIBRATION_PAIRS = 255
/**
 * Pairs read before the first calibration: interpreted code takes 100 ns where compiled code takes
 * 30, and with that subtracted all cheap calls of the next minute would read 1 ns.
 */
const WARM_UP_PAIRS = 8192
const CALIBRATION_AGE = 60e9
let overhead = -1
let calibratedAt = 0

/**
 * Measures an empty timed pair on this thread, the median of 255, unless that was done within a
 * minute. Takes up to a millisecond the first time, so it is called outside timed code: when a
 * thread starts, and before or after a profiled search.
 */
export function calibrate(): void {
  const now = nowInNanos()
  if (overhead >= 0 && now - calibratedAt < CALIBRATION_AGE) return
  if (overhead < 0) emptyPairs(WARM_UP_PAIRS)
  const readings = emptyPairs(CALIBRATION_PAIRS).sort()
  overhead = readings[CALIBRATION_PAIRS >>> 1]!
  calibratedAt = now
}

/** The last calibrated time of an empty timed pair on this thread, nanoseconds. */
export function calibratedOverhead(): number {
  if (overhead < 0) calibrate()
  return overhead
}

function emptyPairs(count: number): Float64Array {
  const readings = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const start = nowInNanos()
    readings[i] = nowInNanos() - start
  }
  return readings
}

/** Counts calls and samples their times. */
export class Timer {
  #timing = 0
  #count = 0
  /** The count at the last measured call. */
  #lastCount = 0
  /** The count at which the next call is measured. */
  #nextMeasured = 0
  #start = 0
  #earliest = 0
  readonly #overhead: number
  readonly #mode: SamplingMode
  readonly #now: () => number
  readonly #batches: { readonly total: number }
  /** Total of batches at the start of the call, and the time of batches within all calls. */
  #batchesBefore = 0
  #inBatches = 0

  /**
   * @param now the clock, in whole nanoseconds; never 0
   * @param batches its total grows by each finished batch
   */
  constructor(
    mode: SamplingMode,
    subtract: number,
    now: () => number = nowInNanos,
    batches: { readonly total: number } = NO_BATCHES,
  ) {
    this.#batches = batches
    this.#mode = mode
    this.#overhead = mode === 'reference' ? 0 : subtract
    this.#now = now
  }

  start(): void {
    this.#batchesBefore = this.#batches.total
    const count = this.#count++
    if (count < this.#nextMeasured) return
    const now = this.#now()
    this.#start = now
    if (count === 0) this.#earliest = now
  }

  stop(): void {
    const inBatches = this.#batches.total - this.#batchesBefore
    this.#inBatches += inBatches
    if (this.#start === 0) return
    const elapsed = this.#now() - this.#start - this.#overhead - inBatches
    const count = this.#count
    this.#timing += (count - this.#lastCount) * Math.max(elapsed, 1)
    this.#lastCount = count
    this.#start = 0
    this.#nextMeasured = count + gapAfter(count, this.#mode)
  }

  reading(): TimerReading {
    // An exception left the last call: its search was stopped.
    if (this.#start !== 0) this.stop()
    const count = this.#count
    const last = this.#lastCount
    const time =
      count === last
        ? this.#timing
        : this.#timing + Math.floor(((count - last) * this.#timing) / last)
    return { start: this.#earliest, time: time + this.#inBatches, count }
  }
}

/** Number of calls to skip after the measured call with ord `count`. */
function gapAfter(count: number, mode: SamplingMode): number {
  if (mode === 'unsampled') return 0
  return mode === 'reference' ? Math.min(count >>> 8, MAX_GAP) : jitteredGap(count)
}

function jitteredGap(count: number): number {
  if (count < FIRST_MEASURED) return 0
  const every = Math.min(Math.max(count >>> 4, 1), MAX_GAP)
  if (every === 1) return 0
  jitterAt = (jitterAt + 1) & JITTER_MASK
  // Not capped: gaps that reach one length would fall into step with a period again.
  return Math.max(0, Math.floor(every * jitter[jitterAt]!) - 1)
}
