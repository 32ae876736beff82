import { compareByteRanges } from '../../util/bytes.ts'
import { CorruptSegmentError } from '../../util/errors.ts'
import { EntryCursor } from '../entry-cursor.ts'
import { checkSection, partOf, type Section } from '../section.ts'
import {
  COMPLETIONS_CONTEXTS,
  COMPLETIONS_FANOUT,
  COMPLETIONS_HEADER_BYTES,
  COMPLETIONS_VERSION,
  CONTEXT_END,
  maximaLevels,
  TOKEN_SEPARATOR,
} from './format.ts'

const BLANK = 0x20

/** The completions of one field of one leaf. */
export class CompletionsReader {
  readonly section: Section
  /** Entries. */
  readonly count: number
  readonly blockCount: number
  /** Whether keys begin with a context. */
  readonly hasContexts: boolean
  /** Address of the blocks, and where the last one ends. */
  readonly data: number
  readonly dataEnd: number
  /** Word offset of each level of the maxima, from the blocks up. */
  readonly #levels: number[] = []
  /** Nodes of each level. */
  readonly #levelSizes: readonly number[]
  /** Word offset of the index. */
  readonly #index: number
  readonly #cursor: CompletionCursor

  /** @throws {CorruptSegmentError} its header contradicts its length */
  constructor(section: Section) {
    checkSection(section, COMPLETIONS_VERSION, COMPLETIONS_HEADER_BYTES)
    const { u32 } = section.views
    const header = section.start >> 2
    this.section = section
    this.count = u32[header + 1]!
    this.blockCount = u32[header + 2]!
    this.hasContexts = (u32[header + 3]! & COMPLETIONS_CONTEXTS) !== 0
    if (this.count === 0 || this.blockCount !== Math.ceil(this.count / COMPLETIONS_FANOUT))
      throw new CorruptSegmentError(
        section.name,
        8,
        `${Math.ceil(this.count / COMPLETIONS_FANOUT)} blocks of some entries`,
        `${this.blockCount}`,
      )
    this.#levelSizes = maximaLevels(this.blockCount)
    const nodes = this.#levelSizes.reduce((sum, size) => sum + size, 0)
    let level = partOf(section, 16, 4 * nodes) >> 2
    for (const size of this.#levelSizes) {
      this.#levels.push(level)
      level += size
    }
    this.#index = partOf(section, 20, 4 * (this.blockCount + 1)) >> 2
    this.data = partOf(section, 24, u32[this.#index + this.blockCount]!)
    this.dataEnd = this.data + u32[this.#index + this.blockCount]!
    this.#cursor = new CompletionCursor(this)
  }

  /** Levels of the maxima; level 0 is the blocks. */
  get levelCount(): number {
    return this.#levels.length
  }

  /** Nodes of a level. */
  levelSize(level: number): number {
    return this.#levelSizes[level]!
  }

  /** The max weight of the entries below a node. */
  maxWeight(level: number, node: number): number {
    return this.section.views.u32[this.#levels[level]! + node]!
  }

  /** Address of a block. */
  blockAt(block: number): number {
    const at = this.data + this.section.views.u32[this.#index + block]!
    if (at < this.data || at > this.dataEnd)
      throw new CorruptSegmentError(
        this.section.name,
        4 * (this.#index + block) - this.section.start,
        'a block inside the section',
        `${at - this.section.start}`,
      )
    return at
  }

  /** A cursor of its own; it stands nowhere yet. */
  cursor(): CompletionCursor {
    return new CompletionCursor(this)
  }

  /** The number of the first entry whose key is at or above a target; `count` when there is none. */
  seekCeil(target: Uint8Array): number {
    const cursor = this.#cursor
    let low = 0
    let high = this.blockCount - 1
    // The last block whose first key is below the target: equal keys may begin in the block before.
    while (low < high) {
      const middle = (low + high + 1) >> 1
      cursor.moveTo(middle * COMPLETIONS_FANOUT)
      if (cursor.compareKey(target) < 0) low = middle
      else high = middle - 1
    }
    const end = Math.min(this.count, (low + 1) * COMPLETIONS_FANOUT)
    for (let entry = low * COMPLETIONS_FANOUT; entry < end; entry++) {
      cursor.moveTo(entry)
      if (cursor.compareKey(target) >= 0) return entry
    }
    return end
  }
}

/** One entry at a time. */
export class CompletionCursor extends EntryCursor {
  readonly #reader: CompletionsReader
  /** Number of the entry; −1 before the first move. */
  entry = -1
  weight = 0
  doc = 0
  #surfaceAt = 0
  #surfaceLength = 0

  constructor(reader: CompletionsReader) {
    super(reader.section, reader.dataEnd)
    this.#reader = reader
  }

  /**
   * Moves to an entry of 0 … count − 1.
   * @throws {CorruptSegmentError} an entry that passes the end of its section
   */
  moveTo(entry: number): void {
    if (entry === this.entry) return
    const block = Math.floor(entry / COMPLETIONS_FANOUT)
    const first = block * COMPLETIONS_FANOUT
    let next = this.entry + 1
    if (this.entry < first || entry < this.entry) {
      this.at = this.#reader.blockAt(block)
      this.keyLength = 0
      next = first
    }
    for (; next <= entry; next++) this.#read()
    this.entry = entry
  }

  /** Compares the key with a byte string: below, at or above it. */
  compareKey(other: Uint8Array): number {
    return compareByteRanges(this.key, 0, this.keyLength, other, 0, other.length)
  }

  /** Bytes of the context before the analysed input, its end included; 0 without contexts. */
  contextLength(): number {
    return this.#reader.hasContexts
      ? this.key.subarray(0, this.keyLength).indexOf(CONTEXT_END) + 1
      : 0
  }

  /** A copy of the surface form. */
  surface(): Uint8Array {
    if (this.#surfaceLength > 0)
      return this.u8.slice(this.#surfaceAt, this.#surfaceAt + this.#surfaceLength)
    const input = this.key.slice(this.contextLength(), this.keyLength)
    return input.map(byte => (byte === TOKEN_SEPARATOR ? BLANK : byte))
  }

  #read(): void {
    this.readKey()
    this.weight = this.varint()
    this.doc = this.varint()
    this.#surfaceLength = this.varint()
    this.#surfaceAt = this.at
    this.at += this.#surfaceLength
    this.checkEnd(this.at)
  }

  protected override corrupt(expected: string, found: string): never {
    // Nothing may be read on from a corrupt entry.
    this.entry = -1
    return super.corrupt(expected, found)
  }
}
