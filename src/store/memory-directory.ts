import type { Directory, RandomAccessFile } from './directory.ts'

/** Files in memory: the store of a database that was opened without a folder. */
export class MemoryDirectory implements Directory {
  readonly #files = new Map<string, Uint8Array>()

  write(name: string, bytes: Uint8Array): void {
    if (this.#files.has(name)) throw new Error(`file [${name}] exists`)
    this.#files.set(name, bytes)
  }

  sync(names: readonly string[]): void {
    for (const name of names) this.#get(name)
  }

  rename(from: string, to: string): void {
    const bytes = this.#get(from)
    this.#files.delete(from)
    this.#files.set(to, bytes)
  }

  syncFolder(): void {}

  list(): string[] {
    return [...this.#files.keys()].sort()
  }

  length(name: string): number {
    return this.#files.get(name)?.length ?? -1
  }

  read(name: string): Uint8Array {
    return this.#get(name)
  }

  open(name: string): RandomAccessFile {
    const bytes = this.#get(name)
    return {
      length: bytes.length,
      readInto(offset, target) {
        if (offset + target.length > bytes.length)
          throw new RangeError(`the file ends at ${bytes.length}`)
        target.set(bytes.subarray(offset, offset + target.length))
      },
      close() {},
    }
  }

  delete(name: string): void {
    this.#files.delete(name)
  }

  #get(name: string): Uint8Array {
    const bytes = this.#files.get(name)
    if (bytes === undefined) throw new Error(`no file [${name}]`)
    return bytes
  }
}
