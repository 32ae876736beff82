/** Copies files into a repository and out of it, checked on the way by their own checksums. */
import { crc32 } from 'node:zlib'
import type { HeldIndex } from '../../engine/api/snapshots.ts'
import type { Cancellation } from '../../util/cancellation.ts'
import { CorruptSegmentError, type ErrorRecord } from '../../util/errors.ts'
import { type BlobFinder, blobName, partBytesOf, partsOf } from './blob-names.ts'
import type { PieceBuffers } from './piece-buffers.ts'
import type { StoredFileReader } from './place/file-store.ts'
import { NoFileError } from './place/http-store.ts'
import type { Repository } from './repository.ts'
import type { StoredFile } from './shard-record.ts'
import type { Throttle } from './throttle.ts'

/** A shard whose files can be read. */
export type HeldShard = Exclude<HeldIndex['shards'][number], ErrorRecord>
/** One of its files. */
export type HeldFile = HeldShard['segments'][number]['files'][number]

/** The checksum and the magic number at the end of each file. */
const TAIL_BYTES = 8
const END_MAGIC = 0x4c4d4c41

/** How a copy goes on. */
export interface CopyOptions {
  readonly throttle: Throttle
  readonly signal: Cancellation
  readonly buffers: PieceBuffers
  /** Longest part of a blob; Infinity: no limit. */
  readonly partBytes: number
  /** Called before each piece; throws to give up. */
  goOn(): void
  /** Told of bytes that were copied. */
  onBytes(bytes: number): void
}

/**
 * Puts a file into a repository unless it is there. Of several copies of one file at a time one is made.
 * The caller has pinned its blob.
 * @returns length of the parts that it is kept in; null: it is whole
 * @throws {CorruptSegmentError} the file is not the one that its shard lists
 */
export async function copyIn(
  repository: Repository,
  file: StoredFile,
  source: HeldFile,
  options: CopyOptions,
): Promise<number | null> {
  const name = blobName(file)
  for (;;) {
    const running = repository.copies.get(name)
    if (running === undefined) break
    // One that fails is tried once more, for this caller.
    await running.catch(() => {})
    options.goOn()
    const listing = await repository.findBlobs()
    const parts = listing.find(file)
    if (parts !== null) return partBytesOf(parts)
  }
  const copy = writeBlob(repository, file, source, options)
  repository.copies.set(name, copy)
  try {
    await copy
  } finally {
    repository.copies.delete(name)
  }
  return partBytesOf(partsOf(name, file.length, options.partBytes))
}

async function writeBlob(
  repository: Repository,
  file: StoredFile,
  source: HeldFile,
  { throttle, signal, buffers, partBytes, goOn, onBytes }: CopyOptions,
): Promise<void> {
  const opened = source.open()
  const checksum = new RunningChecksum(file)
  const pieceBytes = Math.min(repository.blobs.pieceBytes, throttle.pieceBytes)
  try {
    for (const part of partsOf(blobName(file), file.length, partBytes))
      await repository.writeWhole(part.name, async write => {
        await readPieces(opened, part, pieceBytes, buffers, async (offset, bytes) => {
          goOn()
          await throttle.take(bytes.length, signal)
          goOn()
          const written = write(offset, bytes)
          // Counted while another thread writes it.
          checksum.add(bytes)
          await written
          onBytes(bytes.length)
        })
        // Before the last part has its name.
        if (part.offset + part.length === file.length) checksum.check()
      })
  } finally {
    opened.close()
  }
}

/**
 * Reads a file out of a repository.
 * @param take gets its bytes in order; they are the reader's again once it has resolved
 * @throws {CorruptSegmentError} it is missing, or not the file that was put there
 */
export async function copyOut(
  repository: Repository,
  file: StoredFile,
  listing: BlobFinder,
  { throttle, signal, buffers, goOn, onBytes }: Omit<CopyOptions, 'partBytes'>,
  take: (offset: number, bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const parts = listing.find(file)
  if (parts === null) throw missingBlob(file)
  const checksum = new RunningChecksum(file)
  const { blobs } = repository
  const pieceBytes = Math.min(blobs.pieceBytes, throttle.pieceBytes)
  for (const part of parts) {
    const opened = await blobs.open(part.name)
    const whole = { offset: 0, length: part.length }
    const unlisten = signal.onCancel(() => opened.giveUp?.())
    try {
      await readPieces(opened, whole, pieceBytes, buffers, async (offset, bytes) => {
        goOn()
        await throttle.take(bytes.length, signal)
        goOn()
        const taken = take(part.offset + offset, bytes)
        checksum.add(bytes)
        await taken
        onBytes(bytes.length)
      })
    } catch (error) {
      if (error instanceof NoFileError) throw missingBlob(file)
      // A read that was given up fails with no cause of its own.
      if (opened.giveUp !== undefined && signal.isCancelled) goOn()
      throw error
    } finally {
      unlisten()
      opened.close()
    }
  }
  checksum.check()
}

/** Damage: a file that a snapshot lists is not there, or not of its length. */
export function missingBlob(file: StoredFile): CorruptSegmentError {
  return new CorruptSegmentError(blobName(file), 0, `${file.length} bytes`, 'no whole file')
}

/**
 * Reads a part of a file in pieces; the next one is read while the last one is taken.
 * @param take gets pieces, with their offset from `start`
 */
async function readPieces(
  file: StoredFileReader,
  { offset: start, length }: { readonly offset: number; readonly length: number },
  pieceBytes: number,
  lender: PieceBuffers,
  take: (offset: number, bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const size = Math.max(1, Math.min(length, pieceBytes))
  const first = lender.take(size)
  const second = length > size ? lender.take(size) : null
  const read = (offset: number, into: Uint8Array): Promise<Uint8Array> => {
    const bytes = into.subarray(0, Math.min(size, length - offset))
    return file.readLater(start + offset, bytes).then(() => bytes)
  }
  let next = read(0, first)
  for (let offset = 0, into = second; ; into = into === first ? second : first) {
    const bytes = await next
    const after = offset + bytes.length
    const isLast = after >= length
    if (!isLast) next = read(after, into!)
    try {
      await take(offset, bytes)
    } catch (error) {
      // The file is closed once nobody reads it.
      if (!isLast) await next.catch(() => {})
      throw error
    }
    if (isLast) break
    offset = after
  }
  // Behind a failure they are not given back: a read that was given up may still fill them.
  lender.give(first)
  if (second !== null) lender.give(second)
}

/** The checksum of a file whose bytes come in order. */
class RunningChecksum {
  readonly #file: StoredFile
  #seen = 0
  #checksum = 0
  readonly #tail = new Uint8Array(TAIL_BYTES)

  constructor(file: StoredFile) {
    this.#file = file
  }

  add(bytes: Uint8Array): void {
    const end = this.#file.length - TAIL_BYTES
    const counted = Math.max(0, Math.min(bytes.length, end - this.#seen))
    this.#checksum = crc32(bytes.subarray(0, counted), this.#checksum)
    const at = this.#seen + counted - end
    if (counted < bytes.length && at >= 0)
      this.#tail.set(bytes.subarray(counted, counted + TAIL_BYTES - at), at)
    this.#seen += bytes.length
  }

  /** @throws {CorruptSegmentError} the bytes are not those of the file */
  check(): void {
    const { length, checksum } = this.#file
    const name = blobName(this.#file)
    const view = new DataView(this.#tail.buffer)
    const fail = (at: number, expected: string, found: string): CorruptSegmentError =>
      new CorruptSegmentError(name, Math.max(0, at), expected, found)
    if (this.#seen !== length) throw fail(this.#seen, `${length} bytes`, String(this.#seen))
    if (this.#checksum !== checksum)
      throw fail(length - TAIL_BYTES, `checksum ${checksum}`, String(this.#checksum))
    if (view.getUint32(0, true) !== checksum || view.getUint32(4, true) !== END_MAGIC)
      throw fail(length - TAIL_BYTES, `checksum ${checksum} and the magic ALML`, 'others')
  }
}
