import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Directory, RandomAccessFile } from './directory.ts'

/** Bytes of one write: Node takes no more than 2³¹ − 1. */
const MOST_WRITTEN = 2 ** 30

/** A folder of the file system. */
export class FsDirectory implements Directory {
  readonly path: string

  /** Makes the folder, readable by its owner alone, when it is not there. */
  constructor(path: string) {
    this.path = path
    mkdirSync(path, { recursive: true, mode: 0o700 })
  }

  write(name: string, bytes: Uint8Array): void {
    const path = join(this.path, name)
    const file = openSync(path, 'wx', 0o600)
    try {
      try {
        // A full disk first shows as a short write, and only the next call fails.
        for (let done = 0; done < bytes.length; )
          done += writeSync(file, bytes, done, Math.min(bytes.length - done, MOST_WRITTEN))
      } finally {
        closeSync(file)
      }
    } catch (error) {
      rmSync(path, { force: true })
      throw error
    }
  }

  sync(names: readonly string[]): void {
    for (const name of names) {
      const file = openSync(join(this.path, name), 'r+')
      try {
        fdatasyncSync(file)
      } finally {
        closeSync(file)
      }
    }
  }

  rename(from: string, to: string): void {
    renameSync(join(this.path, from), join(this.path, to))
  }

  syncFolder(): void {
    const folder = openSync(this.path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  }

  list(): string[] {
    return readdirSync(this.path, { withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => entry.name)
      .sort()
  }

  length(name: string): number {
    return statSync(join(this.path, name), { throwIfNoEntry: false })?.size ?? -1
  }

  read(name: string): Uint8Array {
    // A plain array: `slice` of a Buffer would be a view, not a copy.
    const { buffer, byteOffset, length } = readFileSync(join(this.path, name))
    return new Uint8Array(buffer, byteOffset, length)
  }

  open(name: string): RandomAccessFile {
    return new FsFile(openSync(join(this.path, name), 'r'))
  }

  delete(name: string): void {
    rmSync(join(this.path, name), { force: true })
  }
}

class FsFile implements RandomAccessFile {
  readonly length: number
  readonly #descriptor: number
  #isOpen = true

  constructor(descriptor: number) {
    this.#descriptor = descriptor
    this.length = fstatSync(descriptor).size
  }

  readInto(offset: number, target: Uint8Array): void {
    for (let done = 0; done < target.length; ) {
      const count = readSync(this.#descriptor, target, done, target.length - done, offset + done)
      if (count === 0)
        throw new RangeError(
          `the file ends at ${offset + done}, ${target.length - done} bytes short`,
        )
      done += count
    }
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#descriptor)
    this.#isOpen = false
  }
}
