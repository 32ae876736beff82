import type { DataFolder } from '../../src/store/data-folder.ts'
import type { Directory, RandomAccessFile, WritableFile } from '../../src/store/directory.ts'
import type { Random } from '../../src/util/random.ts'

/** The calls that can fail; each kind is counted from 1. */
export type CallKind = 'write' | 'sync' | 'rename' | 'delete'

/** What a call fails with. A short write leaves part of its bytes, whatever the code. */
export interface Fault {
  readonly kind: CallKind
  /** The call of that kind that fails first. */
  readonly call: number
  readonly code: 'ENOSPC' | 'EIO'
  /** Bytes that a failing write leaves behind, as a share of all. */
  readonly share: number
  /** Every later call of that kind fails too. */
  readonly isLasting: boolean
}

/** A file as the system sees it, and what of it a power loss leaves. */
interface FaultFile {
  bytes: Uint8Array
  /** As of the last sync; null before the first. */
  durable: Uint8Array | null
  /** A sync failed: the system forgets which pages were dirty, and later ones persist nothing. */
  isPoisoned: boolean
}

interface Folder {
  readonly files: Map<string, FaultFile>
  readonly folders: Set<string>
  /** Names as of the last sync of the folder. */
  durableFiles: Map<string, FaultFile>
  durableFolders: Set<string>
}

/**
 * A disk in memory on which any call can be made to fail, and from which the power can be cut: what
 * was not synced is then lost, torn or zeroed, and what was renamed, made or deleted in a folder
 * that was not synced may be undone. Paths on it are null, so that every file is written through it.
 */
export class FaultDisk implements DataFolder {
  readonly isLasting = true
  calls: Record<CallKind, number> = { write: 0, sync: 0, rename: 0, delete: 0 }
  /** How often a call failed on purpose. */
  failures = 0
  #fault: Fault | null
  readonly #folders: Map<string, Folder>

  constructor(fault: Fault | null = null, folders: Map<string, Folder> = new Map()) {
    this.#fault = fault
    this.#folders = folders
  }

  /** Counts calls from here on, and fails them so. */
  arm(fault: Fault | null): void {
    this.#fault = fault
    this.calls = { write: 0, sync: 0, rename: 0, delete: 0 }
  }

  directory(...path: string[]): Directory {
    return new FaultDirectory(this, this.folder(path))
  }

  pathOf(): null {
    return null
  }

  folders(...path: string[]): string[] {
    return [...(this.#folders.get(keyOf(path))?.folders ?? [])].sort()
  }

  deleteFolder(...path: string[]): void {
    this.count('delete')
    const key = keyOf(path)
    for (const known of [...this.#folders.keys()])
      if (known === key || known.startsWith(`${key}/`)) this.#folders.delete(known)
    this.#folders.get(keyOf(path.slice(0, -1)))?.folders.delete(path.at(-1)!)
  }

  /** All files: path of the folder with slashes, and name. */
  *files(): Generator<readonly [folder: string, name: string]> {
    for (const [key, { files }] of this.#folders) for (const name of files.keys()) yield [key, name]
  }

  /** Bytes of a file. */
  bytesOf(folder: string, name: string): Uint8Array {
    return this.#folders.get(folder)!.files.get(name)!.bytes
  }

  /** Puts other bytes in a file's place, or with null takes it away. */
  replace(folder: string, name: string, bytes: Uint8Array | null): void {
    const { files } = this.#folders.get(folder)!
    if (bytes === null) files.delete(name)
    else files.set(name, { bytes, durable: bytes, isPoisoned: false })
  }

  /** The folder at a path, made with its parents when it is not there. */
  folder(path: readonly string[]): Folder {
    const key = keyOf(path)
    let folder = this.#folders.get(key)
    if (folder === undefined) {
      folder = {
        files: new Map(),
        folders: new Set(),
        durableFiles: new Map(),
        durableFolders: new Set(),
      }
      this.#folders.set(key, folder)
      if (path.length > 0) this.folder(path.slice(0, -1)).folders.add(path.at(-1)!)
    }
    return folder
  }

  /** Counts a call, and fails it when its turn has come. @param partial what it does in part */
  count(kind: CallKind, partial: (share: number) => void = () => {}): void {
    const call = ++this.calls[kind]
    const fault = this.#fault
    if (fault === null || fault.kind !== kind) return
    if (call < fault.call || (call > fault.call && !fault.isLasting)) return
    this.failures++
    partial(fault.share)
    throw Object.assign(new Error(`${fault.code}: ${kind} ${call} fails on purpose`), {
      code: fault.code,
    })
  }

  /** All that it holds, for another disk. */
  copy(): Map<string, Folder> {
    return copyFolders(this.#folders)
  }

  /** The disk after the process was killed: nothing is lost that the system had. */
  afterKill(fault: Fault | null = null): FaultDisk {
    const copy = copyFolders(this.#folders)
    return new FaultDisk(fault, copy)
  }

  /** The disk after a power loss. */
  afterPowerLoss(random: Random, fault: Fault | null = null): FaultDisk {
    const copy = copyFolders(this.#folders)
    const lost = new Map<string, Folder>()
    const visit = (key: string, path: readonly string[]): void => {
      const folder = copy.get(key)
      if (folder === undefined) return
      const files = new Map<string, FaultFile>()
      const settled = new Map<FaultFile, FaultFile>()
      for (const name of new Set([...folder.files.keys(), ...folder.durableFiles.keys()])) {
        const now = folder.files.get(name)
        const before = folder.durableFiles.get(name)
        const kept = now === before || random.below(2) === 0 ? before : now
        if (kept === undefined) continue
        let after = settled.get(kept)
        if (after === undefined) {
          const bytes = tear(kept, random)
          after = { bytes, durable: bytes, isPoisoned: false }
          settled.set(kept, after)
        }
        files.set(name, after)
      }
      const folders = new Set<string>()
      for (const name of new Set([...folder.folders, ...folder.durableFolders])) {
        const isDurable = folder.folders.has(name) === folder.durableFolders.has(name)
        if (isDurable || random.below(2) === 0) folders.add(name)
      }
      for (const name of folders) visit(keyOf([...path, name]), [...path, name])
      lost.set(key, {
        files,
        folders,
        durableFiles: new Map(files),
        durableFolders: new Set(folders),
      })
    }
    visit('', [])
    return new FaultDisk(fault, lost)
  }
}

function keyOf(path: readonly string[]): string {
  return path.join('/')
}

function copyFolders(folders: ReadonlyMap<string, Folder>): Map<string, Folder> {
  const copies = new Map<FaultFile, FaultFile>()
  const copyFile = (file: FaultFile): FaultFile => {
    let copy = copies.get(file)
    if (copy === undefined) {
      copy = { ...file, bytes: file.bytes.slice(), durable: file.durable?.slice() ?? null }
      copies.set(file, copy)
    }
    return copy
  }
  const copyFiles = (files: ReadonlyMap<string, FaultFile>): Map<string, FaultFile> =>
    new Map([...files].map(([name, file]) => [name, copyFile(file)]))
  return new Map(
    [...folders].map(([key, folder]) => [
      key,
      {
        files: copyFiles(folder.files),
        folders: new Set(folder.folders),
        durableFiles: copyFiles(folder.durableFiles),
        durableFolders: new Set(folder.durableFolders),
      },
    ]),
  )
}

/** Pages that reach the disk, or not, by themselves. */
const PAGE = 512

/** What a power loss leaves of a file's bytes. */
function tear({ bytes, durable }: FaultFile, random: Random): Uint8Array {
  const before = durable ?? new Uint8Array(0)
  if (Buffer.compare(before, bytes) === 0) return bytes
  const way = random.below(5)
  if (way === 0) return before
  if (way === 1) return bytes
  // The length may be the new one while pages are the old ones, or zeros.
  const lengths = [before.length, bytes.length, random.below(bytes.length + 1)]
  const length = Math.max(lengths[random.below(3)]!, Math.min(before.length, bytes.length))
  const torn = new Uint8Array(length)
  torn.set(before.subarray(0, length))
  for (let at = 0; at < length; at += PAGE) {
    const end = Math.min(at + PAGE, length, bytes.length)
    if (at < end && random.below(2) === 0) torn.set(bytes.subarray(at, end), at)
  }
  // A page holds what was durable in it: only bytes that differ from that can be lost.
  for (let i = 0; i < Math.min(length, before.length, bytes.length); i++)
    if (before[i] === bytes[i]) torn[i] = bytes[i]!
  return torn
}

class FaultDirectory implements Directory {
  readonly #disk: FaultDisk
  readonly #folder: Folder

  constructor(disk: FaultDisk, folder: Folder) {
    this.#disk = disk
    this.#folder = folder
  }

  write(name: string, bytes: Uint8Array): void {
    if (this.#folder.files.has(name)) throw new Error(`file [${name}] exists`)
    // As the real one does, it deletes the part that was written.
    this.#disk.count('write')
    this.#folder.files.set(name, { bytes: bytes.slice(), durable: null, isPoisoned: false })
  }

  sync(names: readonly string[]): void {
    for (const name of names) syncFile(this.#disk, this.#file(name))
  }

  rename(from: string, to: string): void {
    const file = this.#file(from)
    this.#disk.count('rename')
    this.#folder.files.delete(from)
    this.#folder.files.set(to, file)
  }

  syncFolder(): void {
    this.#disk.count('sync')
    this.#folder.durableFiles = new Map(this.#folder.files)
    this.#folder.durableFolders = new Set(this.#folder.folders)
  }

  list(): string[] {
    return [...this.#folder.files.keys()].sort()
  }

  length(name: string): number {
    return this.#folder.files.get(name)?.bytes.length ?? -1
  }

  read(name: string): Uint8Array {
    return this.#file(name).bytes.slice()
  }

  open(name: string): RandomAccessFile {
    const file = this.#file(name)
    const { length } = file.bytes
    return {
      length,
      readInto: (offset, target) => readInto(file, offset, target),
      readLater: async (offset, target) => readInto(file, offset, target),
      close() {},
    }
  }

  openWritable(name: string): WritableFile {
    let file = this.#folder.files.get(name)
    if (file === undefined) {
      this.#disk.count('write')
      file = { bytes: new Uint8Array(0), durable: null, isPoisoned: false }
      this.#folder.files.set(name, file)
    }
    return new FaultWritable(this.#disk, file)
  }

  delete(name: string): void {
    if (!this.#folder.files.has(name)) return
    this.#disk.count('delete')
    this.#folder.files.delete(name)
  }

  #file(name: string): FaultFile {
    const file = this.#folder.files.get(name)
    if (file === undefined)
      throw Object.assign(new Error(`ENOENT: no file [${name}]`), { code: 'ENOENT' })
    return file
  }
}

class FaultWritable implements WritableFile {
  readonly #disk: FaultDisk
  readonly #file: FaultFile

  constructor(disk: FaultDisk, file: FaultFile) {
    this.#disk = disk
    this.#file = file
  }

  readInto(offset: number, target: Uint8Array): void {
    readInto(this.#file, offset, target)
  }

  writeAt(offset: number, bytes: Uint8Array): void {
    const put = (count: number): void => {
      const file = this.#file
      const grown = new Uint8Array(Math.max(file.bytes.length, offset + count))
      grown.set(file.bytes)
      grown.set(bytes.subarray(0, count), offset)
      file.bytes = grown
    }
    this.#disk.count('write', share => put(Math.floor(bytes.length * share)))
    put(bytes.length)
  }

  async writeLater(offset: number, bytes: Uint8Array): Promise<void> {
    this.writeAt(offset, bytes)
  }

  truncate(length: number): void {
    this.#disk.count('write')
    this.#file.bytes = this.#file.bytes.slice(0, length)
  }

  async sync(): Promise<void> {
    // What is written while a sync runs may or may not be part of it: here it is not.
    const { bytes } = this.#file
    await null
    syncFile(this.#disk, this.#file, bytes)
  }

  close(): void {}
}

function syncFile(disk: FaultDisk, file: FaultFile, bytes: Uint8Array = file.bytes): void {
  disk.count('sync', () => {
    file.isPoisoned = true
  })
  if (!file.isPoisoned) file.durable = bytes.slice()
}

function readInto({ bytes }: FaultFile, offset: number, target: Uint8Array): void {
  if (offset + target.length > bytes.length)
    throw new RangeError(`the file ends at ${bytes.length}`)
  target.set(bytes.subarray(offset, offset + target.length))
}
