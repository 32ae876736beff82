import {
  closeSync,
  constants,
  copyFileSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  read,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  write,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Directory, RandomAccessFile, WritableFile } from './directory.ts'
import { makeFolder } from './make-folder.ts'

const syncData = promisify(fdatasync)
const readBytes = promisify(read)
const writeBytes = promisify(write)

/** Max bytes of one write: Node's limit is 2³¹ − 1. */
const MAX_WRITTEN = 2 ** 30

/** Refusals of a link after which a copy may do: no links here, none over mounts, or no more of this file. */
const NO_LINKS = new Set(['EPERM', 'EXDEV', 'EMLINK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])

/** A folder of the file system. */
export class FsDirectory implements Directory {
  readonly path: string

  /** Opens the folder, created readable only by its owner if missing. */
  constructor(path: string) {
    this.path = path
    makeFolder(path)
  }

  write(name: string, bytes: Uint8Array): void {
    const path = join(this.path, name)
    const file = openSync(path, 'wx', 0o600)
    try {
      try {
        writeAll(file, bytes, null)
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

  openWritable(name: string): WritableFile {
    const flags = constants.O_RDWR | constants.O_CREAT
    return new FsWritableFile(openSync(join(this.path, name), flags, 0o600))
  }

  delete(name: string): void {
    rmSync(join(this.path, name), { force: true })
  }

  /**
   * Makes a file of another folder one of this folder too, replacing any file of the new name. Both names
   * lead to the same bytes, which nobody may change; where the file system has no such links, they
   * are copied. Does not sync it.
   */
  link(folder: string, name: string, as: string): void {
    const from = join(folder, name)
    const to = join(this.path, as)
    rmSync(to, { force: true })
    try {
      linkSync(from, to)
    } catch (error) {
      if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error
      try {
        copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
      } catch (failure) {
        rmSync(to, { force: true })
        throw failure
      }
    }
  }
}

/** Writes every byte: a full disk first causes a short write, and only the next call fails. */
function writeAll(descriptor: number, bytes: Uint8Array, offset: number | null): void {
  for (let done = 0; done < bytes.length; ) {
    const count = Math.min(bytes.length - done, MAX_WRITTEN)
    done += writeSync(descriptor, bytes, done, count, offset === null ? null : offset + done)
  }
}

function readAll(descriptor: number, offset: number, target: Uint8Array): void {
  for (let done = 0; done < target.length; ) {
    const count = readSync(descriptor, target, done, target.length - done, offset + done)
    if (count === 0) throw endsAt(offset + done, target.length - done)
    done += count
  }
}

class FsWritableFile implements WritableFile {
  readonly #descriptor: number
  #isOpen = true
  /** Number of syncs under way: the descriptor stays open until they end, as it could be reused. */
  #syncing = 0

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  readInto(offset: number, target: Uint8Array): void {
    readAll(this.#descriptor, offset, target)
  }

  writeAt(offset: number, bytes: Uint8Array): void {
    writeAll(this.#descriptor, bytes, offset)
  }

  async writeLater(offset: number, bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const count = Math.min(bytes.length - done, MAX_WRITTEN)
      const at = offset + done
      done += (await writeBytes(this.#descriptor, bytes, done, count, at)).bytesWritten
    }
  }

  truncate(length: number): void {
    ftruncateSync(this.#descriptor, length)
  }

  async sync(): Promise<void> {
    this.#syncing++
    try {
      await syncData(this.#descriptor)
    } finally {
      this.#syncing--
      if (!this.#isOpen && this.#syncing === 0) closeSync(this.#descriptor)
    }
  }

  close(): void {
    if (this.#isOpen && this.#syncing === 0) closeSync(this.#descriptor)
    this.#isOpen = false
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
    readAll(this.#descriptor, offset, target)
  }

  async readLater(offset: number, target: Uint8Array): Promise<void> {
    for (let done = 0; done < target.length; ) {
      const count = target.length - done
      const at = offset + done
      const { bytesRead } = await readBytes(this.#descriptor, target, done, count, at)
      if (bytesRead === 0) throw endsAt(at, count)
      done += bytesRead
    }
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#descriptor)
    this.#isOpen = false
  }
}

function endsAt(offset: number, missing: number): RangeError {
  return new RangeError(`the file ends at ${offset}, ${missing} bytes short`)
}
