/** Readers of a doc-values section; `format.ts` draws it. */
import { assert } from '../../util/assert.ts'
import { countOnes, trailingZeros } from '../../util/bits.ts'
import { type DocIdIterator, NO_MORE_DOCS } from '../doc-id-iterator.ts'
import { bitsAt } from '../packed-bits.ts'
import { checkSection, partOf, type Section } from '../section.ts'
import {
  ALL_DOCS,
  DOC_VALUES_HEADER_BYTES,
  DOC_VALUES_VERSION,
  EVEN_DOC_VALUES_VERSION,
  EVENLY_SPACED,
  HAS_EXPONENTS,
  MULTI_VALUED,
  RANK_DOCS,
  SPAN_BYTES,
  SPAN_DOCS,
  VALUE_BLOCK_BYTES,
  VALUES_PER_BLOCK,
} from './format.ts'

/**
 * Values of one field of one leaf. `advanceExact` moves to a document, in any order; the values of
 * that document are then `select`ed from 0 and read by `number()`, or exactly by `hi()` and `lo()`.
 */
export class NumericValuesReader {
  readonly maxDoc: number
  readonly docCount: number
  readonly totalValueCount: number
  readonly multiValued: boolean
  /** Min and max value of the leaf in halves; undefined when it has none. */
  readonly minHi: number
  readonly minLo: number
  readonly maxHi: number
  readonly maxLo: number
  readonly #header: number
  readonly #i32: Int32Array
  readonly #u32: Uint32Array
  readonly #presence: number
  readonly #ranks: number
  readonly #addresses: number
  readonly #spans: number
  readonly #blocks: number
  readonly #data: number
  /** Difference of successive values, when there are no blocks; else −1. */
  readonly #step: number
  #index = 0
  #count = 0
  #hi = 0
  #lo = 0

  constructor(section: Section) {
    const { i32, u32 } = section.views
    const header = section.start >> 2
    const isEven = u32[header] === EVEN_DOC_VALUES_VERSION
    checkSection(
      section,
      isEven ? EVEN_DOC_VALUES_VERSION : DOC_VALUES_VERSION,
      DOC_VALUES_HEADER_BYTES,
    )
    const flags = u32[header + 1]!
    this.#step = isEven && (flags & EVENLY_SPACED) !== 0 ? u32[header + 22]! : -1
    this.#header = header
    this.#i32 = i32
    this.#u32 = u32
    this.maxDoc = u32[header + 2]!
    this.docCount = u32[header + 3]!
    this.totalValueCount = u32[header + 4]!
    this.multiValued = (flags & MULTI_VALUED) !== 0
    const hasAll = (flags & ALL_DOCS) !== 0
    const words = (this.maxDoc + 31) >>> 5
    this.#presence = hasAll ? 0 : partOf(section, 20, 4 * words) >> 2
    this.#ranks = hasAll ? 0 : partOf(section, 24, 4 * Math.ceil(this.maxDoc / RANK_DOCS)) >> 2
    this.#addresses = this.multiValued ? partOf(section, 28, 4 * (this.docCount + 1)) >> 2 : 0
    this.#spans = partOf(section, 32, SPAN_BYTES * Math.ceil(this.maxDoc / SPAN_DOCS)) >> 2
    const blockCount = this.#step < 0 ? Math.ceil(this.totalValueCount / VALUES_PER_BLOCK) : 0
    this.#blocks = partOf(section, 36, VALUE_BLOCK_BYTES * blockCount) >> 2
    this.#data = partOf(section, 40, 0) >> 2
    partOf(section, 44, 0)
    this.minLo = u32[header + 12]!
    this.minHi = i32[header + 13]!
    this.maxLo = u32[header + 14]!
    this.maxHi = i32[header + 15]!
  }

  /** Whether values lie in blocks, as those of a mapping's fields do; metadata may be evenly spaced. */
  get hasBlocks(): boolean {
    return this.#step < 0
  }

  /**
   * Exponents of the finite values other than 0: of the lowest set bit of any, and the highest; null
   * without such values, or where values are no floating-point numbers.
   */
  exponents(): { readonly min: number; readonly max: number } | null {
    if ((this.#u32[this.#header + 1]! & HAS_EXPONENTS) === 0) return null
    const max = this.#i32[this.#header + 20]!
    const min = this.#i32[this.#header + 21]!
    return max < min ? null : { min, max }
  }

  /**
   * Byte addresses of the parts; `presence` 0 when every document has a value. Only for columns
   * with blocks.
   */
  addresses(): {
    readonly presence: number
    readonly ranks: number
    readonly spans: number
    readonly blocks: number
    readonly data: number
    /** Of the first value by rank; 0 when each document has one. */
    readonly values: number
  } {
    assert(this.hasBlocks, 'kernels read blocks of values')
    return {
      presence: 4 * this.#presence,
      ranks: 4 * this.#ranks,
      spans: 4 * this.#spans,
      blocks: 4 * this.#blocks,
      data: 4 * this.#data,
      values: 4 * this.#addresses,
    }
  }

  has(docId: number): boolean {
    if (this.#presence === 0) return true
    return ((this.#i32[this.#presence + (docId >>> 5)]! >>> (docId & 31)) & 1) === 1
  }

  /** Moves to a document and selects its first value; false when it has no value. */
  advanceExact(docId: number): boolean {
    if (!this.has(docId)) {
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
    this.#read(this.#index)
    return true
  }

  /** Number of values of the current document. */
  valueCount(): number {
    return this.#count
  }

  /** Selects one of the current document's values, 0 … valueCount()−1, ascending. */
  select(index: number): void {
    this.#read(this.#index + index)
  }

  /** The selected value; exact up to 2⁵³. */
  number(): number {
    return this.#hi * 4294967296 + this.#lo
  }

  /** Signed upper half of the selected value. */
  hi(): number {
    return this.#hi
  }

  /** Unsigned lower half of the selected value. */
  lo(): number {
    return this.#lo
  }

  /** Bounds of the values of the 4,096 documents around `docId`; null without values. */
  spanOf(docId: number): ValueSpan | null {
    const at = this.#spans + (Math.floor(docId / SPAN_DOCS) * SPAN_BYTES) / 4
    const count = this.#u32[at + 8]!
    if (count === 0) return null
    return {
      minHi: this.#i32[at + 1]!,
      minLo: this.#u32[at]!,
      maxHi: this.#i32[at + 3]!,
      maxLo: this.#u32[at + 2]!,
      valueCount: count,
      docCount: this.#u32[at + 9]!,
      endDoc: Math.min((Math.floor(docId / SPAN_DOCS) + 1) * SPAN_DOCS, this.maxDoc),
    }
  }

  /** The documents that have a value. */
  docs(): DocIdIterator {
    return new PresenceIterator(this)
  }

  /** The first document at or after `docId` that has a value, or `NO_MORE_DOCS`. */
  nextWithValue(docId: number): number {
    if (docId >= this.maxDoc) return NO_MORE_DOCS
    if (this.#presence === 0) return docId
    let at = docId >>> 5
    let word = this.#i32[this.#presence + at]! >>> (docId & 31)
    if (word !== 0) return docId + trailingZeros(word)
    const words = (this.maxDoc + 31) >>> 5
    while (++at < words) {
      word = this.#i32[this.#presence + at]!
      if (word !== 0) return (at << 5) + trailingZeros(word)
    }
    return NO_MORE_DOCS
  }

  #rank(docId: number): number {
    let rank = this.#u32[this.#ranks + Math.floor(docId / RANK_DOCS)]!
    const last = docId >>> 5
    const words = this.#i32
    for (let at = (docId & ~(RANK_DOCS - 1)) >>> 5; at < last; at++)
      rank += countOnes(words[this.#presence + at]!)
    const below = (1 << (docId & 31)) - 1
    return rank + countOnes(words[this.#presence + last]! & below)
  }

  #read(index: number): void {
    if (this.#step >= 0) {
      this.#hi = this.minHi
      this.#lo = this.minLo + index * this.#step
      return
    }
    const u32 = this.#u32
    const block = this.#blocks + (index >>> 7) * (VALUE_BLOCK_BYTES / 4)
    const width = u32[block + 3]!
    let low = u32[block]!
    let high = this.#i32[block + 1]!
    if (width > 0) {
      const data = this.#data + (u32[block + 2]! >>> 2)
      const bit = (index & 127) * width
      low += bitsAt(u32, data, bit, Math.min(width, 32))
      if (low >= 4294967296) {
        low -= 4294967296
        high++
      }
      if (width > 32) high += bitsAt(u32, data, bit + 32, width - 32)
    }
    this.#hi = high | 0
    this.#lo = low
  }
}

/** Bounds of the values of a run of documents, in halves. */
export interface ValueSpan {
  readonly minHi: number
  readonly minLo: number
  readonly maxHi: number
  readonly maxLo: number
  readonly valueCount: number
  readonly docCount: number
  /** The document after the run. */
  readonly endDoc: number
}

/** Ordinals of one keyword field of one leaf: ords in the field's dictionary. */
export class OrdinalsReader {
  readonly values: NumericValuesReader

  constructor(section: Section) {
    this.values = new NumericValuesReader(section)
  }

  advanceExact(docId: number): boolean {
    return this.values.advanceExact(docId)
  }

  valueCount(): number {
    return this.values.valueCount()
  }

  /** The current document's ordinal 0 … valueCount()−1, ascending. */
  ord(index: number): number {
    this.values.select(index)
    return this.values.lo()
  }
}

class PresenceIterator implements DocIdIterator {
  readonly #values: NumericValuesReader
  #doc = -1

  constructor(values: NumericValuesReader) {
    this.#values = values
  }

  docId(): number {
    return this.#doc
  }

  nextDoc(): number {
    return (this.#doc = this.#values.nextWithValue(this.#doc + 1))
  }

  advance(target: number): number {
    return (this.#doc = this.#values.nextWithValue(target))
  }

  cost(): number {
    return this.#values.docCount
  }
}
