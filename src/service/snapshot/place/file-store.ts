/** Where files of a repository lie: none of them is ever changed, and a name tells a whole file. */

/** The files of a store at one moment. */
export interface FileList {
  readonly names: readonly string[]
  /** Length of a file in bytes; −1 without one. */
  lengthOf(name: string): number
}

/** A file that is open for reads. */
export interface StoredFileReader {
  /**
   * Fills `target` from `offset` on.
   * @throws {RangeError} when the file ends first
   */
  readLater(offset: number, target: Uint8Array): Promise<void>
  /** Ends a read under way, which fails; absent: reads are soon over. */
  giveUp?(): void
  close(): void
}

/** Takes the content of a file in order; the bytes are the caller's again once it has resolved. */
export type FillFile = (
  write: (offset: number, bytes: Uint8Array) => Promise<void>,
) => Promise<void>

/** A folder of files, or what stands for one. */
export interface FileStore {
  /** Length of a piece that is worth a request, bytes. */
  readonly pieceBytes: number
  /** False: a file can only be read by its name, and none is ever written. */
  readonly isListed: boolean
  list(): Promise<FileList>
  /**
   * A whole small file.
   * @param maxBytes the longest that a server may answer with that is not trusted; absent: that of any file
   */
  read(name: string, maxBytes?: number): Promise<Uint8Array>
  /** Opens a file, to be closed. */
  open(name: string): Promise<StoredFileReader>
  /**
   * Makes a file whose content is durable before its name is there. A failure leaves nothing of it, or a file of the
   * name `unfinished`.
   */
  write(name: string, unfinished: string, fill: FillFile): Promise<void>
  /** Deletes a file; a missing one is no error. */
  delete(name: string): Promise<void>
  /** Makes all names, and their absence, durable. */
  sync(): Promise<void>
}

/** The stores of one repository. */
export interface RepositoryStores {
  /** The same for every registration that leads there. */
  readonly id: string
  /** Roots and snapshots. */
  readonly files: FileStore
  /** Blobs, of which there may be very many. */
  readonly blobs: FileStore
}
