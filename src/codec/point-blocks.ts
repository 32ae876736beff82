/**
 * The frame that points, boxes and triangles share: a header, an index of blocks, and the blocks, each with its
 * documents and its columns of words. The formats beside this file draw the bytes; they differ in
 * their order of points and in the bounds that the index holds of a block.
 */
import { ByteWriter } from '../util/byte-writer.ts'
import { bitsAt } from './packed-bits.ts'
import { appendAboveBase, appendPacked } from './packed-words.ts'
import { checkSection, partOf, type Section } from './section.ts'

/** Bytes of the header. */
const HEADER_BYTES = 64
const PADDING_BYTES = 16

/** Points of a full block; the last one may have fewer. */
export const BLOCK_POINTS = 512

/** Points that are written as blocks. */
interface WrittenPoints {
  readonly version: number
  readonly docs: Int32Array
  /** Words of the points, most significant first. */
  readonly columns: readonly Uint32Array[]
  readonly count: number
  /** 32-bit words of a value or of a coordinate. */
  readonly wordCount: number
  /** Words of a block's bounds in the index. */
  readonly boundWords: number
  /** Points in order of the blocks. */
  readonly order: Uint32Array
  readonly maxDoc: number
}

/**
 * Writes a section.
 * @param writeBounds appends the bounds of the points `[start, start + length)` in order of the blocks
 */
export function writePointBlocks(
  points: WrittenPoints,
  writeBounds: (index: ByteWriter, start: number, length: number) => void,
): Uint8Array {
  const { version, docs, columns, count, wordCount, boundWords, order, maxDoc } = points
  const blockCount = Math.ceil(count / BLOCK_POINTS)
  const index = new ByteWriter(blockCount * (8 + 4 * boundWords) + 16)
  const data = new ByteWriter(count * (2 + 2 * columns.length) + 64)
  const gathered = new Uint32Array(BLOCK_POINTS)
  for (let start = 0; start < count; start += BLOCK_POINTS) {
    const length = Math.min(BLOCK_POINTS, count - start)
    let all = 0
    for (let i = 0; i < length; i++) {
      gathered[i] = docs[order[start + i]!]!
      all |= gathered[i]!
    }
    const docBits = 32 - Math.clz32(all)
    index.u32(data.length)
    index.u32(docBits)
    writeBounds(index, start, length)
    appendPacked(data, gathered, length, docBits)
    for (const column of columns) {
      for (let i = 0; i < length; i++) gathered[i] = column[order[start + i]!]!
      appendAboveBase(data, gathered, length)
    }
  }
  const dataAt = HEADER_BYTES + index.length
  const docCount = countDistinct(docs, count, maxDoc)
  const out = new ByteWriter(dataAt + data.length + PADDING_BYTES)
  for (const word of [version, wordCount, count, docCount, blockCount]) out.u32(word)
  for (const word of [HEADER_BYTES, dataAt, dataAt + data.length, maxDoc]) out.u32(word)
  out.align(HEADER_BYTES)
  out.bytes(index.view())
  out.bytes(data.view())
  out.bytes(new Uint8Array(PADDING_BYTES))
  return out.view()
}

function countDistinct(docs: Int32Array, count: number, maxDoc: number): number {
  const seen = new Uint8Array(maxDoc)
  let distinct = 0
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!
    if (seen[doc] === 0) distinct++
    seen[doc] = 1
  }
  return distinct
}

/** A packed column of a block: bits `width` each from word `at` on, above `base`. */
export interface WordColumn {
  readonly base: number
  readonly width: number
  readonly at: number
}

/** A section, read in place. Blocks are named by their ord. */
export class PointBlocks {
  readonly u32: Uint32Array
  readonly wordCount: number
  /** Points. */
  readonly count: number
  readonly docCount: number
  readonly blockCount: number
  readonly maxDoc: number
  /** Words at which the index and the blocks start. */
  readonly index: number
  readonly data: number
  readonly #entryWords: number

  /**
   * @param boundWords words of a block's bounds in the index, for a word count
   * @throws {CorruptSegmentError} another version, or parts that leave the section
   */
  constructor(section: Section, version: number, boundWords: (wordCount: number) => number) {
    checkSection(section, version, HEADER_BYTES)
    const { u32 } = section.views
    const header = section.start >> 2
    this.u32 = u32
    this.wordCount = u32[header + 1]!
    this.count = u32[header + 2]!
    this.docCount = u32[header + 3]!
    this.blockCount = u32[header + 4]!
    this.maxDoc = u32[header + 8]!
    this.#entryWords = 2 + boundWords(this.wordCount)
    this.index = partOf(section, 20, this.#entryWords * 4 * this.blockCount) >> 2
    this.data = partOf(section, 24, 0) >> 2
    partOf(section, 28, 0)
  }

  /** The word at which a block's bounds start. */
  boundsOf(block: number): number {
    return this.index + block * this.#entryWords + 2
  }

  /** Number of a block's points. */
  lengthOf(block: number): number {
    return Math.min(BLOCK_POINTS, this.count - block * BLOCK_POINTS)
  }

  /** A block's documents: `bits` each from word `at` on. */
  docsOf(block: number): { readonly at: number; readonly bits: number } {
    const entry = this.boundsOf(block) - 2
    return { at: this.data + (this.u32[entry]! >>> 2), bits: this.u32[entry + 1]! }
  }

  /** A block's columns of words. */
  columnsOf(block: number, columnCount: number): WordColumn[] {
    const { u32 } = this
    const docs = this.docsOf(block)
    const length = this.lengthOf(block)
    const columns: WordColumn[] = []
    let at = docs.at + Math.ceil((length * docs.bits) / 32)
    for (let i = 0; i < columnCount; i++) {
      const width = u32[at + 1]!
      columns.push({ base: u32[at]!, width, at: at + 2 })
      at += 2 + Math.ceil((length * width) / 32)
    }
    return columns
  }

  /** Visits every point of a block with its words, which are reused from point to point. */
  visitRows(
    block: number,
    words: Uint32Array,
    visit: (docId: number, words: Uint32Array) => void,
  ): void {
    const { u32 } = this
    const docs = this.docsOf(block)
    const columns = this.columnsOf(block, words.length)
    for (let i = 0; i < this.lengthOf(block); i++) {
      for (const [word, { base, width, at }] of columns.entries())
        words[word] = base + bitsAt(u32, at, i * width, width)
      visit(bitsAt(u32, docs.at, i * docs.bits, docs.bits), words)
    }
  }

  /** Visits the documents of all points of a block. */
  visitDocs(block: number, visit: (docId: number) => void): void {
    const { at, bits } = this.docsOf(block)
    const length = this.lengthOf(block)
    for (let i = 0; i < length; i++) visit(bitsAt(this.u32, at, i * bits, bits))
  }
}
