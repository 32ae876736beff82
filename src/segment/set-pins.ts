/** A cached set of documents that can be pinned in memory. */
export interface Pinnable {
  /** Pins by searches on other threads. */
  pins: number
}

/** The pinned sets of one search on other threads; to be released once. */
export class SetPins {
  readonly #held: Pinnable[] = []

  /** Called by the caches of sets. */
  add(set: Pinnable): void {
    set.pins++
    this.#held.push(set)
  }

  release(): void {
    for (const set of this.#held.splice(0)) set.pins--
  }
}
