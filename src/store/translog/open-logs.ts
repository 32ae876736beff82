/** An object that keeps files open between uses. */
export interface FileHolder {
  /** Whether its files are in use now. */
  readonly isBusy: boolean
  closeFiles(): void
}

/** Max logs with open files, two or three each. */
const MAX_OPEN = 128

/**
 * LRU bound of the files that a node's logs keep open: with thousands of shards, the logs written
 * least recently close theirs.
 */
export class OpenLogs {
  /** Least recently used first. */
  readonly #open = new Set<FileHolder>()
  readonly #max: number

  constructor(max: number = MAX_OPEN) {
    this.#max = max
  }

  /** Called when a log is about to use its files. */
  use(log: FileHolder): void {
    this.#open.delete(log)
    this.#open.add(log)
    if (this.#open.size <= this.#max) return
    for (const oldest of this.#open) {
      if (oldest.isBusy || oldest === log) continue
      oldest.closeFiles()
      break
    }
  }

  /** Called when a log has closed its files. */
  forget(log: FileHolder): void {
    this.#open.delete(log)
  }
}
