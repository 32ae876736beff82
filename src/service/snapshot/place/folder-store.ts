import type { Directory } from '../../../store/directory.ts'
import type { FileList, FileStore, FillFile, StoredFileReader } from './file-store.ts'

/** The files of a folder of the file system. */
export class FolderStore implements FileStore {
  readonly pieceBytes: number = 1 << 20
  readonly isListed: boolean = true
  readonly #directory: Directory

  constructor(directory: Directory) {
    this.#directory = directory
  }

  /** Lengths are those of the moment in which they are asked for. */
  async list(): Promise<FileList> {
    return { names: this.#directory.list(), lengthOf: name => this.#directory.length(name) }
  }

  async read(name: string): Promise<Uint8Array> {
    return this.#directory.read(name)
  }

  async open(name: string): Promise<StoredFileReader> {
    return this.#directory.open(name)
  }

  async write(name: string, unfinished: string, fill: FillFile): Promise<void> {
    try {
      const out = this.#directory.openWritable(unfinished)
      try {
        await fill((offset, bytes) => out.writeLater(offset, bytes))
        await out.sync()
      } finally {
        out.close()
      }
      this.#directory.rename(unfinished, name)
    } catch (error) {
      // The first failure is told; the file is garbage if it cannot be deleted either.
      tryTo(() => this.#directory.delete(unfinished))
      throw error
    }
  }

  async delete(name: string): Promise<void> {
    this.#directory.delete(name)
  }

  async sync(): Promise<void> {
    this.#directory.syncFolder()
  }
}

function tryTo(step: () => void): void {
  try {
    step()
  } catch {
    // Another failure is told already.
  }
}
