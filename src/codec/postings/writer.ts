/**
 * Writes the terms, postings and positions of one field; the `format.ts` files draw the sections.
 */
import { ByteWriter } from '../../util/byte-writer.ts'
import { inverseNorms } from '../norms/inverse.ts'
import { PositionsWriter, runBytes } from '../positions/writer.ts'
import { HAS_POSTINGS } from '../terms/format.ts'
import { TermsWriter } from '../terms/writer.ts'
import {
  BLOCK_DOCS,
  BYTE_CODED,
  DENSE,
  HAS_FREQS,
  HAS_IMPACTS,
  HAS_POSITIONS,
  PATCHED,
  POSTINGS_HEADER_BYTES,
  POSTINGS_PADDING_BYTES,
  POSTINGS_VERSION,
} from './format.ts'

/** How a field's terms are indexed. */
export interface PostingsWriterOptions {
  readonly hasFreqs: boolean
  /** Needs `hasFreqs`. */
  readonly hasPositions: boolean
  /** Length codes by doc ID if the field has norms, else null: then there are no impacts. */
  readonly norms: Uint8Array | null
  /** Mean tokens per document of this segment's field, for the impacts. */
  readonly averageLength: number
}

/** The sections of one indexed field. */
export interface FieldPostings {
  readonly terms: Uint8Array
  readonly postings: Uint8Array
  readonly positions: Uint8Array | null
  readonly termCount: number
  readonly sumDocFreq: number
  readonly sumTotalTermFreq: number
}

/** Writes the terms, postings and positions of one field, term after term in ascending order. */
export class PostingsWriter {
  readonly #hasFreqs: boolean
  readonly #norms: Uint8Array | null
  readonly #inverse: Float32Array | null
  readonly #flags: number
  readonly #terms: TermsWriter
  readonly #positions: PositionsWriter | null
  readonly #blocks = new ByteWriter(4096)
  readonly #tails = new ByteWriter(4096)
  readonly #lastDocs = new ByteWriter(256)
  readonly #blockOffsets = new ByteWriter(256)
  readonly #impacts = new ByteWriter(256)
  readonly #positionOffsets = new ByteWriter(256)
  readonly #docBits = new ByteWriter(64)
  readonly #freqBits = new ByteWriter(64)
  readonly #positionBits = new ByteWriter(64)
  readonly #values = new Int32Array(BLOCK_DOCS)
  readonly #packed = new Uint32Array(BLOCK_DOCS)
  readonly #packedBytes = new Uint8Array(this.#packed.buffer)
  readonly #start = { firstBlock: 0, tailAt: 0, positionsAt: 0 }
  #sumDocFreq = 0
  #sumTotalTermFreq = 0

  constructor(options: PostingsWriterOptions) {
    this.#hasFreqs = options.hasFreqs
    this.#norms = options.hasFreqs ? options.norms : null
    this.#inverse = this.#norms === null ? null : inverseNorms(options.averageLength)
    this.#positions = options.hasPositions ? new PositionsWriter() : null
    this.#flags =
      (options.hasFreqs ? HAS_FREQS : 0) |
      (options.hasPositions ? HAS_POSITIONS : 0) |
      (this.#norms === null ? 0 : HAS_IMPACTS)
    this.#terms = new TermsWriter(this.#flags | HAS_POSTINGS)
  }

  /**
   * Adds the postings of `term[termStart, termEnd)`, which must be above all earlier terms.
   *
   * @param docs  its doc IDs, ascending, in `docs[from, to)`; min one
   * @param freqs the frequency at the same index, min 1; null without frequencies
   * @param positions grouped by document from `positionsFrom` on, as many as the frequency
   */
  addTerm(
    term: Uint8Array,
    termStart: number,
    termEnd: number,
    docs: Int32Array,
    freqs: Int32Array | null,
    from: number,
    to: number,
    positions: Int32Array | null,
    positionsFrom: number,
  ): void {
    const docFreq = to - from
    let total = docFreq
    if (freqs !== null && this.#hasFreqs) {
      total = 0
      for (let i = from; i < to; i++) total += freqs[i]!
    }
    this.#sumDocFreq += docFreq
    this.#sumTotalTermFreq += total
    const start = this.#start
    this.#terms.startTerm(term, termStart, termEnd, start)
    const entry = this.#terms.entries
    entry.varint(docFreq)
    if (docFreq === 1) {
      entry.varint(docs[from]!)
      if (this.#hasFreqs) entry.varint(total - 1)
      if (this.#norms !== null) entry.u8(this.#norms[docs[from]!]!)
    } else {
      if (this.#hasFreqs) entry.varint(total - docFreq)
      if (this.#norms !== null) entry.f32(this.#maxImpact(docs, freqs!, from, to))
    }
    if (docFreq < BLOCK_DOCS) {
      if (docFreq > 1) {
        const before = this.#tails.length
        this.#appendTail(this.#tails, docs, freqs, from, to, -1)
        entry.varint(this.#tails.length - before)
        start.tailAt = this.#tails.length
      }
      if (this.#positions !== null) {
        const width = this.#positions.addSmall(positions!, positionsFrom, positionsFrom + total)
        entry.u8(width)
        start.positionsAt += runBytes(total, width)
      }
    } else {
      this.#appendBlocks(docs, freqs, from, to, positions, positionsFrom)
      start.firstBlock = this.#docBits.length
    }
  }

  finish(): FieldPostings {
    const blockCount = this.#docBits.length
    const positions = this.#positions
    const blocksStart = positions === null ? 0 : positions.blocksStart
    const out = new ByteWriter(
      POSTINGS_HEADER_BYTES + 18 * blockCount + this.#blocks.length + this.#tails.length + 256,
    )
    for (let i = 0; i < POSTINGS_HEADER_BYTES; i += 4) out.u32(0)
    out.setU32(0, POSTINGS_VERSION)
    out.setU32(4, this.#flags)
    out.setU32(8, blockCount)
    const column = (at: number, source: ByteWriter): void => {
      out.setU32(at, out.length)
      out.bytes(source.view())
      out.align(4)
    }
    column(12, this.#lastDocs)
    out.setU32(16, out.length)
    const offsetsAt = out.length
    out.bytes(this.#blockOffsets.view())
    if (this.#norms !== null) column(20, this.#impacts)
    if (positions !== null) {
      column(24, this.#positionOffsets)
      column(36, this.#positionBits)
      addToAll(out, offsetAt(out, 24), blockCount, blocksStart)
    }
    column(28, this.#docBits)
    column(32, this.#freqBits)
    out.align(16)
    addToAll(out, offsetsAt, blockCount, out.length)
    out.bytes(this.#blocks.view())
    out.setU32(40, out.length)
    out.bytes(this.#tails.view())
    out.setU32(44, out.length)
    out.bytes(new Uint8Array(POSTINGS_PADDING_BYTES))
    return {
      terms: this.#terms.finish(),
      postings: out.view(),
      positions: positions === null ? null : positions.finish(),
      termCount: this.#terms.termCount,
      sumDocFreq: this.#sumDocFreq,
      sumTotalTermFreq: this.#sumTotalTermFreq,
    }
  }

  #appendBlocks(
    docs: Int32Array,
    freqs: Int32Array | null,
    from: number,
    to: number,
    positions: Int32Array | null,
    positionsFrom: number,
  ): void {
    let before = -1
    let position = positionsFrom
    for (let start = from; start < to; start += BLOCK_DOCS) {
      const end = Math.min(start + BLOCK_DOCS, to)
      const last = docs[end - 1]!
      this.#lastDocs.u32(last)
      this.#blockOffsets.u32(this.#blocks.length)
      if (this.#norms !== null) this.#impacts.f32(this.#maxImpact(docs, freqs!, start, end))
      if (end - start === BLOCK_DOCS) {
        this.#appendDocs(docs, start, before, last)
        if (this.#hasFreqs) this.#appendFreqs(freqs!, start)
        else this.#freqBits.u8(0)
      } else {
        this.#docBits.u8(BYTE_CODED)
        this.#freqBits.u8(0)
        this.#appendTail(this.#blocks, docs, freqs, start, end, before)
      }
      if (this.#positions !== null) {
        let count = 0
        for (let i = start; i < end; i++) count += freqs![i]!
        this.#positionOffsets.u32(this.#positions.blockOffset)
        this.#positionBits.u8(this.#positions.addBlock(positions!, position, position + count))
        position += count
      }
      before = last
    }
  }

  #appendDocs(docs: Int32Array, start: number, before: number, last: number): void {
    const values = this.#values
    let previous = before
    for (let i = 0; i < BLOCK_DOCS; i++) {
      const doc = docs[start + i]!
      values[i] = doc - previous - 1
      previous = doc
    }
    const choice = choosePacking(values)
    const denseBytes = Math.ceil((last - before) / 8)
    if (denseBytes < choice.bytes) {
      const bits = new Uint8Array(denseBytes)
      for (let i = 0; i < BLOCK_DOCS; i++) {
        const bit = docs[start + i]! - before - 1
        bits[bit >> 3] = bits[bit >> 3]! | (1 << (bit & 7))
      }
      this.#docBits.u8(DENSE)
      this.#blocks.bytes(bits)
    } else this.#docBits.u8(this.#pack(choice))
  }

  #appendFreqs(freqs: Int32Array, start: number): void {
    const values = this.#values
    for (let i = 0; i < BLOCK_DOCS; i++) values[i] = freqs[start + i]! - 1
    this.#freqBits.u8(this.#pack(choosePacking(values)))
  }

  /** Appends `#values` at the chosen width and returns the byte for the bits column. */
  #pack(choice: Packing): number {
    const { width, exceptions } = choice
    const values = this.#values
    if (width > 0) {
      const packed = this.#packed
      packed.fill(0, 0, 4 * width)
      const mask = 2 ** width - 1
      for (let row = 0; row < 32; row++) {
        const bit = row * width
        const word = (bit >>> 5) << 2
        const shift = bit & 31
        for (let lane = 0; lane < 4; lane++) {
          const value = (values[4 * row + lane]! & mask) >>> 0
          packed[word + lane] = packed[word + lane]! | (value << shift)
          if (shift + width > 32)
            packed[word + 4 + lane] = packed[word + 4 + lane]! | (value >>> (32 - shift))
        }
      }
      this.#blocks.bytes(this.#packedBytes, 0, 16 * width)
    }
    if (exceptions === 0) return width
    this.#blocks.u8(exceptions)
    for (let i = 0; i < BLOCK_DOCS; i++) {
      const high = values[i]! >>> width
      if (high === 0) continue
      this.#blocks.u8(i)
      this.#blocks.u8(high)
    }
    return width | PATCHED
  }

  #appendTail(
    out: ByteWriter,
    docs: Int32Array,
    freqs: Int32Array | null,
    from: number,
    to: number,
    before: number,
  ): void {
    let previous = before
    for (let i = from; i < to; i++) {
      const doc = docs[i]!
      const gap = doc - previous - 1
      previous = doc
      if (!this.#hasFreqs) {
        out.varint(gap)
        continue
      }
      const freq = freqs![i]!
      out.varint(gap * 2 + (freq === 1 ? 1 : 0))
      if (freq !== 1) out.varint(freq - 2)
    }
  }

  #maxImpact(docs: Int32Array, freqs: Int32Array, from: number, to: number): number {
    const norms = this.#norms!
    const inverse = this.#inverse!
    let max = 0
    for (let i = from; i < to; i++) {
      const impact = Math.fround(Math.fround(freqs[i]!) * inverse[norms[docs[i]!]!]!)
      if (impact > max) max = impact
    }
    return max
  }
}

interface Packing {
  readonly width: number
  readonly exceptions: number
  readonly bytes: number
}

const lengths = new Int32Array(33)

/** The width with the fewest bytes; larger values are patched, by up to eight bits. */
function choosePacking(values: Int32Array): Packing {
  lengths.fill(0)
  for (let i = 0; i < BLOCK_DOCS; i++) {
    const bits = 32 - Math.clz32(values[i]!)
    lengths[bits] = lengths[bits]! + 1
  }
  let widest = 32
  while (widest > 0 && lengths[widest] === 0) widest--
  let best = widest
  let bestBytes = 16 * widest
  let bestExceptions = 0
  let exceptions = 0
  for (let width = widest - 1; width >= 0 && widest - width <= 8; width--) {
    exceptions += lengths[width + 1]!
    const bytes = 16 * width + 1 + 2 * exceptions
    if (bytes < bestBytes) {
      best = width
      bestBytes = bytes
      bestExceptions = exceptions
    }
  }
  return { width: best, exceptions: bestExceptions, bytes: bestBytes }
}

function offsetAt(out: ByteWriter, header: number): number {
  const view = out.view()
  return (
    (view[header]! |
      (view[header + 1]! << 8) |
      (view[header + 2]! << 16) |
      (view[header + 3]! << 24)) >>>
    0
  )
}

/** Adds a base to offsets: relative to a region, they become relative to the section. */
function addToAll(out: ByteWriter, at: number, count: number, base: number): void {
  for (let i = 0; i < count; i++) out.setU32(at + 4 * i, offsetAt(out, at + 4 * i) + base)
}
