import type { LogPlace } from '../store/translog/translog.ts'

/** The newest operation on an id that no segment holds yet, or its delete. */
export interface VersionEntry {
  readonly seqNo: number
  readonly primaryTerm: number
  readonly version: number
  /** False after a delete. */
  readonly exists: boolean
  /** The document's slot in the buffer; −1 after a delete. */
  readonly slot: number
  readonly place: LogPlace
  /** When it was deleted, in milliseconds of `Date.now`; 0 otherwise. */
  readonly deletedAt: number
}

/**
 * Ids whose newest operation lies in the buffer, and deletes that are still remembered so that a
 * late write of an older version is refused and re-creation counts on.
 */
export class VersionMap {
  #buffered = new Map<string, VersionEntry>()
  /** Deletes whose effect is in the segments already, in order of time. */
  readonly #tombstones = new Map<string, VersionEntry>()

  get(id: string): VersionEntry | undefined {
    const entry = this.#buffered.get(id)
    if (entry !== undefined || this.#tombstones.size === 0) return entry
    return this.#tombstones.get(id)
  }

  set(id: string, entry: VersionEntry): void {
    this.#buffered.set(id, entry)
    if (this.#tombstones.size > 0) this.#tombstones.delete(id)
  }

  /** The newest document of the id lies in a segment. */
  forget(id: string): void {
    this.#buffered.delete(id)
    this.#tombstones.delete(id)
  }

  /** Ids whose newest operation lies in the buffer. */
  get size(): number {
    return this.#buffered.size
  }

  /**
   * The buffer became a segment, which is asked from now on.
   * @param forgetBefore deletes older than this moment are forgotten
   */
  sealed(forgetBefore: number): void {
    for (const [id, entry] of this.#buffered) if (!entry.exists) this.#tombstones.set(id, entry)
    this.#buffered = new Map()
    for (const [id, entry] of this.#tombstones) {
      if (entry.deletedAt >= forgetBefore) break
      this.#tombstones.delete(id)
    }
  }
}
