/**
 * The shared work list of a search: idle threads take parts of leaves in order by incrementing one
 * word of the search's control record. Which thread searches which part varies; the results do not.
 */
import type { LeafPart } from '../search/collector/collect-spec.ts'

/** Word of the control record: number of parts taken. The words before it are `SearchControl`'s. */
const TAKEN = 4

/** The parts of one search; each thread has an instance over the same control record. */
export class WorkList {
  readonly #words: Int32Array
  readonly #parts: readonly LeafPart[]

  /** @param words the search's control record */
  constructor(words: Int32Array, parts: readonly LeafPart[]) {
    this.#words = words
    this.#parts = parts
  }

  get isExhausted(): boolean {
    return Atomics.load(this.#words, TAKEN) >= this.#parts.length
  }

  /** Takes the next part; null when none is left. */
  take(): LeafPart | null {
    if (this.isExhausted) return null
    return this.#parts[Atomics.add(this.#words, TAKEN, 1)] ?? null
  }
}

/**
 * The parts that one thread takes, as runs: documents ascend within a run, as collectors require. A
 * run ends when no part is left, when the next part is before the last one, or when the thread must
 * yield; it has at least one part if any is left.
 */
export class TakenParts implements Iterable<LeafPart> {
  readonly #work: WorkList
  readonly #shallPause: () => boolean
  /** Taken, for the next run. */
  #pending: LeafPart | null = null
  #last: LeafPart | null = null
  #hasPaused = false

  constructor(work: WorkList, shallPause: () => boolean) {
    this.#work = work
    this.#shallPause = shallPause
  }

  /** Whether a taken part awaits its run. */
  get hasPending(): boolean {
    return this.#pending !== null
  }

  /** Whether the thread yielded with possible work left. */
  get hasPaused(): boolean {
    return this.#hasPaused
  }

  *[Symbol.iterator](): Generator<LeafPart> {
    let last: LeafPart | null = null
    for (;;) {
      const part = this.#next()
      if (part === null) return
      if (last !== null && isBefore(part, last)) {
        this.#pending = part
        return
      }
      this.#last = last = part
      yield part
    }
  }

  #next(): LeafPart | null {
    const pending = this.#pending
    if (pending !== null) {
      this.#pending = null
      return pending
    }
    if (this.#last !== null && this.#shallPause()) {
      this.#hasPaused = true
      return null
    }
    return this.#work.take()
  }
}

function isBefore(a: LeafPart, b: LeafPart): boolean {
  return a.leafOrd < b.leafOrd || (a.leafOrd === b.leafOrd && a.minDoc < b.minDoc)
}
