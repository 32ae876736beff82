/**
 * A repository: files of a folder, or of what stands for one, none of which is ever changed but `index.latest`.
 *
 *   index-N          the root: the list of snapshots. The highest N holds; see `repository-root.ts`
 *   index.latest     N, for those who read by names alone; it may lag behind, but its root is there
 *   snap-⟨uuid⟩      a snapshot: metadata of its indices, files of its shards; see `snapshot-record.ts`
 *   blobs/blob-⟨…⟩   a file of a segment, or a part of one; see `blob-names.ts`
 *   tmp-⟨…⟩          in either folder, one that is being written
 *
 * The first root is written before all else, so that a folder that has lost it is not taken for a new one.
 * Each file is written under another name, synced and renamed, so that a name tells a whole file. A snapshot is
 * there once a root lists it: first its blobs are durable, then its own file, then the root. A file that no root
 * leads to is garbage, which the next deletion and `_cleanup` remove, unless it is pinned: something that
 * runs has written it, or found it there, and a root is going to lead to it.
 */
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { assert } from '../../util/assert.ts'
import { CorruptSegmentError } from '../../util/errors.ts'
import { type BlobFinder, BlobListing, isBlob, RECORDED_BLOBS, UNFINISHED } from './blob-names.ts'
import type { FileStore, FillFile } from './place/file-store.ts'
import { readRepositoryFile, writeRepositoryFile } from './repository-file.ts'
import {
  EMPTY_ROOT,
  parseRoot,
  printRoot,
  type RepositoryRoot,
  type RootEntry,
} from './repository-root.ts'
import { filesOf, isStored } from './shard-record.ts'
import { repositoryError, unreadable } from './snapshot-errors.ts'
import { printRecord, readRecord, type SnapshotRecord } from './snapshot-record.ts'
import { wrong } from './stored-fields.ts'

const ROOT = /^index-(\d{1,15})$/
const SNAPSHOT = 'snap-'
const LATEST = 'index.latest'
const MAX_LATEST_BYTES = 15

/** One folder with snapshots, however many names it is registered under. */
export class Repository {
  /** Its roots and snapshots. */
  readonly files: FileStore
  /** Its blobs, of which there may be very many. */
  readonly blobs: FileStore
  /** Copies under way, by the blob that they make. */
  readonly copies: Map<string, Promise<void>> = new Map()
  /** How often each file is pinned. */
  readonly #pins = new Map<string, number>()
  #turn: Promise<unknown> = Promise.resolve()
  /** The root that `index.latest` tells, as far as this process has written it; 0: it has not. */
  #latest = 0

  constructor(files: FileStore, blobs: FileStore) {
    this.files = files
    this.blobs = blobs
  }

  /** Runs changes of the root one after another. */
  inTurn<T>(change: () => Promise<T>): Promise<T> {
    const run = this.#turn.then(change)
    this.#turn = run.catch(() => {})
    return run
  }

  /**
   * The root as it is now.
   * @param name under which the repository is registered, for errors
   * @throws {EngineError} `repository_exception`: it is damaged, or of a newer release
   */
  async readRoot(name: string): Promise<RepositoryRoot> {
    try {
      if (!this.files.isListed) return await this.#readNamedRoot()
      const { names } = await this.files.list()
      const generation = newestRoot(names)
      if (generation === 0) {
        // The first root is written before anything else.
        const stray = names.find(isSnapshotFile) ?? (await this.blobs.list()).names.find(isBlob)
        if (stray !== undefined)
          throw new CorruptSegmentError('index-1', 0, `a root beside [${stray}]`, 'none')
        return EMPTY_ROOT
      }
      return await this.#rootOf(generation)
    } catch (error) {
      throw unreadable(name, 'could not read repository data from index blob', error)
    }
  }

  /** The root that `index.latest` tells. */
  async #readNamedRoot(): Promise<RepositoryRoot> {
    for (let before = 0; ; ) {
      const text = Buffer.from(await this.files.read(LATEST, MAX_LATEST_BYTES)).toString('latin1')
      if (!/^[1-9]\d{0,14}$/.test(text))
        throw new CorruptSegmentError(LATEST, 0, 'a number', 'none')
      const generation = Number(text)
      try {
        return await this.#rootOf(generation)
      } catch (error) {
        // Another change may have replaced it since.
        if (generation === before) throw error
        before = generation
      }
    }
  }

  async #rootOf(generation: number): Promise<RepositoryRoot> {
    const file = `index-${generation}`
    const root = parseRoot(readRepositoryFile(file, 'ROOT', await this.files.read(file)))
    if (root.generation !== generation)
      throw wrong(`generation ${generation}`, String(root.generation))
    return root
  }

  /**
   * Replaces the root, durable when it resolves. After a failure the one before may hold, or this one.
   * @param before the root that `snapshots` were made from; another one by now means that someone else
   *   writes to the folder
   * @throws {EngineError} `repository_exception`
   */
  async writeRoot(
    name: string,
    before: RepositoryRoot,
    snapshots: readonly RootEntry[],
    isCompressed: boolean,
  ): Promise<RepositoryRoot> {
    const found = newestRoot((await this.files.list()).names)
    if (found !== before.generation)
      throw repositoryError(
        name,
        `concurrent modification of the index-N file, expected current generation [${before.generation}], ` +
          `actual current generation [${found}]`,
        { status: 500 },
      )
    const root = { generation: found + 1, snapshots }
    const bytes = writeRepositoryFile('ROOT', printRoot(root), isCompressed)
    await this.writeFile(`index-${root.generation}`, bytes)
    await this.files.sync()
    await this.#writeLatest(root)
    return root
  }

  async #writeLatest({ generation }: RepositoryRoot): Promise<void> {
    if (this.#latest === generation) return
    await this.writeFile(LATEST, Buffer.from(String(generation), 'latin1'))
    this.#latest = generation
  }

  /** Deletes the roots before one that is durable. */
  async deleteOldRoots(root: RepositoryRoot): Promise<void> {
    const { generation } = root
    if (generation === 0) return
    // It may still tell one of them: a crash came between.
    await this.#writeLatest(root)
    await this.files.sync()
    for (const file of (await this.files.list()).names) {
      const match = ROOT.exec(file)
      if (match !== null && Number(match[1]) < generation) await this.files.delete(file)
    }
  }

  /**
   * A snapshot that the root lists.
   * @throws {EngineError} `repository_exception`: its file is missing, damaged, or of a newer release
   */
  async readSnapshot(name: string, entry: RootEntry): Promise<SnapshotRecord> {
    const file = snapshotFile(entry.uuid)
    try {
      const bytes = await this.files.read(file)
      if (bytes.length !== entry.length)
        throw new CorruptSegmentError(file, 0, `${entry.length} bytes`, `${bytes.length}`)
      if (crc32(bytes) !== entry.checksum)
        throw new CorruptSegmentError(file, 0, 'the file that the root lists', 'another one')
      return readRecord(readRepositoryFile(file, 'SNAP', bytes))
    } catch (error) {
      throw unreadable(name, `could not read snapshot [${entry.name}]`, error)
    }
  }

  /** Writes the file of a snapshot; its name is durable once the folder is synced. */
  async writeSnapshot(
    record: SnapshotRecord,
    isCompressed: boolean,
  ): Promise<Pick<RootEntry, 'length' | 'checksum'>> {
    const bytes = writeRepositoryFile('SNAP', printRecord(record), isCompressed, versionOf(record))
    await this.writeFile(snapshotFile(record.uuid), bytes)
    return { length: bytes.length, checksum: crc32(bytes) }
  }

  /** Where blobs are, as far as that can be known before they are read. */
  async findBlobs(): Promise<BlobFinder> {
    return this.blobs.isListed ? new BlobListing(await this.blobs.list()) : RECORDED_BLOBS
  }

  /** Writes a whole file of which the content is durable before its name is there. */
  async writeFile(file: string, bytes: Uint8Array): Promise<void> {
    await this.writeWhole(file, out => out(0, bytes))
  }

  /**
   * Makes a file whose content is durable before its name is there. A failure leaves nothing of it.
   * @param fill writes the content
   */
  async writeWhole(file: string, fill: FillFile): Promise<void> {
    const unfinished = `${UNFINISHED}${randomBytes(9).toString('base64url')}`
    this.pin(unfinished)
    try {
      await (isBlob(file) ? this.blobs : this.files).write(file, unfinished, fill)
    } finally {
      this.unpin(unfinished)
    }
  }

  /** Keeps a file from being taken for garbage. */
  pin(file: string): void {
    this.#pins.set(file, (this.#pins.get(file) ?? 0) + 1)
  }

  /** Ends one pinning of a file. */
  unpin(file: string): void {
    const count = this.#pins.get(file) ?? 0
    assert(count > 0, 'a file is pinned before it is unpinned')
    if (count === 1) this.#pins.delete(file)
    else this.#pins.set(file, count - 1)
  }

  /** Whether something that runs needs a file. */
  isPinned(file: string): boolean {
    return this.#pins.has(file)
  }
}

/** Name of the file of a snapshot. */
export function snapshotFile(uuid: string): string {
  return `${SNAPSHOT}${uuid}`
}

/** Whether a file of a repository is that of a snapshot. */
export function isSnapshotFile(file: string): boolean {
  return file.startsWith(SNAPSHOT)
}

/** The first version of the format that knows all that a record says. */
function versionOf({ indices }: SnapshotRecord): 1 | 2 {
  const hasParts = indices.some(({ shards }) =>
    shards.some(
      shard => isStored(shard) && filesOf(shard).some(({ partBytes }) => partBytes !== null),
    ),
  )
  return hasParts ? 2 : 1
}

function newestRoot(files: readonly string[]): number {
  let newest = 0
  for (const file of files) {
    const match = ROOT.exec(file)
    if (match !== null) newest = Math.max(newest, Number(match[1]))
  }
  return newest
}
