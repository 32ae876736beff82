/** Reader of a stored-fields file; `format.ts` draws it. */
import { crc32, inflateRawSync } from 'node:zlib'
import { CorruptSegmentError } from '../../util/errors.ts'
import { FOOTER_BYTES, HEADER_BYTES, hex32, readFooter, readHeader } from '../file-frame.ts'
import { STORED_BLOCK_HEADER_BYTES, STORED_VALUES_VERSION, STORED_VERSION } from './format.ts'

/** Reads `length` bytes of one file from `offset` on. */
export type ReadAt = (offset: number, length: number) => Uint8Array

/** One block's records, decompressed; the unit of a block cache. */
export interface StoredBlock {
  readonly firstDoc: number
  readonly content: Uint8Array
}

/** The records of one segment's documents, read from its file by blocks. */
export class StoredReader {
  readonly maxDoc: number
  /** Id of its segment. */
  readonly segmentId: Uint8Array
  readonly #file: string
  readonly #readAt: ReadAt
  readonly #firstDocs: Uint32Array
  readonly #offsets: Float64Array
  /** Start of each document's record in its block's content. */
  readonly #starts: Uint32Array
  readonly #lengths: Uint32Array
  /** The same as `#lengths` where records are sources alone. */
  readonly #sourceLengths: Uint32Array

  /**
   * Reads the directory; it keeps about 12 bytes a document in memory, or 16.
   * @param readAt reads the file
   * @throws {CorruptSegmentError} corrupt header, footer or directory
   */
  constructor(file: string, fileLength: number, readAt: ReadAt) {
    this.#file = file
    this.#readAt = readAt
    this.segmentId = readHeader(file, readAt(0, Math.min(HEADER_BYTES, fileLength)), 'stored')
    const footerAt = Math.max(0, fileLength - FOOTER_BYTES)
    const footer = readFooter(file, readAt(footerAt, fileLength - footerAt), fileLength)
    const directory = readAt(footer.directoryOffset, footer.directoryLength)
    const found = crc32(directory)
    if (found !== footer.directoryChecksum)
      throw new CorruptSegmentError(
        file,
        footer.directoryOffset,
        `directory checksum ${hex32(footer.directoryChecksum)}`,
        hex32(found),
      )
    const words = new Uint32Array(directory.slice().buffer)
    const version = words[0]!
    if (version !== STORED_VERSION && version !== STORED_VALUES_VERSION)
      throw new CorruptSegmentError(file, footer.directoryOffset, 'version 1 or 2', `${version}`)
    this.maxDoc = words[1]!
    const blockCount = words[2]!
    const columns = version === STORED_VALUES_VERSION ? 2 : 1
    const expected = 4 * (4 + 3 * (blockCount + 1) + columns * this.maxDoc)
    if (expected !== directory.length)
      throw new CorruptSegmentError(
        file,
        footer.directoryOffset,
        `a directory of ${expected} bytes`,
        `${directory.length}`,
      )
    this.#firstDocs = words.subarray(4, 5 + blockCount)
    const offsets = words.subarray(5 + blockCount, 5 + blockCount + 2 * (blockCount + 1))
    this.#offsets = Float64Array.from(
      { length: blockCount + 1 },
      (_, i) => offsets[2 * i]! + offsets[2 * i + 1]! * 4294967296,
    )
    const lengths = words.subarray(5 + blockCount + 2 * (blockCount + 1))
    this.#lengths = lengths.subarray(0, this.maxDoc)
    this.#sourceLengths = columns === 1 ? this.#lengths : lengths.subarray(this.maxDoc)
    for (let doc = 0; columns > 1 && doc < this.maxDoc; doc++)
      if (this.#sourceLengths[doc]! > this.#lengths[doc]!)
        throw new CorruptSegmentError(
          file,
          footer.directoryOffset,
          `a source of at most ${this.#lengths[doc]} bytes`,
          `${this.#sourceLengths[doc]}`,
        )
    this.#starts = new Uint32Array(this.maxDoc)
    for (let block = 0; block < blockCount; block++) {
      let start = 0
      for (let doc = this.#firstDocs[block]!; doc < this.#firstDocs[block + 1]!; doc++) {
        this.#starts[doc] = start
        start += this.#lengths[doc]!
      }
    }
  }

  /** The number of the block that holds a document: a cache key. */
  blockOf(docId: number): number {
    let low = 0
    let high = this.#firstDocs.length - 2
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.#firstDocs[middle]! <= docId) low = middle
      else high = middle - 1
    }
    return low
  }

  get blockCount(): number {
    return this.#firstDocs.length - 1
  }

  /** The first document of a block; `maxDoc` after the last one. */
  firstDocOf(block: number): number {
    return this.#firstDocs[block]!
  }

  /**
   * Reads and decompresses a block.
   * @throws {CorruptSegmentError} a wrong checksum or wrong lengths
   */
  readBlock(block: number): StoredBlock {
    const frame = this.readFrame(block)
    const contentLength = new DataView(frame.buffer, frame.byteOffset).getUint32(8, true)
    const content = inflateRawSync(frame.subarray(STORED_BLOCK_HEADER_BYTES), {
      maxOutputLength: Math.max(contentLength, 1),
    })
    // A plain array: `slice` of a Buffer would be a view, not a copy.
    const plain = new Uint8Array(content.buffer, content.byteOffset, content.length)
    return { firstDoc: this.#firstDocs[block]!, content: plain }
  }

  /**
   * Reads a block as stored, still compressed, to be copied to another file.
   * @throws {CorruptSegmentError} a wrong checksum or wrong lengths
   */
  readFrame(block: number): Uint8Array {
    const offset = this.#offsets[block]!
    const frame = this.#readAt(offset, this.#offsets[block + 1]! - offset)
    const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
    const compressedLength = frame.length < STORED_BLOCK_HEADER_BYTES ? -1 : view.getUint32(4, true)
    const end = STORED_BLOCK_HEADER_BYTES + compressedLength
    if (compressedLength < 0 || end > frame.length)
      throw new CorruptSegmentError(
        this.#file,
        offset,
        `a block of at most ${frame.length} bytes`,
        `${end}`,
      )
    const found = crc32(frame.subarray(4, end))
    if (found !== view.getUint32(0, true))
      throw new CorruptSegmentError(
        this.#file,
        offset,
        `block checksum ${hex32(view.getUint32(0, true))}`,
        hex32(found),
      )
    return frame.subarray(0, end)
  }

  /** Bytes of a document's record. */
  recordLength(docId: number): number {
    return this.#lengths[docId]!
  }

  /** Bytes of a document's source, which its record begins with. */
  sourceLength(docId: number): number {
    return this.#sourceLengths[docId]!
  }

  /** A document's record inside its block: a view, valid as long as the block. */
  recordIn(block: StoredBlock, docId: number): Uint8Array {
    const start = this.#starts[docId]!
    return block.content.subarray(start, start + this.#lengths[docId]!)
  }

  /** A document's source inside its block: a view, valid as long as the block. */
  sourceIn(block: StoredBlock, docId: number): Uint8Array {
    const start = this.#starts[docId]!
    return block.content.subarray(start, start + this.#sourceLengths[docId]!)
  }

  /** The bytes behind a document's source in its record: a view like that. */
  besideIn(block: StoredBlock, docId: number): Uint8Array {
    const start = this.#starts[docId]!
    return block.content.subarray(
      start + this.#sourceLengths[docId]!,
      start + this.#lengths[docId]!,
    )
  }

  /** Reads one document's source, without a cache. */
  read(docId: number): Uint8Array {
    return this.sourceIn(this.readBlock(this.blockOf(docId)), docId)
  }
}
