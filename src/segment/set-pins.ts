/** A set of documents that is kept in memory while it is pinned. */
export interface Pinnable {
  /** Searches on other threads that use it. */
  pins: number
}

/** The sets that one search on other threads uses; to be released once. */
export class SetPins {
  readonly #held: Pinnable[] = []

  /** For the caches of sets. */
  add(set: Pinnable): void {
    set.pins++
    this.#held.push(set)
  }

  release(): void {
    for (const set of this.#held.splice(0)) set.pins--
  }
}
