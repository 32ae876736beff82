import { crc32, deflateRawSync } from 'node:zlib'
import { ByteWriter } from '../../util/byte-writer.ts'
import { fileFooter, fileHeader } from '../file-frame.ts'
import { STORED_BLOCK_BYTES, STORED_VALUES_VERSION, STORED_VERSION } from './format.ts'
import type { StoredReader } from './reader.ts'

/** Writes the stored-fields file of one segment, record by record. */
export class StoredWriter {
  readonly #out: ByteWriter
  readonly #block = new ByteWriter(2 * STORED_BLOCK_BYTES)
  readonly #lengths = new ByteWriter(1024)
  readonly #sourceLengths = new ByteWriter(1024)
  #hasValues = false
  readonly #firstDocs = new ByteWriter(256)
  readonly #offsets = new ByteWriter(256)
  #docCount = 0
  #blockFirstDoc = 0

  /** @param expected bytes of the file: reserved memory costs nothing until it is written */
  constructor(segmentId: Uint8Array, expected = 65536) {
    this.#out = new ByteWriter(expected)
    this.#out.bytes(fileHeader('stored', segmentId))
  }

  /**
   * Adds the next document's record, `bytes[start, end)`.
   * @param sourceEnd where its source ends and the values of its stored fields begin
   */
  add(bytes: Uint8Array, start = 0, end: number = bytes.length, sourceEnd: number = end): void {
    if (this.#block.length > 0 && this.#block.length + end - start > 2 * STORED_BLOCK_BYTES)
      this.#close()
    this.#block.bytes(bytes, start, end)
    this.#addLengths(end - start, sourceEnd - start)
    this.#docCount++
    if (this.#block.length >= STORED_BLOCK_BYTES) this.#close()
  }

  /** Whether the next document starts a block. */
  get isAtBlockStart(): boolean {
    return this.#docCount === this.#blockFirstDoc
  }

  /**
   * Adds a block of another file without decompressing it; an open block is closed first.
   * @param block of the file that `reader` reads
   */
  addBlock(reader: StoredReader, block: number): void {
    if (this.#docCount > this.#blockFirstDoc) this.#close()
    this.#firstDocs.u32(this.#docCount)
    this.#offset(this.#out.length)
    this.#out.bytes(reader.readFrame(block))
    const from = reader.firstDocOf(block)
    const to = reader.firstDocOf(block + 1)
    for (let doc = from; doc < to; doc++)
      this.#addLengths(reader.recordLength(doc), reader.sourceLength(doc))
    this.#docCount += to - from
    this.#blockFirstDoc = this.#docCount
  }

  #addLengths(record: number, source: number): void {
    this.#lengths.u32(record)
    this.#sourceLengths.u32(source)
    if (source < record) this.#hasValues = true
  }

  /** The whole file. */
  finish(): Uint8Array {
    if (this.#docCount > this.#blockFirstDoc) this.#close()
    const out = this.#out
    out.align(4)
    const directoryOffset = out.length
    const blockCount = this.#firstDocs.length / 4
    this.#firstDocs.u32(this.#docCount)
    this.#offset(directoryOffset)
    out.u32(this.#hasValues ? STORED_VALUES_VERSION : STORED_VERSION)
    out.u32(this.#docCount)
    out.u32(blockCount)
    out.u32(0)
    out.bytes(this.#firstDocs.view())
    out.bytes(this.#offsets.view())
    out.bytes(this.#lengths.view())
    if (this.#hasValues) out.bytes(this.#sourceLengths.view())
    const body = out.view()
    const footer = fileFooter(
      directoryOffset,
      body.subarray(directoryOffset),
      body.length,
      crc32(body),
    )
    out.bytes(footer)
    return out.view()
  }

  #close(): void {
    const out = this.#out
    this.#firstDocs.u32(this.#blockFirstDoc)
    this.#offset(out.length)
    const content = this.#block.view()
    const compressed = deflateRawSync(content, { level: 1 })
    const start = out.length
    out.u32(0)
    out.u32(compressed.length)
    out.u32(content.length)
    out.bytes(compressed)
    out.setU32(start, crc32(out.view().subarray(start + 4)))
    this.#block.clear()
    this.#blockFirstDoc = this.#docCount
  }

  #offset(value: number): void {
    this.#offsets.u32(value >>> 0)
    this.#offsets.u32(Math.floor(value / 4294967296))
  }
}
