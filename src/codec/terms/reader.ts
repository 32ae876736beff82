import { compareByteRanges } from '../../util/bytes.ts'
import { CorruptSegmentError } from '../../util/errors.ts'
import { EntryCursor } from '../entry-cursor.ts'
import { inverseNorms } from '../norms/inverse.ts'
import { runBytes } from '../positions/writer.ts'
import { BLOCK_DOCS, HAS_FREQS, HAS_IMPACTS, HAS_POSITIONS } from '../postings/format.ts'
import { checkSection, partOf, type Section } from '../section.ts'
import {
  GROUP_TERMS,
  HAS_POSTINGS,
  INDEX_ENTRY_BYTES,
  TERMS_HEADER_BYTES,
  TERMS_VERSION,
  type TermState,
} from './format.ts'
import { type LookupKernel, TermLookup } from './term-lookup.ts'

/** The dictionary of one field of one leaf. */
export class TermsReader {
  readonly termCount: number
  readonly section: Section
  readonly flags: number
  readonly groupCount: number
  readonly index: number
  /** Inverse norms at the field's own average length, for the impacts of singletons. */
  readonly inverse: Float32Array
  readonly #lookup: TermLookup
  #iterator: TermsIterator | null = null

  /**
   * @param averageLength the one that the field's impacts were made with; 0 without norms
   * @param kernel        null: look-ups run in TypeScript
   */
  constructor(section: Section, averageLength: number, kernel: LookupKernel | null = null) {
    checkSection(section, TERMS_VERSION, TERMS_HEADER_BYTES)
    const { u32 } = section.views
    const header = section.start >> 2
    this.section = section
    this.flags = u32[header + 1]!
    this.termCount = u32[header + 2]!
    this.groupCount = u32[header + 3]!
    if (this.groupCount !== Math.ceil(this.termCount / GROUP_TERMS))
      throw new CorruptSegmentError(
        section.name,
        12,
        `${Math.ceil(this.termCount / GROUP_TERMS)} groups`,
        `${this.groupCount}`,
      )
    this.index = partOf(section, 16, this.groupCount * INDEX_ENTRY_BYTES)
    this.inverse = inverseNorms(averageLength)
    this.#lookup = new TermLookup(this, kernel)
  }

  /** Whether its terms have postings; a dictionary for ordinals alone has none. */
  get hasPostings(): boolean {
    return (this.flags & HAS_POSTINGS) !== 0
  }

  /** The state of a term, or null when the leaf does not have it. */
  lookup(term: Uint8Array): TermState | null {
    return this.#lookup.find(term)
  }

  /** The same for a term as text. */
  lookupText(term: string): TermState | null {
    return this.#lookup.findText(term)
  }

  /** The ord of a term, or −1. */
  ordOf(term: Uint8Array): number {
    return this.#lookup.ordOf(term)
  }

  /** The ord of the first term at or above `term`; `termCount` when there is none. */
  ceilingOf(term: Uint8Array): number {
    return this.#lookup.ceilingOf(term)
  }

  /** The last group whose first term is not above `term`, or the first group; there must be one. */
  groupOf(term: Uint8Array): number {
    return this.#lookup.groupOf(term)
  }

  /**
   * Address of a group's first entry.
   * @throws {CorruptSegmentError} it is outside the section
   */
  startOf(group: number): number {
    return this.#lookup.startOf(group)
  }

  /**
   * A term's max impact; Infinity when there is none.
   * @param at        its address, or for a singleton the code of its document's length
   * @param singleDoc −1 for other terms
   */
  impactAt(at: number, singleDoc: number, totalTermFreq: number): number {
    return this.#lookup.impactAt(at, singleDoc, totalTermFreq)
  }

  /** The term with an ord of 0 … termCount−1, as a copy. */
  termOfOrd(ord: number): Uint8Array {
    const iterator = (this.#iterator ??= this.iterator())
    iterator.seekOrd(ord)
    return iterator.term().slice()
  }

  /** An iterator before the first term. */
  iterator(): TermsIterator {
    return new TermsIterator(this)
  }
}

/**
 * Iterates over a dictionary in ascending order. Starts before the first term; `term`, `ord` and
 * `state` describe the current one and are valid until the next move.
 */
export class TermsIterator extends EntryCursor {
  readonly #reader: TermsReader
  readonly #hasPostings: boolean
  readonly #hasFreqs: boolean
  readonly #hasImpacts: boolean
  readonly #hasPositions: boolean
  #ord = -1
  #group = -1
  #nextBlock = 0
  #nextTailAt = 0
  #nextPositionsAt = 0
  #docFreq = 0
  #totalTermFreq = 0
  /** Address of the term's impact, or for a singleton the code of its document's length. */
  #impactAt = 0
  #firstBlock = -1
  #singleDoc = -1
  #tailAt = 0
  #positionsAt = 0
  #positionsWidth = 0

  constructor(reader: TermsReader) {
    super(reader.section, reader.section.start + reader.section.length)
    this.#reader = reader
    this.#hasPostings = (reader.flags & HAS_POSTINGS) !== 0
    this.#hasFreqs = (reader.flags & HAS_FREQS) !== 0
    this.#hasImpacts = (reader.flags & HAS_IMPACTS) !== 0
    this.#hasPositions = (reader.flags & HAS_POSITIONS) !== 0
  }

  /** The current term's bytes, in a buffer that the next move overwrites. */
  term(): Uint8Array {
    return this.key.subarray(0, this.keyLength)
  }

  ord(): number {
    return this.#ord
  }

  get docFreq(): number {
    return this.#docFreq
  }

  state(): TermState {
    return {
      docFreq: this.#docFreq,
      totalTermFreq: this.#totalTermFreq,
      // Read on demand, not for terms that are only passed.
      impact: this.#reader.impactAt(this.#impactAt, this.#singleDoc, this.#totalTermFreq),
      firstBlock: this.#firstBlock,
      singleDoc: this.#singleDoc,
      tailAt: this.#tailAt,
      positionsAt: this.#positionsAt,
      positionsWidth: this.#positionsWidth,
    }
  }

  /** Whether the current term is below `other`. */
  isBelow(other: Uint8Array): boolean {
    return compareByteRanges(this.key, 0, this.keyLength, other, 0, other.length) < 0
  }

  isAt(term: Uint8Array): boolean {
    if (term.length !== this.keyLength) return false
    for (let i = 0; i < term.length; i++) if (term[i] !== this.key[i]) return false
    return true
  }

  /** Moves to the next term; false past the last one. */
  next(): boolean {
    const ord = this.#ord + 1
    if (ord >= this.#reader.termCount) {
      this.#ord = this.#reader.termCount
      return false
    }
    if (ord % GROUP_TERMS === 0) this.#openGroup(ord / GROUP_TERMS)
    this.#readEntry()
    return true
  }

  /** Moves to the first term at or above `target`; false when there is none. */
  seekCeil(target: Uint8Array): boolean {
    if (this.#reader.groupCount === 0) {
      this.#ord = 0
      return false
    }
    this.#openGroup(this.#reader.groupOf(target))
    while (this.next()) {
      if (compareByteRanges(this.key, 0, this.keyLength, target, 0, target.length) >= 0) return true
    }
    return false
  }

  /** Moves to the term with an ord of 0 … termCount−1. */
  seekOrd(ord: number): void {
    const group = Math.floor(ord / GROUP_TERMS)
    if (this.#group !== group || this.#ord > ord || this.#ord < group * GROUP_TERMS)
      this.#openGroup(group)
    while (this.#ord < ord) this.next()
  }

  #openGroup(group: number): void {
    const { u32 } = this.section.views
    const entry = (this.#reader.index + group * INDEX_ENTRY_BYTES) >> 2
    this.#group = group
    this.at = this.#reader.startOf(group)
    this.#nextBlock = u32[entry + 1]!
    this.#nextTailAt = u32[entry + 2]!
    this.#nextPositionsAt = u32[entry + 3]!
    this.#ord = group * GROUP_TERMS - 1
  }

  #readEntry(): void {
    this.readKey()
    this.#ord++
    this.#docFreq = this.varint()
    if (this.#hasPostings) this.#readOffsets()
  }

  #readOffsets(): void {
    const docFreq = this.#docFreq
    this.#positionsWidth = 0
    this.#singleDoc = -1
    this.#tailAt = this.#nextTailAt
    this.#positionsAt = this.#nextPositionsAt
    this.#firstBlock = -1
    if (docFreq === 1) {
      this.#singleDoc = this.varint()
      this.#totalTermFreq = this.#hasFreqs ? this.varint() + 1 : 1
      this.#impactAt = this.at
      if (this.#hasImpacts) this.at++
    } else {
      this.#totalTermFreq = docFreq + (this.#hasFreqs ? this.varint() : 0)
      this.#impactAt = this.at
      if (this.#hasImpacts) this.at += 4
      if (docFreq < BLOCK_DOCS) this.#nextTailAt += this.varint()
    }
    if (docFreq >= BLOCK_DOCS) {
      this.#firstBlock = this.#nextBlock
      this.#nextBlock += Math.ceil(docFreq / BLOCK_DOCS)
    } else if (this.#hasPositions) {
      this.#positionsWidth = this.u8[this.at++]!
      this.#nextPositionsAt += runBytes(this.#totalTermFreq, this.#positionsWidth)
    }
    this.checkEnd(this.at)
  }
}
