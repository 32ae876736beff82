/**
 * Where a store's files live. All file access of the engine goes through this interface, so that
 * tests can fail any call and lose what was not synced. Names are plain file names of the one folder.
 *
 * Calls are synchronous: they run in write and merge threads, and on the coordinating thread only
 * for small files and for reads that would block a search anyway.
 */
export interface Directory {
  /**
   * Writes a new file of exactly these bytes. Does not sync it.
   * @throws when a file of that name exists, or when not every byte could be written: the part
   *   that was is then deleted
   */
  write(name: string, bytes: Uint8Array): void
  /** Makes a file's bytes survive a power loss. A failure is final: never retried. */
  sync(names: readonly string[]): void
  /** Renames a file over any that has the new name. */
  rename(from: string, to: string): void
  /** Makes creations, renames and deletions of the folder survive a power loss. */
  syncFolder(): void
  /** Names of all files, sorted. */
  list(): string[]
  /** Length of a file in bytes, or −1 when there is none. */
  length(name: string): number
  /** A whole small file. */
  read(name: string): Uint8Array
  /** Opens a file for reads at places; to be closed. */
  open(name: string): RandomAccessFile
  /** Opens a file to be written at places, made empty when it is not there; to be closed. */
  openWritable(name: string): WritableFile
  /** Deletes a file; one that is not there is no error. */
  delete(name: string): void
}

/** An open file that is written at places: a log, or the checkpoint beside it. */
export interface WritableFile {
  /**
   * Fills `target` from `offset` on.
   * @throws {RangeError} when the file ends before
   */
  readInto(offset: number, target: Uint8Array): void
  /** Writes all of the bytes at an offset. Does not sync them. */
  writeAt(offset: number, bytes: Uint8Array): void
  /** Cuts the file to a length that is not above its own. Does not sync that. */
  truncate(length: number): void
  /**
   * Makes everything that was written before the call survive a power loss, without holding up the
   * thread. A failure is final: never retried.
   */
  sync(): Promise<void>
  close(): void
}

/** An open file that is read at places. */
export interface RandomAccessFile {
  readonly length: number
  /**
   * Fills `target` from `offset` on; the target may lie in shared memory.
   * @throws {RangeError} when the file ends before
   */
  readInto(offset: number, target: Uint8Array): void
  close(): void
}

/** Reads `length` bytes of an open file into memory of their own. */
export function readAt(file: RandomAccessFile, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  file.readInto(offset, bytes)
  return bytes
}
