/** What keeps files open between uses. */
export interface FileHolder {
  /** Files are in use right now. */
  readonly isBusy: boolean
  closeFiles(): void
}

/** How many logs keep their files open: each has two or three. */
const MOST_OPEN = 128

/**
 * Bounds the files that the logs of a node hold open: with thousands of shards, those that were not
 * written for longest let go of theirs.
 */
export class OpenLogs {
  /** In order of use. */
  readonly #open = new Set<FileHolder>()
  readonly #most: number

  constructor(most: number = MOST_OPEN) {
    this.#most = most
  }

  /** A log is about to use its files. */
  use(log: FileHolder): void {
    this.#open.delete(log)
    this.#open.add(log)
    if (this.#open.size <= this.#most) return
    for (const oldest of this.#open) {
      if (oldest.isBusy || oldest === log) continue
      oldest.closeFiles()
      break
    }
  }

  /** A log has closed its files. */
  forget(log: FileHolder): void {
    this.#open.delete(log)
  }
}
