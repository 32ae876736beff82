/** New requests taken before a preempted one while both wait. */
const FRESH_IN_A_ROW = 3

/**
 * Two FIFO queues for the search threads: new requests before preempted ones, so that a cheap request
 * waits for one part of a long search at most. Every fourth slot goes to a preempted one, so that long
 * searches do not starve.
 */
export class FairQueue<T> {
  readonly #fresh: T[] = []
  readonly #continued: T[] = []
  #inARow = 0

  get length(): number {
    return this.#fresh.length + this.#continued.length
  }

  /** Whether a request waits that has not run before. */
  get hasNew(): boolean {
    return this.#fresh.length > 0
  }

  /** @param hasRun whether the item was preempted */
  push(item: T, hasRun: boolean): void {
    const list = hasRun ? this.#continued : this.#fresh
    list.push(item)
  }

  /** Takes the next item; undefined when the queue is empty. */
  take(): T | undefined {
    const isFresh =
      this.#fresh.length > 0 && (this.#continued.length === 0 || this.#inARow < FRESH_IN_A_ROW)
    this.#inARow = isFresh ? this.#inARow + 1 : 0
    return isFresh ? this.#fresh.shift() : this.#continued.shift()
  }

  /** @returns false when it does not wait any more */
  remove(item: T): boolean {
    for (const list of [this.#fresh, this.#continued]) {
      const at = list.indexOf(item)
      if (at < 0) continue
      list.splice(at, 1)
      return true
    }
    return false
  }

  /** Removes and returns all items. */
  drain(): T[] {
    return [...this.#fresh.splice(0), ...this.#continued.splice(0)]
  }
}
