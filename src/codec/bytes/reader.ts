import { countOnes, trailingZeros } from '../../util/bits.ts'
import { CorruptSegmentError } from '../../util/errors.ts'
import { type DocIdIterator, NO_MORE_DOCS } from '../doc-id-iterator.ts'
import { checkSection, partOf, type Section } from '../section.ts'
import {
  BYTES_ALL_DOCS,
  BYTES_EQUAL_LENGTHS,
  BYTES_HEADER_BYTES,
  BYTES_MULTI_VALUED,
  BYTES_RANK_DOCS,
  BYTES_VERSION,
} from './format.ts'

/**
 * Byte strings of one field of one leaf. `advanceExact` moves to a document, in any order; the
 * values of that document are then read by `value`.
 */
export class BytesReader {
  readonly maxDoc: number
  readonly docCount: number
  readonly multiValued: boolean
  readonly #section: Section
  readonly #i32: Int32Array
  readonly #u32: Uint32Array
  readonly #u8: Uint8Array
  /** Word indices; 0 where there is no such part. */
  readonly #presence: number
  readonly #ranks: number
  readonly #addresses: number
  readonly #ends: number
  /** Bytes of each value where all are of one length, else −1. */
  readonly #length: number
  /** Byte addresses of the values. */
  readonly #data: number
  readonly #dataEnd: number
  #index = 0
  #count = 0

  constructor(section: Section) {
    checkSection(section, BYTES_VERSION, BYTES_HEADER_BYTES)
    const { i32, u32, u8 } = section.views
    const header = section.start >> 2
    const flags = u32[header + 1]!
    this.#section = section
    this.#i32 = i32
    this.#u32 = u32
    this.#u8 = u8
    this.maxDoc = u32[header + 2]!
    this.docCount = u32[header + 3]!
    const valueCount = u32[header + 4]!
    this.multiValued = (flags & BYTES_MULTI_VALUED) !== 0
    const isEqual = (flags & BYTES_EQUAL_LENGTHS) !== 0
    const hasAll = (flags & BYTES_ALL_DOCS) !== 0
    const words = (this.maxDoc + 31) >>> 5
    const rankCount = Math.ceil(this.maxDoc / BYTES_RANK_DOCS)
    this.#presence = hasAll ? 0 : partOf(section, 24, 4 * words) >> 2
    this.#ranks = hasAll ? 0 : partOf(section, 28, 4 * rankCount) >> 2
    this.#addresses = this.multiValued ? partOf(section, 32, 4 * (this.docCount + 1)) >> 2 : 0
    this.#ends = isEqual ? 0 : partOf(section, 36, 4 * valueCount) >> 2
    this.#length = isEqual ? u32[header + 5]! : -1
    this.#data = partOf(section, 40, isEqual ? valueCount * this.#length : 0)
    this.#dataEnd = partOf(section, 44, 0)
  }

  /** Moves to a document; false when it has no value. */
  advanceExact(docId: number): boolean {
    if (!this.#has(docId)) {
      this.#count = 0
      return false
    }
    const rank = this.#presence === 0 ? docId : this.#rank(docId)
    if (this.#addresses === 0) {
      this.#index = rank
      this.#count = 1
    } else {
      this.#index = this.#u32[this.#addresses + rank]!
      this.#count = this.#u32[this.#addresses + rank + 1]! - this.#index
    }
    return true
  }

  /** Number of values of the current document. */
  valueCount(): number {
    return this.#count
  }

  /**
   * One of the current document's values, 0 … valueCount()−1, ascending, in place.
   * @throws {CorruptSegmentError} it lies outside the section
   */
  value(index: number): Uint8Array {
    const at = this.#index + index
    const start = this.#data + this.#endOf(at - 1)
    const end = this.#data + this.#endOf(at)
    if (start > end || end > this.#dataEnd)
      throw new CorruptSegmentError(
        this.#section.name,
        start - this.#section.start,
        `a value that ends at most at ${this.#dataEnd - this.#section.start}`,
        `${end - this.#section.start}`,
      )
    return this.#u8.subarray(start, end)
  }

  /** Where a value ends within the data; 0 for the one before the first. */
  #endOf(at: number): number {
    if (at < 0) return 0
    return this.#length >= 0 ? (at + 1) * this.#length : this.#u32[this.#ends + at]!
  }

  /** The documents that have a value. */
  docs(): DocIdIterator {
    let doc = -1
    return {
      docId: () => doc,
      nextDoc: () => (doc = this.#nextWithValue(doc + 1)),
      advance: target => (doc = this.#nextWithValue(target)),
      cost: () => this.docCount,
    }
  }

  #has(docId: number): boolean {
    if (this.#presence === 0) return true
    return ((this.#i32[this.#presence + (docId >>> 5)]! >>> (docId & 31)) & 1) === 1
  }

  #nextWithValue(docId: number): number {
    if (docId >= this.maxDoc) return NO_MORE_DOCS
    if (this.#presence === 0) return docId
    const words = (this.maxDoc + 31) >>> 5
    let at = docId >>> 5
    let shift = docId & 31
    for (; at < words; at++, shift = 0) {
      const word = this.#i32[this.#presence + at]! >>> shift
      if (word !== 0) return (at << 5) + shift + trailingZeros(word)
    }
    return NO_MORE_DOCS
  }

  /** How many documents before this one have a value. */
  #rank(docId: number): number {
    let rank = this.#u32[this.#ranks + Math.floor(docId / BYTES_RANK_DOCS)]!
    const last = docId >>> 5
    for (let at = (docId & ~(BYTES_RANK_DOCS - 1)) >>> 5; at < last; at++)
      rank += countOnes(this.#i32[this.#presence + at]!)
    const below = (1 << (docId & 31)) - 1
    return rank + countOnes(this.#i32[this.#presence + last]! & below)
  }
}
