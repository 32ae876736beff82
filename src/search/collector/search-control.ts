/**
 * What the slices of one shard's search share while they run: how many hits they have counted, the
 * score that the best known k documents reach, and whether anybody wants them to stop. Four words
 * of shared memory, made fresh (zeroed) for each search of a shard.
 *
 *   word 0  hits counted so far, saturating at 2³¹−1
 *   word 1  the competitive score's float32 bits; scores are not negative, so that integers
 *           compare as floats do
 *   word 2  not 0: stop (cancelled, or another slice failed)
 *   word 3  0
 *
 * The words behind them belong to whoever hands out the work (`parallel/work-list.ts`).
 */
export const CONTROL_WORDS = 4

const HITS = 0
const THRESHOLD = 1
const STOP = 2

const floats = new Float32Array(1)
const ints = new Int32Array(floats.buffer)

export class SearchControl {
  readonly #words: Int32Array

  /** @param words `CONTROL_WORDS` zeroed words, in shared memory where threads share them */
  constructor(words: Int32Array = new Int32Array(CONTROL_WORDS)) {
    this.#words = words
  }

  /** Adds to the counted hits and returns how many all slices have counted. */
  addHits(count: number): number {
    const before = Atomics.add(this.#words, HITS, count)
    const after = before + count
    if (before >= 0 && after <= 0x7fffffff) return after
    Atomics.store(this.#words, HITS, 0x7fffffff)
    return 0x7fffffff
  }

  hits(): number {
    return Atomics.load(this.#words, HITS)
  }

  /** A score that k documents are known to reach: what is below cannot be a hit. */
  threshold(): number {
    ints[0] = Atomics.load(this.#words, THRESHOLD)
    return floats[0]!
  }

  /** Raises the threshold to a score that k documents of one slice reach. */
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

  /** Makes all slices stop at their next check. */
  stop(): void {
    Atomics.store(this.#words, STOP, 1)
  }

  isStopped(): boolean {
    return Atomics.load(this.#words, STOP) !== 0
  }
}

/** The least float32 above a score that is not negative. */
export function nextFloat(score: number): number {
  floats[0] = score
  ints[0] = ints[0]! + 1
  return floats[0]!
}
