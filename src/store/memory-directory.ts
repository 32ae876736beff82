import type { Directory, RandomAccessFile, WritableFile } from './directory.ts'

/** A file's bytes; open files keep them after the name is deleted. */
interface MemoryFile {
  bytes: Uint8Array
}

/** Files in memory: the store of a database that was opened without a folder. */
export class MemoryDirectory implements Directory {
  readonly #files = new Map<string, MemoryFile>()

  write(name: string, bytes: Uint8Array): void {
    if (this.#files.has(name)) throw new Error(`file [${name}] exists`)
    this.#files.set(name, { bytes })
  }

  sync(names: readonly string[]): void {
    for (const name of names) this.#get(name)
  }

  rename(from: string, to: string): void {
    const file = this.#get(from)
    this.#files.delete(from)
    this.#files.set(to, file)
  }

  syncFolder(): void {}

  list(): string[] {
    return [...this.#files.keys()].sort()
  }

  length(name: string): number {
    return this.#files.get(name)?.bytes.length ?? -1
  }

  read(name: string): Uint8Array {
    return this.#get(name).bytes
  }

  open(name: string): RandomAccessFile {
    const file = this.#get(name)
    const { length } = file.bytes
    return {
      length,
      readInto: (offset, target) => readInto(file, offset, target),
      readLater: async (offset, target) => readInto(file, offset, target),
      close() {},
    }
  }

  openWritable(name: string): WritableFile {
    const file = this.#files.get(name) ?? { bytes: new Uint8Array(0) }
    this.#files.set(name, file)
    const resize = (length: number): void => {
      if (file.bytes.length === length) return
      const resized = new Uint8Array(length)
      resized.set(file.bytes.subarray(0, length))
      file.bytes = resized
    }
    const writeAt = (offset: number, bytes: Uint8Array): void => {
      resize(Math.max(file.bytes.length, offset + bytes.length))
      file.bytes.set(bytes, offset)
    }
    return {
      readInto: (offset, target) => readInto(file, offset, target),
      writeAt,
      writeLater: async (offset, bytes) => writeAt(offset, bytes),
      truncate: resize,
      sync: () => Promise.resolve(),
      close() {},
    }
  }

  delete(name: string): void {
    this.#files.delete(name)
  }

  #get(name: string): MemoryFile {
    const file = this.#files.get(name)
    if (file === undefined) throw new Error(`no file [${name}]`)
    return file
  }
}

function readInto({ bytes }: MemoryFile, offset: number, target: Uint8Array): void {
  if (offset + target.length > bytes.length)
    throw new RangeError(`the file ends at ${bytes.length}`)
  target.set(bytes.subarray(offset, offset + target.length))
}
