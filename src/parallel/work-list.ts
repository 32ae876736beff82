/**
 * The work of a search that several threads share: parts of leaves, which whoever is idle takes, one
 * after another, by raising one word of the search's control record. Nobody knows beforehand who will
 * search what, and nothing that is found depends on it.
 */
import type { LeafPart } from '../search/collector/collect-spec.ts'

/** Word of the control record: how many parts were taken. The words before it are `SearchControl`'s. */
const TAKEN = 4

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
 * The parts that one thread takes, run by run: within a run documents rise, as those who collect hits
 * expect. A run ends when no part is left, when the next one lies before the last, or when the thread
 * shall make room for others; it always has a part if there is one.
 */
export class TakenParts implements Iterable<LeafPart> {
  readonly #work: WorkList
  readonly #shallPause: () => boolean
  /** Taken, and of the next run. */
  #pending: LeafPart | null = null
  #last: LeafPart | null = null
  #hasPaused = false

  constructor(work: WorkList, shallPause: () => boolean) {
    this.#work = work
    this.#shallPause = shallPause
  }

  /** Whether a part was taken that no run has had. */
  get hasPending(): boolean {
    return this.#pending !== null
  }

  /** Whether the thread stopped for others while there may have been work. */
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
