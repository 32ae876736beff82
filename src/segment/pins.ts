/** Pins: what a search or a merge holds in memory until it ends. */

/** Pins of one search in memory; to be released once. */
export class Pins {
  #held: Pinned[] = []

  /**
   * Called by `SegmentMemory`. An object pinned by others in between may be pinned twice, and is
   * then released twice.
   */
  add(loaded: Pinned): void {
    if (loaded.pinner === this) return
    loaded.pinner = this
    loaded.pins++
    this.#held.push(loaded)
  }

  release(): void {
    for (const loaded of this.#held) {
      loaded.pins--
      if (loaded.pinner === this) loaded.pinner = null
    }
    this.#held = []
  }
}

/** An object that can be pinned. */
export interface Pinned {
  pins: number
  /** The last one to pin it, while it does. */
  pinner: Pins | null
}
