/**
 * The distinct terms of one field of a buffer, numbered in order of arrival, and the log of its
 * tokens. Both lie in the memory that the kernels see; `kernels/assembly/inverter.ts` finds and adds
 * terms, this side gives it room.
 *
 *   record := table u32, 64 − log2 of its entries u32, number of terms u32, bytes u32, their capacity
 *             u32, offsets u32, their capacity in terms u32, log u32, its length u32, has positions
 *             u32, last token's position i32, length of the document i32
 *   table  := entry*                             by hash, open addressing, at most two thirds full
 *   entry  := the term's first eight bytes u64, its length u32, its number + 1 u32 (0: free)
 *   log    := i32*                               `field-buffer.ts` says of what
 */
import type { BufferMemory } from './buffer-memory.ts'
import { StagedBytes } from './staged-bytes.ts'
import type { TermBytes } from './term-order.ts'

// Words of the record.
const TABLE = 0
const SHIFT = 1
const COUNT = 2
const BYTES = 3
const BYTES_CAPACITY = 4
const OFFSETS = 5
const TERMS_CAPACITY = 6
const LOG = 7
const LOG_LENGTH = 8
const HAS_POSITIONS = 9
const LAST_POSITION = 10
const LENGTH = 11

const RECORD_BYTES = 64
const ENTRY_BYTES = 16
const FIRST_TABLE_BITS = 4
const FIRST_TERM_BYTES = 128
const FIRST_TERMS = 16
const FIRST_LOG_BYTES = 256
/** The kernels copy and compare terms eight bytes at a time. */
const TERM_PADDING = 16
/** Below this many bytes a loop copies faster than a call. */
const SHORT_COPY = 24

/** Terms and tokens of a field so far. */
export class TermLog {
  readonly #memory: BufferMemory
  /** Address of the record, and of its first word. */
  readonly #record: number
  readonly #words: number
  #logBytes: number
  readonly #text: StagedBytes
  /** Added to an offset in the open text gives its address. */
  #shift = 0
  #textEnd = 0

  constructor(memory: BufferMemory, hasPositions: boolean) {
    this.#memory = memory
    this.#text = new StagedBytes(memory)
    this.#record = memory.allocate(RECORD_BYTES)
    this.#words = this.#record >> 2
    this.#logBytes = memory.roomOf(FIRST_LOG_BYTES)
    const { i32 } = memory.views
    i32.fill(0, this.#words, this.#words + (RECORD_BYTES >> 2))
    const table = newTable(memory, FIRST_TABLE_BITS)
    i32[this.#words + TABLE] = table
    i32[this.#words + SHIFT] = 64 - FIRST_TABLE_BITS
    i32[this.#words + BYTES] = memory.allocate(FIRST_TERM_BYTES)
    i32[this.#words + BYTES_CAPACITY] = memory.roomOf(FIRST_TERM_BYTES)
    const offsets = memory.allocate(4 * FIRST_TERMS)
    i32[offsets >> 2] = 0
    i32[this.#words + OFFSETS] = offsets
    i32[this.#words + TERMS_CAPACITY] = FIRST_TERMS
    i32[this.#words + LOG] = memory.allocate(FIRST_LOG_BYTES)
    i32[this.#words + HAS_POSITIONS] = hasPositions ? 1 : 0
    i32[this.#words + LAST_POSITION] = -1
  }

  /** Number of distinct terms. */
  get count(): number {
    return this.#get(COUNT)
  }

  /** The terms in place; views that the next token may invalidate. */
  get terms(): TermBytes {
    const { u8, i32 } = this.#memory.views
    const { count } = this
    const offsets = this.#get(OFFSETS) >> 2
    const bytes = this.#get(BYTES)
    return {
      count,
      bytes: u8.subarray(bytes, bytes + i32[offsets + count]!),
      offsets: i32.subarray(offsets, offsets + count + 1),
    }
  }

  /** The log in place; a view that the next token may invalidate. */
  get log(): Int32Array {
    const start = this.#get(LOG) >> 2
    return this.#memory.views.i32.subarray(start, start + this.logLength)
  }

  get logLength(): number {
    return this.#get(LOG_LENGTH)
  }

  set logLength(length: number) {
    this.#set(LOG_LENGTH, length)
  }

  /** In the current document: position of its last token, −1 before the first. */
  get lastPosition(): number {
    return this.#get(LAST_POSITION)
  }

  set lastPosition(position: number) {
    this.#set(LAST_POSITION, position)
  }

  /** In the current document: its tokens, as lengths count them. */
  get length(): number {
    return this.#get(LENGTH)
  }

  set length(length: number) {
    this.#set(LENGTH, length)
  }

  /** Bytes of memory allocated. */
  get bytes(): number {
    return (
      RECORD_BYTES +
      this.#tableBytes() +
      this.#get(BYTES_CAPACITY) +
      4 * this.#get(TERMS_CAPACITY) +
      this.#logBytes
    )
  }

  /** Number of the term `source[start, end)`, added if it is new. */
  add(source: Uint8Array, start: number, end: number): number {
    const { views, scratch, kernels } = this.#memory
    const length = end - start
    if (length < SHORT_COPY) {
      const { u8 } = views
      for (let i = 0; i < length; i++) u8[scratch + i] = source[start + i]!
    } else views.u8.set(source.subarray(start, end), scratch)
    return kernels.findTerm(this.#record, scratch, length)
  }

  /** Reserves `count` more entries of the log. */
  reserveLog(count: number): void {
    const length = this.#get(LOG_LENGTH)
    const needed = 4 * (length + count)
    if (needed <= this.#logBytes) return
    const memory = this.#memory
    this.#set(LOG, memory.enlarge(this.#get(LOG), 4 * length, this.#logBytes, needed))
    this.#logBytes = memory.roomOf(needed)
  }

  /** Appends a reserved entry. */
  push(entry: number): void {
    const { i32 } = this.#memory.views
    const length = i32[this.#words + LOG_LENGTH]!
    i32[(i32[this.#words + LOG]! >> 2) + length] = entry
    i32[this.#words + LOG_LENGTH] = length + 1
  }

  /**
   * Opens a text, `source[start, end)`, until the next one; copied unless it is in this memory
   * already.
   */
  openText(source: Uint8Array, start: number, end: number): void {
    const { views } = this.#memory
    this.#shift = source === views.u8 ? 0 : this.#text.put(source, start, end) - start
    this.#textEnd = end + this.#shift
    this.reserveLog(((end - start) >> 1) + 2)
  }

  /**
   * Adds plain words of the open text from `from` on, at successive positions after `position`; the
   * last one's is then `lastPosition`.
   * @returns the offset of a token that is not a plain word, or the end of the text
   */
  takeWords(from: number, position: number): number {
    const { kernels, classes, scratch } = this.#memory
    const at = from + this.#shift
    const end = this.#textEnd
    return kernels.invertWords(this.#record, at, end, classes, scratch, position) - this.#shift
  }

  /** Frees the memory, once; the log must not be used any more. */
  release(): void {
    const memory = this.#memory
    this.#text.release()
    memory.release(this.#get(TABLE), this.#tableBytes())
    memory.release(this.#get(BYTES), this.#get(BYTES_CAPACITY))
    memory.release(this.#get(OFFSETS), 4 * this.#get(TERMS_CAPACITY))
    memory.release(this.#get(LOG), this.#logBytes)
    memory.release(this.#record, RECORD_BYTES)
  }

  #tableBytes(): number {
    return ENTRY_BYTES * 2 ** (64 - this.#get(SHIFT))
  }

  #get(word: number): number {
    return this.#memory.views.i32[this.#words + word]!
  }

  #set(word: number, value: number): void {
    this.#memory.views.i32[this.#words + word] = value
  }
}

/** Called by a kernel during its walk: enlarges the record at `record`. */
export function makeRoom(
  memory: BufferMemory,
  record: number,
  isTable: boolean,
  bytes: number,
): void {
  const { i32 } = memory.views
  const words = record >> 2
  const count = i32[words + COUNT]!
  if (isTable) {
    const bits = 64 - i32[words + SHIFT]!
    const table = newTable(memory, bits + 1)
    memory.release(i32[words + TABLE]!, ENTRY_BYTES * 2 ** bits)
    i32[words + TABLE] = table
    i32[words + SHIFT] = 64 - bits - 1
    return
  }
  const terms = i32[words + TERMS_CAPACITY]!
  if (count + 2 > terms) {
    i32[words + OFFSETS] = memory.enlarge(i32[words + OFFSETS]!, 4 * terms, 4 * terms, 8 * terms)
    i32[words + TERMS_CAPACITY] = 2 * terms
  }
  const used = i32[(i32[words + OFFSETS]! >> 2) + count]!
  const capacity = i32[words + BYTES_CAPACITY]!
  const needed = used + bytes + TERM_PADDING
  if (needed > capacity) {
    i32[words + BYTES] = memory.enlarge(i32[words + BYTES]!, used, capacity, needed)
    i32[words + BYTES_CAPACITY] = memory.roomOf(needed)
  }
}

function newTable(memory: BufferMemory, bits: number): number {
  const at = memory.allocate(ENTRY_BYTES * 2 ** bits)
  memory.views.i32.fill(0, at >> 2, (at >> 2) + 4 * 2 ** bits)
  return at
}
