import type { LogLocation } from '../store/translog/translog.ts'
import type { Long } from '../util/long.ts'

/** The newest operation on an id that no segment holds yet, or its delete. */
export interface VersionEntry {
  readonly seqNo: number
  readonly primaryTerm: number
  readonly version: Long
  /** False after a delete. */
  readonly exists: boolean
  /** The document's slot in the buffer; −1 after a delete. */
  readonly slot: number
  readonly location: LogLocation
  /** Time of the delete, milliseconds of `Date.now`; 0 otherwise. */
  readonly deletedAt: number
}

/** An entry of a map: the record of seven numbers, its id as a string, its slot in the table. */
const ENTRY_BYTES = 160

/**
 * Ids whose newest operation is in the buffer, and tombstones of deletes, by which late writes of
 * older versions are rejected and re-creation counts on.
 */
export class VersionMap {
  #buffered = new Map<string, VersionEntry>()
  /** Deletes that segments reflect already, oldest first. */
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

  /** Removes an id whose newest document is in a segment. */
  forget(id: string): void {
    this.#buffered.delete(id)
    this.#tombstones.delete(id)
  }

  /** Number of ids whose newest operation is in the buffer. */
  get size(): number {
    return this.#buffered.size
  }

  /** Bytes of both maps, ids taken for 20 characters. */
  get estimatedBytes(): number {
    return (this.#buffered.size + this.#tombstones.size) * ENTRY_BYTES
  }

  /**
   * The buffer became a segment, which is searched from now on.
   * @param forgetBefore deletes older than this time are forgotten
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
