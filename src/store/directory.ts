/**
 * The directory of a store's files. All file access of the engine goes through this interface, so
 * that tests can fail any call and lose unsynced data. Names are plain file names in one folder.
 *
 * Calls are synchronous: they run on write and merge threads, and on the coordinating thread only
 * for small files and for reads that would block a search anyway.
 */
export interface Directory {
  /**
   * Writes a new file of exactly these bytes. Does not sync it.
   * @throws when a file of that name exists, or when a write fails: the partial file is then
   *   deleted
   */
  write(name: string, bytes: Uint8Array): void
  /** Makes files durable against power loss. A failure is final: never retried. */
  sync(names: readonly string[]): void
  /** Renames a file, replacing any file of the new name. */
  rename(from: string, to: string): void
  /** Makes the folder's creations, renames and deletions durable against power loss. */
  syncFolder(): void
  /** Names of all files, sorted. */
  list(): string[]
  /** Length of a file in bytes, or −1 when there is none. */
  length(name: string): number
  /** A whole small file. */
  read(name: string): Uint8Array
  /** Opens a file for random-access reads; to be closed. */
  open(name: string): RandomAccessFile
  /** Opens a file for random-access writes, created empty if missing; to be closed. */
  openWritable(name: string): WritableFile
  /** Deletes a file; a missing one is no error. */
  delete(name: string): void
}

/** A file open for random-access writes: a log, or the checkpoint beside it. */
export interface WritableFile {
  /**
   * Fills `target` from `offset` on.
   * @throws {RangeError} when the file ends first
   */
  readInto(offset: number, target: Uint8Array): void
  /** Writes all of the bytes at an offset. Does not sync them. */
  writeAt(offset: number, bytes: Uint8Array): void
  /** The same without blocking the thread; the bytes stay as they are until it resolves. */
  writeLater(offset: number, bytes: Uint8Array): Promise<void>
  /** Truncates the file to a length up to its own. Does not sync that. */
  truncate(length: number): void
  /**
   * Makes all earlier writes durable against power loss, without blocking the thread. A failure is
   * final: never retried.
   */
  sync(): Promise<void>
  close(): void
}

/** A file open for random-access reads. */
export interface RandomAccessFile {
  readonly length: number
  /**
   * Fills `target` from `offset` on; the target may lie in shared memory.
   * @throws {RangeError} when the file ends first
   */
  readInto(offset: number, target: Uint8Array): void
  /** The same without blocking the thread; to be closed only once it has settled. */
  readLater(offset: number, target: Uint8Array): Promise<void>
  close(): void
}

/** Reads `length` bytes of an open file into a new buffer. */
export function readAt(file: RandomAccessFile, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  file.readInto(offset, bytes)
  return bytes
}
