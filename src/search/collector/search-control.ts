/**
 * State shared by the slices of one shard's search: hits counted, the score that the best known k
 * documents reach, and the stop flag.
 */
export interface SliceControl {
  /** Adds to the shared count and returns it, saturating at 2³¹−1. */
  addHits(count: number): number
  /** Lower bound of the k-th best score: lower scores are not competitive. */
  threshold(): number
  /** Raises the threshold to the k-th best score of one slice. */
  raiseThreshold(score: number): void
  /** Makes all slices stop at their next check. */
  stop(): void
  isStopped(): boolean
}

const MAX_HITS = 0x7fffffff

/** For slices that run one after another on one thread. */
export class OwnControl implements SliceControl {
  #hits = 0
  #threshold = 0
  #isStopped = false

  addHits(count: number): number {
    this.#hits = Math.min(this.#hits + count, MAX_HITS)
    return this.#hits
  }

  threshold(): number {
    return this.#threshold
  }

  raiseThreshold(score: number): void {
    if (score > this.#threshold) this.#threshold = Math.fround(score)
  }

  stop(): void {
    this.#isStopped = true
  }

  isStopped(): boolean {
    return this.#isStopped
  }
}

/**
 * Control of slices on threads: four words of shared memory, zeroed for each search of a shard.
 *
 *   word 0  hits counted so far, saturating at 2³¹−1
 *   word 1  the competitive score's float32 bits; scores are not negative, so that integers
 *           compare as floats do
 *   word 2  not 0: stop (cancelled, or another slice failed)
 *   word 3  0
 *
 * The words behind them belong to the work list (`parallel/work-list.ts`).
 */
export const CONTROL_WORDS = 4

const HITS = 0
const THRESHOLD = 1
const STOP = 2

const floats = new Float32Array(1)
const ints = new Int32Array(floats.buffer)

/** The control of slices on threads, over shared words. */
export class SearchControl implements SliceControl {
  readonly #words: Int32Array

  /** @param words `CONTROL_WORDS` zeroed words, in shared memory when threads share them */
  constructor(words: Int32Array = new Int32Array(CONTROL_WORDS)) {
    this.#words = words
  }

  addHits(count: number): number {
    const before = Atomics.add(this.#words, HITS, count)
    const after = before + count
    if (before >= 0 && after <= MAX_HITS) return after
    Atomics.store(this.#words, HITS, MAX_HITS)
    return MAX_HITS
  }

  threshold(): number {
    ints[0] = Atomics.load(this.#words, THRESHOLD)
    return floats[0]!
  }

  raiseThreshold(score: number): void {
    floats[0] = score
    const bits = ints[0]!
    let seen = Atomics.load(this.#words, THRESHOLD)
    while (seen < bits) {
      const found = Atomics.compareExchange(this.#words, THRESHOLD, seen, bits)
      if (found === seen) return
      seen = found
    }
  }

  stop(): void {
    Atomics.store(this.#words, STOP, 1)
  }

  isStopped(): boolean {
    return Atomics.load(this.#words, STOP) !== 0
  }
}
