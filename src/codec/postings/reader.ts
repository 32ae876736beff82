/** Readers of a postings section; `format.ts` draws it. */
import type { Decoders } from '../../kernels/kernel-module.ts'
import type { ArenaViews } from '../../store/arena.ts'
import { CorruptSegmentError } from '../../util/errors.ts'
import { type DocIdIterator, NO_MORE_DOCS } from '../doc-id-iterator.ts'
import { POSITIONS_HEADER_BYTES, POSITIONS_VERSION } from '../positions/format.ts'
import { checkSection, partOf, type Section } from '../section.ts'
import type { TermState } from '../terms/format.ts'
import {
  BLOCK_DOCS,
  BYTE_CODED,
  HAS_FREQS,
  HAS_IMPACTS,
  HAS_POSITIONS,
  POSTINGS_HEADER_BYTES,
  POSTINGS_VERSION,
} from './format.ts'

/** Scratch of one iterator: doc IDs, frequencies, their prefix sums, positions. */
export const POSTINGS_SCRATCH_BYTES: number = 4 * 4 * BLOCK_DOCS

/** Counters of an iterator, for statistics and tests. */
export interface PostingsCounters {
  blocksDecoded: number
  blocksSkipped: number
}

/** The postings of one field of one leaf: the addresses of its columns. */
export class PostingsReader {
  readonly section: Section
  readonly kernels: Decoders
  readonly hasFreqs: boolean
  readonly hasImpacts: boolean
  readonly hasPositions: boolean
  readonly blockCount: number
  /** Offsets in the views: word indices for the u32 and f32 columns, byte addresses otherwise. */
  readonly lastDocs: number
  readonly blockOffsets: number
  readonly impacts: number
  readonly positionOffsets: number
  readonly docBits: number
  readonly freqBits: number
  readonly positionBits: number
  readonly tails: number
  readonly end: number
  readonly positions: Section | null
  readonly smallPositions: number

  /** @param positions the field's positions section if loaded, else null */
  constructor(section: Section, positions: Section | null, kernels: Decoders) {
    checkSection(section, POSTINGS_VERSION, POSTINGS_HEADER_BYTES)
    const { u32 } = section.views
    const header = section.start >> 2
    const flags = u32[header + 1]!
    const count = u32[header + 2]!
    this.section = section
    this.kernels = kernels
    this.hasFreqs = (flags & HAS_FREQS) !== 0
    this.hasImpacts = (flags & HAS_IMPACTS) !== 0
    this.hasPositions = (flags & HAS_POSITIONS) !== 0
    this.blockCount = count
    this.lastDocs = partOf(section, 12, 4 * count) >> 2
    this.blockOffsets = partOf(section, 16, 4 * count) >> 2
    this.impacts = this.hasImpacts ? partOf(section, 20, 4 * count) >> 2 : 0
    this.positionOffsets = this.hasPositions ? partOf(section, 24, 4 * count) >> 2 : 0
    this.docBits = partOf(section, 28, count)
    this.freqBits = partOf(section, 32, count)
    this.positionBits = this.hasPositions ? partOf(section, 36, count) : 0
    this.tails = partOf(section, 40, 0)
    this.end = partOf(section, 44, 0)
    this.positions = positions
    this.smallPositions = 0
    if (positions !== null) {
      checkSection(positions, POSITIONS_VERSION, POSITIONS_HEADER_BYTES)
      partOf(positions, 4, 0)
      partOf(positions, 8, 0)
      this.smallPositions = positions.start + POSITIONS_HEADER_BYTES
    }
  }

  /**
   * Address of the tail of a term of 2–127 documents.
   * @throws {CorruptSegmentError} it is outside the section
   */
  tailOf(state: TermState): number {
    const at = this.tails + state.tailAt
    if (at < this.end && state.docFreq < BLOCK_DOCS) return at
    throw new CorruptSegmentError(
      this.section.name,
      at - this.section.start,
      `a tail before byte ${this.end - this.section.start}`,
      `one at ${at - this.section.start}`,
    )
  }

  /**
   * An iterator over a term's postings.
   * @param scratch address of `POSTINGS_SCRATCH_BYTES` in the same memory, reserved for the
   *                iterator; a multiple of 16
   */
  iterator(state: TermState, scratch: number): PostingsIterator {
    return new PostingsIterator(this, state, scratch)
  }
}

/** The postings of one term of one leaf, decoded block by block into scratch. */
export class PostingsIterator implements DocIdIterator {
  readonly counters: PostingsCounters = { blocksDecoded: 0, blocksSkipped: 0 }
  readonly #reader: PostingsReader
  readonly #state: TermState
  readonly #kernels: Decoders
  readonly #views: ArenaViews
  readonly #i32: Int32Array
  readonly #u32: Uint32Array
  /** Byte address of the scratch, and word indices of its parts. */
  readonly #scratch: number
  readonly #docs: number
  readonly #freqs: number
  readonly #blockCount: number
  /** Word index of the term's first entry in the column of last docs. */
  readonly #lastDocs: number
  #block = -1
  #slot = 0
  #count = 0
  #doc = -1
  #lastInBlock = -1
  #freqsAt = 0
  #freqsDecoded = false
  #sumsDecoded = false
  #shallowBlock = 0
  #positionsTaken = 0
  #positionsDoc = -1
  #positionsCount = 0
  #positionsStart = 0
  #chunkStart = 0
  #chunkEnd = 0

  constructor(reader: PostingsReader, state: TermState, scratch: number) {
    this.#reader = reader
    this.#state = state
    this.#kernels = reader.kernels
    this.#views = reader.section.views
    this.#i32 = this.#views.i32
    this.#u32 = this.#views.u32
    this.#scratch = scratch
    this.#docs = scratch >> 2
    this.#freqs = this.#docs + BLOCK_DOCS
    this.#blockCount = state.firstBlock < 0 ? 1 : Math.ceil(state.docFreq / BLOCK_DOCS)
    this.#lastDocs = reader.lastDocs + Math.max(state.firstBlock, 0)
    if (state.firstBlock + this.#blockCount > reader.blockCount && state.firstBlock >= 0)
      throw new CorruptSegmentError(
        reader.section.name,
        8,
        `at least ${state.firstBlock + this.#blockCount} blocks`,
        `${reader.blockCount}`,
      )
  }

  docId(): number {
    return this.#doc
  }

  cost(): number {
    return this.#state.docFreq
  }

  nextDoc(): number {
    const slot = this.#slot + 1
    if (slot < this.#count) {
      this.#slot = slot
      return (this.#doc = this.#i32[this.#docs + slot]!)
    }
    return this.#openBlock(this.#block + 1)
  }

  advance(target: number): number {
    if (target > this.#lastInBlock) {
      const block = this.#findBlock(target, this.#block + 1)
      this.counters.blocksSkipped += block - this.#block - 1
      if (this.#openBlock(block) >= target) return this.#doc
      // A small term's block has no last doc before it is decoded.
      if (target > this.#lastInBlock) return this.#openBlock(block + 1)
    }
    const i32 = this.#i32
    const docs = this.#docs
    let slot = this.#slot + 1
    if (this.#count === BLOCK_DOCS) {
      // Most moves are short: check the next few slots before a binary search.
      const near = slot + 4
      while (slot < near && slot < BLOCK_DOCS && i32[docs + slot]! < target) slot++
      if (slot === near) {
        let low = slot
        let high = BLOCK_DOCS - 1
        while (low < high) {
          const middle = (low + high) >>> 1
          if (i32[docs + middle]! < target) low = middle + 1
          else high = middle
        }
        slot = low
      }
    } else while (i32[docs + slot]! < target) slot++
    this.#slot = slot
    return (this.#doc = i32[docs + slot]!)
  }

  /** Frequency in the current document; 1 when frequencies are not stored. */
  freq(): number {
    if (!this.#freqsDecoded) this.#decodeFreqs()
    return this.#i32[this.#freqs + this.#slot]!
  }

  /**
   * Moves the look-ahead to the block that holds `target`, without decoding.
   * @returns the last doc ID of that block; `NO_MORE_DOCS` in and after the last block
   */
  shallowAdvance(target: number): number {
    if (this.#state.firstBlock < 0) return NO_MORE_DOCS
    const start = Math.max(this.#block, 0)
    this.#shallowBlock =
      this.#shallowBlock >= start &&
      this.#lastDocOf(this.#shallowBlock) >= target &&
      (this.#shallowBlock === 0 || this.#lastDocOf(this.#shallowBlock - 1) < target)
        ? this.#shallowBlock
        : this.#findBlock(target, start)
    return this.#shallowBlock >= this.#blockCount - 1
      ? NO_MORE_DOCS
      : this.#u32[this.#lastDocs + this.#shallowBlock]!
  }

  /**
   * The max impact from the look-ahead's block through the one that holds `upTo`, at the field's
   * own average length; Infinity when the field has none, 0 past the end.
   */
  maxImpact(upTo: number): number {
    const reader = this.#reader
    if (!reader.hasImpacts) return Number.POSITIVE_INFINITY
    if (this.#state.firstBlock < 0 || (upTo === NO_MORE_DOCS && this.#shallowBlock === 0))
      return this.#state.impact
    const impacts = this.#views.f32
    const first = reader.impacts + this.#state.firstBlock
    let max = 0
    for (let block = this.#shallowBlock; block < this.#blockCount; block++) {
      const impact = impacts[first + block]!
      if (impact > max) max = impact
      if (this.#u32[this.#lastDocs + block]! >= upTo) break
    }
    return max
  }

  /** The max impact of all the term's postings. */
  termImpact(): number {
    return this.#reader.hasImpacts ? this.#state.impact : Number.POSITIVE_INFINITY
  }

  /**
   * The next position of the current document, ascending; call at most `freq()` times. Needs the
   * field's positions section.
   */
  nextPosition(): number {
    if (this.#positionsDoc !== this.#doc) this.#startPositions()
    const index = this.#positionsTaken++
    if (index >= this.#chunkEnd) this.#loadPositions(index)
    return this.#i32[this.#freqs + 2 * BLOCK_DOCS + index - this.#chunkStart]!
  }

  #lastDocOf(block: number): number {
    return block < this.#blockCount ? this.#u32[this.#lastDocs + block]! : NO_MORE_DOCS
  }

  /**
   * The first block from `from` on with a last doc at or above `target`; the number of blocks if
   * none.
   */
  #findBlock(target: number, from: number): number {
    if (this.#state.firstBlock < 0) return from
    const u32 = this.#u32
    const lastDocs = this.#lastDocs
    const count = this.#blockCount
    if (from >= count || u32[lastDocs + from]! >= target) return from
    let low = from
    let step = 1
    while (low + step < count && u32[lastDocs + low + step]! < target) {
      low += step
      step *= 2
    }
    let high = Math.min(low + step, count)
    low++
    while (low < high) {
      const middle = (low + high) >>> 1
      if (u32[lastDocs + middle]! < target) low = middle + 1
      else high = middle
    }
    return low
  }

  #openBlock(block: number): number {
    this.#block = block
    this.#slot = 0
    if (block >= this.#blockCount) {
      this.#count = 0
      this.#lastInBlock = NO_MORE_DOCS
      return (this.#doc = NO_MORE_DOCS)
    }
    this.counters.blocksDecoded++
    this.#freqsDecoded = false
    this.#sumsDecoded = false
    const state = this.#state
    if (state.firstBlock >= 0) this.#decodeBlock(block)
    else if (state.singleDoc >= 0) {
      this.#i32[this.#docs] = state.singleDoc
      this.#i32[this.#freqs] = state.totalTermFreq
      this.#freqsDecoded = true
      this.#count = 1
      this.#lastInBlock = state.singleDoc
    } else this.#decodeTail(this.#reader.tails + state.tailAt, state.docFreq, -1)
    return (this.#doc = this.#i32[this.#docs]!)
  }

  #decodeBlock(block: number): void {
    const reader = this.#reader
    const entry = this.#state.firstBlock + block
    const at = reader.section.start + this.#u32[reader.blockOffsets + entry]!
    // A block of neighbours that have the term once has no bytes, and may stand behind all others.
    if (at > reader.end) this.#corrupt(entry, at)
    const before = block === 0 ? -1 : this.#u32[this.#lastDocs + block - 1]!
    const last = this.#u32[this.#lastDocs + block]!
    const bits = this.#views.u8[reader.docBits + entry]!
    if (bits === BYTE_CODED) {
      this.#decodeTail(at, this.#state.docFreq - block * BLOCK_DOCS, before)
      return
    }
    this.#freqsAt = this.#kernels.decodeDocs(at, bits, before, last, this.#scratch)
    this.#count = BLOCK_DOCS
    this.#lastInBlock = last
  }

  #decodeTail(at: number, count: number, before: number): void {
    if (at >= this.#reader.end || count >= BLOCK_DOCS) this.#corrupt(-1, at)
    const hasFreqs = this.#reader.hasFreqs ? 1 : 0
    const freqs = this.#scratch + 4 * BLOCK_DOCS
    this.#kernels.decodeTail(at, count, hasFreqs, before, this.#scratch, freqs)
    this.#freqsDecoded = true
    this.#count = count
    this.#lastInBlock = this.#i32[this.#docs + count - 1]!
  }

  #decodeFreqs(): void {
    this.#freqsDecoded = true
    if (!this.#reader.hasFreqs) {
      this.#i32.fill(1, this.#freqs, this.#freqs + BLOCK_DOCS)
      return
    }
    const entry = this.#state.firstBlock + this.#block
    const bits = this.#views.u8[this.#reader.freqBits + entry]!
    this.#kernels.decodeFreqs(this.#freqsAt, bits, this.#scratch + 4 * BLOCK_DOCS)
  }

  #startPositions(): void {
    const freq = this.freq()
    if (!this.#sumsDecoded) {
      const scratch = this.#scratch
      this.#kernels.sumFreqs(scratch + 4 * BLOCK_DOCS, scratch + 8 * BLOCK_DOCS)
      this.#sumsDecoded = true
    }
    this.#positionsDoc = this.#doc
    this.#positionsCount = freq
    this.#positionsStart = this.#i32[this.#freqs + BLOCK_DOCS + this.#slot]!
    this.#positionsTaken = 0
    this.#chunkStart = 0
    this.#chunkEnd = 0
  }

  #loadPositions(index: number): void {
    const reader = this.#reader
    const state = this.#state
    const count = Math.min(this.#positionsCount - index, BLOCK_DOCS)
    let at: number
    let width: number
    if (state.firstBlock < 0) {
      at = reader.smallPositions + state.positionsAt
      width = state.positionsWidth
    } else {
      const entry = state.firstBlock + this.#block
      at = reader.positions!.start + this.#u32[reader.positionOffsets + entry]!
      width = this.#views.u8[reader.positionBits + entry]!
    }
    const out = this.#scratch + 12 * BLOCK_DOCS
    this.#kernels.unpackPositions(at, width, this.#positionsStart + index, count, out)
    this.#chunkStart = index
    this.#chunkEnd = index + count
  }

  #corrupt(entry: number, at: number): never {
    const { section, end } = this.#reader
    throw new CorruptSegmentError(
      section.name,
      entry < 0 ? at - section.start : 4 * entry,
      `a block before byte ${end - section.start}`,
      `one at ${at - section.start}`,
    )
  }
}
