import { crc32, deflateRawSync } from 'node:zlib'
import { ByteWriter } from '../../util/byte-writer.ts'
import { fileFooter, fileHeader } from '../file-frame.ts'
import { STORED_BLOCK_BYTES, STORED_VERSION } from './format.ts'

/** Writes the stored-fields file of one segment, source by source. */
export class StoredWriter {
  readonly #out: ByteWriter
  readonly #block = new ByteWriter(2 * STORED_BLOCK_BYTES)
  readonly #lengths = new ByteWriter(1024)
  readonly #firstDocs = new ByteWriter(256)
  readonly #offsets = new ByteWriter(256)
  #docCount = 0
  #blockFirstDoc = 0

  /** @param expected bytes of the file: reserved memory costs nothing until it is written */
  constructor(segmentId: Uint8Array, expected = 65536) {
    this.#out = new ByteWriter(expected)
    this.#out.bytes(fileHeader('stored', segmentId))
  }

  /** Adds the next document's source, `source[start, end)`. */
  add(source: Uint8Array, start = 0, end: number = source.length): void {
    if (this.#block.length > 0 && this.#block.length + end - start > 2 * STORED_BLOCK_BYTES)
      this.#close()
    this.#block.bytes(source, start, end)
    this.#lengths.u32(end - start)
    this.#docCount++
    if (this.#block.length >= STORED_BLOCK_BYTES) this.#close()
  }

  /** Whether the next document starts a block. */
  get isAtBlockStart(): boolean {
    return this.#docCount === this.#blockFirstDoc
  }

  /**
   * Adds a block of another file without decompressing it; an open block is closed first.
   * @param frame  from `StoredReader.readFrame`
   * @param length bytes of its i-th document's source
   */
  addFrame(frame: Uint8Array, docCount: number, length: (i: number) => number): void {
    if (this.#docCount > this.#blockFirstDoc) this.#close()
    this.#firstDocs.u32(this.#docCount)
    this.#offset(this.#out.length)
    this.#out.bytes(frame)
    for (let i = 0; i < docCount; i++) this.#lengths.u32(length(i))
    this.#docCount += docCount
    this.#blockFirstDoc = this.#docCount
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
    out.u32(STORED_VERSION)
    out.u32(this.#docCount)
    out.u32(blockCount)
    out.u32(0)
    out.bytes(this.#firstDocs.view())
    out.bytes(this.#offsets.view())
    out.bytes(this.#lengths.view())
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
