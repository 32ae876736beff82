/**
 * One field of a buffer. Nothing is inverted while documents come in: a token is looked up in the
 * field's term table and its number appended to a log, four bytes a token; a number goes to a
 * column. The seal walks the logs of the live documents twice, to count and to place. So a document
 * that fails half way is taken back by cutting the logs, and dead documents cost nothing in the
 * segment.
 *
 *   log := per document its values' tokens in order: a term number; a token that does not stand one
 *          position after the one before has −1 − increment in front (fields with positions only)
 */
import type { TokenSink, WordSink } from '../analysis/analyzer/analyzer.ts'
import { LongColumn } from '../codec/doc-values/long-column.ts'
import type { ValueKind } from '../codec/doc-values/value-kind.ts'
import type { IndexOptions } from '../schema/field-storage.ts'
import { IllegalArgumentError } from '../util/errors.ts'
import type { BufferMemory } from './buffer-memory.ts'
import { TermLog } from './term-log.ts'

/** Longest term in bytes, as in Lucene. */
export const MAX_TERM_BYTES = 32766

/** Tokens of one document that custom frequencies may make of it. */
const MAX_REPEATED = 1 << 20

/** What is kept of a field. */
export interface FieldBufferOptions {
  readonly name: string
  readonly indexOptions: IndexOptions
  readonly hasNorms: boolean
  /** `ordinals` of its terms, `numeric` values, or none. */
  readonly docValues: 'none' | 'numeric' | 'ordinals'
  readonly valueKind: ValueKind
  readonly hasPoints: boolean
}

/** Positions that fit the format; a longer field is refused. */
const MAX_POSITION = 2147483519

/** A field of a buffer and what its documents hold. */
export class FieldBuffer implements TokenSink, WordSink {
  readonly name: string
  readonly indexOptions: IndexOptions
  readonly hasNorms: boolean
  /** Of `docs`, how many have a norm: those from before norms were turned off. */
  normedCount: number = Number.POSITIVE_INFINITY
  readonly docValues: 'none' | 'numeric' | 'ordinals'
  readonly valueKind: ValueKind
  readonly hasPoints: boolean
  readonly hasPositions: boolean
  readonly tokens: TermLog
  /** Documents (slots) that have the field, ascending. */
  docs: Int32Array<ArrayBuffer> = new Int32Array(16)
  docCount = 0
  /** Where in the log, and in the values, each of them starts. */
  logStarts: Int32Array<ArrayBuffer> = new Int32Array(16)
  valueStarts: Int32Array<ArrayBuffer> = new Int32Array(16)
  /** Tokens of each, those that share their position with the one before left out. */
  lengths: Int32Array<ArrayBuffer> = new Int32Array(16)
  readonly values: LongColumn = new LongColumn(16)
  /** Of the current document: the last token's position, plus the gap once a value has ended. */
  position = -1

  constructor(options: FieldBufferOptions, memory: BufferMemory) {
    this.name = options.name
    this.indexOptions = options.indexOptions
    this.hasNorms = options.hasNorms
    this.docValues = options.docValues
    this.valueKind = options.valueKind
    this.hasPoints = options.hasPoints
    this.hasPositions = options.indexOptions === 'positions'
    this.tokens = new TermLog(memory, this.hasPositions)
  }

  /** Takes whole runs of words, where the analyzer knows them to be plain. */
  get words(): WordSink {
    return this
  }

  /** Bytes of memory taken. */
  get bytes(): number {
    return this.tokens.bytes + 16 * this.docs.length + 8 * this.values.hi.length
  }

  /** Notes that a document has the field, unless it is noted already; true when it was new. */
  startDocument(slot: number): boolean {
    const count = this.docCount
    if (count > 0 && this.docs[count - 1] === slot) return false
    if (count === this.docs.length) this.#growDocs()
    this.docs[count] = slot
    this.logStarts[count] = this.tokens.logLength
    this.valueStarts[count] = this.values.length
    this.lengths[count] = 0
    this.docCount = count + 1
    this.position = -1
    this.tokens.lastPosition = -1
    this.tokens.length = 0
    return true
  }

  /** Takes back the document that was noted last. */
  dropDocument(): void {
    const last = --this.docCount
    this.tokens.logLength = this.logStarts[last]!
    this.values.length = this.valueStarts[last]!
  }

  /** Later documents have no norms. */
  turnNormsOff(): void {
    this.normedCount = Math.min(this.normedCount, this.docCount)
  }

  /** Adds a token of an analysed value at an absolute position. */
  token(bytes: Uint8Array, start: number, end: number, position: number): void {
    if (end - start > MAX_TERM_BYTES) throw immenseTerm(this.name, bytes, start, end)
    const { tokens } = this
    const term = tokens.add(bytes, start, end)
    tokens.reserveLog(2)
    const increment = position - tokens.lastPosition
    if (this.hasPositions && increment !== 1) {
      this.#checkPosition(position)
      tokens.push(-1 - increment)
    }
    tokens.push(term)
    if (increment !== 0) tokens.length++
    tokens.lastPosition = position
    this.lengths[this.docCount - 1] = tokens.length
  }

  /** Adds a token that counts as many: each is logged, so their number is bounded. */
  repeated(bytes: Uint8Array, start: number, end: number, position: number, count: number): void {
    if (this.hasPositions)
      throw new IllegalArgumentError(
        `field "${this.name}": cannot index positions while using custom TermFrequencyAttribute`,
      )
    const last = this.docCount - 1
    if (this.lengths[last]! + count > MAX_REPEATED)
      throw new IllegalArgumentError(
        `term frequencies of field "${this.name}" sum up to more than ${MAX_REPEATED}`,
      )
    this.token(bytes, start, end, position)
    const { tokens } = this
    const term = tokens.add(bytes, start, end)
    for (let i = 1; i < count; i++) {
      tokens.reserveLog(1)
      tokens.push(term)
    }
    tokens.length += count - 1
    this.lengths[last] = tokens.length
  }

  /** Takes hold of a text, `bytes[start, end)`, whose plain words this field is to find itself. */
  openText(bytes: Uint8Array, start: number, end: number): void {
    this.tokens.openText(bytes, start, end)
  }

  takeWords(from: number, position: number): number {
    const { tokens } = this
    if (position + 1 - tokens.lastPosition !== 1) this.#checkPosition(position + 1)
    const to = tokens.takeWords(from, position)
    this.lengths[this.docCount - 1] = tokens.length
    return to
  }

  lastPosition(): number {
    return this.tokens.lastPosition
  }

  /** Adds a whole value as one term. */
  keyword(bytes: Uint8Array, start: number, end: number): void {
    if (end - start > MAX_TERM_BYTES) throw immenseTerm(this.name, bytes, start, end)
    const { tokens } = this
    const term = tokens.add(bytes, start, end)
    tokens.reserveLog(1)
    tokens.push(term)
    this.lengths[this.docCount - 1] = ++tokens.length
  }

  /** Adds a number in its stored form. */
  number(hi: number, lo: number): void {
    this.values.push(hi, lo)
  }

  #growDocs(): void {
    const size = this.docs.length * 2
    this.docs = grown(this.docs, size)
    this.logStarts = grown(this.logStarts, size)
    this.valueStarts = grown(this.valueStarts, size)
    this.lengths = grown(this.lengths, size)
  }

  #checkPosition(position: number): void {
    if (!this.hasPositions || position <= MAX_POSITION) return
    throw new IllegalArgumentError(
      `position ${position} is too large for field '${this.name}': the largest is ${MAX_POSITION}`,
    )
  }
}

function grown(array: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(size)
  larger.set(array)
  return larger
}

/** The error of a term that no dictionary takes. */
function immenseTerm(
  field: string,
  bytes: Uint8Array,
  start: number,
  end: number,
): IllegalArgumentError {
  const prefix = [...new Int8Array(bytes.slice(start, start + 30).buffer)].join(', ')
  return new IllegalArgumentError(
    `Document contains at least one immense term in field="${field}" (whose UTF8 encoding is ` +
      `longer than the max length ${MAX_TERM_BYTES}), all of which were skipped.  Please correct ` +
      'the analyzer to not produce such terms.  The prefix of the first immense term is: ' +
      `'[${prefix}]...', original message: bytes can be at most ${MAX_TERM_BYTES} in length; ` +
      `got ${end - start}`,
    {
      causedBy: {
        type: 'illegal_argument_exception',
        reason: `bytes can be at most ${MAX_TERM_BYTES} in length; got ${end - start}`,
      },
    },
  )
}
