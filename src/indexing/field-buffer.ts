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
import type { TokenSink } from '../analysis/analyzer/analyzer.ts'
import { LongColumn } from '../codec/doc-values/long-column.ts'
import type { ValueKind } from '../codec/doc-values/writer.ts'
import type { IndexOptions } from '../schema/field-type.ts'
import { IllegalArgumentError } from '../util/errors.ts'
import { TermTable } from './term-table.ts'

/** Longest term in bytes, as in Lucene. */
export const MAX_TERM_BYTES = 32766

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
export class FieldBuffer implements TokenSink {
  readonly name: string
  readonly indexOptions: IndexOptions
  readonly hasNorms: boolean
  /** Of `docs`, how many have a norm: those from before norms were turned off. */
  normedCount: number = Number.POSITIVE_INFINITY
  readonly docValues: 'none' | 'numeric' | 'ordinals'
  readonly valueKind: ValueKind
  readonly hasPoints: boolean
  readonly hasPositions: boolean
  readonly terms: TermTable = new TermTable()
  /** Documents (slots) that have the field, ascending. */
  docs: Int32Array<ArrayBuffer> = new Int32Array(16)
  docCount = 0
  /** Where in the log, and in the values, each of them starts. */
  logStarts: Int32Array<ArrayBuffer> = new Int32Array(16)
  valueStarts: Int32Array<ArrayBuffer> = new Int32Array(16)
  /** Tokens of each, those that share their position with the one before left out. */
  lengths: Int32Array<ArrayBuffer> = new Int32Array(16)
  log: Int32Array<ArrayBuffer> = new Int32Array(64)
  logLength = 0
  readonly values: LongColumn = new LongColumn(16)
  /** Of the current document: the last token's position, plus the gap once a value has ended. */
  position = -1
  #lastTokenPosition = -1
  #length = 0

  constructor(options: FieldBufferOptions) {
    this.name = options.name
    this.indexOptions = options.indexOptions
    this.hasNorms = options.hasNorms
    this.docValues = options.docValues
    this.valueKind = options.valueKind
    this.hasPoints = options.hasPoints
    this.hasPositions = options.indexOptions === 'positions'
  }

  /** Bytes of memory taken. */
  get memory(): number {
    return (
      this.terms.memory + 16 * this.docs.length + 4 * this.log.length + 8 * this.values.hi.length
    )
  }

  /** Notes that a document has the field, unless it is noted already; true when it was new. */
  startDocument(slot: number): boolean {
    const count = this.docCount
    if (count > 0 && this.docs[count - 1] === slot) return false
    if (count === this.docs.length) this.#growDocs()
    this.docs[count] = slot
    this.logStarts[count] = this.logLength
    this.valueStarts[count] = this.values.length
    this.lengths[count] = 0
    this.docCount = count + 1
    this.position = -1
    this.#lastTokenPosition = -1
    this.#length = 0
    return true
  }

  /** Takes back the document that was noted last. */
  dropDocument(): void {
    const last = --this.docCount
    this.logLength = this.logStarts[last]!
    this.values.length = this.valueStarts[last]!
  }

  /** Later documents have no norms. */
  turnNormsOff(): void {
    this.normedCount = Math.min(this.normedCount, this.docCount)
  }

  /** Adds a token of an analysed value at an absolute position. */
  token(bytes: Uint8Array, start: number, end: number, position: number): void {
    if (end - start > MAX_TERM_BYTES) throw immenseTerm(this.name, bytes, start, end)
    const term = this.terms.add(bytes, start, end)
    if (this.logLength + 2 > this.log.length) this.#growLog()
    if (this.hasPositions) {
      const increment = position - this.#lastTokenPosition
      if (increment !== 1) {
        if (position > MAX_POSITION)
          throw new IllegalArgumentError(
            `position ${position} is too large for field '${this.name}': ` +
              `the largest is ${MAX_POSITION}`,
          )
        this.log[this.logLength++] = -1 - increment
      }
    }
    this.log[this.logLength++] = term
    if (position !== this.#lastTokenPosition) this.#length++
    this.#lastTokenPosition = position
    this.lengths[this.docCount - 1] = this.#length
  }

  /** Adds a whole value as one term. */
  keyword(bytes: Uint8Array, start: number, end: number): void {
    if (end - start > MAX_TERM_BYTES) throw immenseTerm(this.name, bytes, start, end)
    if (this.logLength === this.log.length) this.#growLog()
    this.log[this.logLength++] = this.terms.add(bytes, start, end)
    this.#length++
    this.lengths[this.docCount - 1] = this.#length
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

  #growLog(): void {
    this.log = grown(this.log, this.log.length * 2)
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
