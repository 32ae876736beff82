/**
 * One field of a buffer. Documents are logged, not inverted: a token is looked up in the field's
 * term table and its number appended to a log, four bytes a token; a number goes to a column. The
 * seal walks the logs of the live documents twice, once to count and once to write. So a document
 * that fails half way is rolled back by truncating the logs, and dead documents cost nothing in the
 * segment.
 *
 *   log := per document its values' tokens in order: a term number; a token not exactly one position
 *          after the previous one has −1 − increment in front (fields with positions only); one that
 *          counts as several has −1 − frequency in front (fields of features only)
 */

import type { TokenSink, WordSink } from '../analysis/analyzer/analyzer.ts'
import type { DenseVectorColumn } from '../codec/dense-vectors/vector-column.ts'
import type { DocValuesType } from '../codec/directory/format.ts'
import { LongColumn } from '../codec/doc-values/long-column.ts'
import type { ValueKind } from '../codec/doc-values/value-kind.ts'
import type { IndexOptions, VectorParts } from '../schema/field-storage.ts'
import { IllegalArgumentError } from '../util/errors.ts'
import { grown } from '../util/grown.ts'
import type { BufferMemory } from './buffer-memory.ts'
import { ByteValues } from './byte-values.ts'
import { completionRecord } from './completion-record.ts'
import { TermLog } from './term-log.ts'
import { VectorLog } from './vector-log.ts'

/** Max bytes of a term, as in Lucene. */
export const MAX_TERM_BYTES = 32766

/** Max tokens of one document by custom frequencies. */
const MAX_REPEATED = 1 << 20

/** How a field is stored. */
export interface FieldBufferOptions {
  readonly name: string
  readonly indexOptions: IndexOptions
  readonly hasNorms: boolean
  /** `ordinals` of its terms, `numeric` values, `bytes`, or none. */
  readonly docValues: DocValuesType
  readonly valueKind: ValueKind
  readonly hasPoints: boolean
  /** Whether values are byte strings; absent means no. */
  readonly takesBytes?: boolean
  /** Words of a coordinate where values are points of a plane to be found; absent means none are. */
  readonly boxWords?: number
  /** Whether values are triangles, each a byte string; absent means no. */
  readonly takesTriangles?: boolean
  /** Whether values are vectors, and of which kind; absent means they are not. */
  readonly denseVectors?: Omit<DenseVectorColumn, 'vectors'>
  /** Whether values are completions, and their keys begin with contexts; absent means no. */
  readonly completions?: { readonly hasContexts: boolean }
  /** Whether lengths count tokens that stand where the one before does; absent means no. */
  readonly countsOverlaps?: boolean
  /** Tokens are kept by document, too; absent or null means they are not. */
  readonly vectors?: VectorParts | null
}

/** Max position of the format; longer fields are rejected. */
const MAX_POSITION = 2147483519

/** A field of a buffer with its documents. */
export class FieldBuffer implements TokenSink, WordSink {
  readonly name: string
  readonly indexOptions: IndexOptions
  readonly hasNorms: boolean
  readonly #countsOverlaps: boolean
  /** Number of `docs` with norms: those from before norms were turned off. */
  normedCount: number = Number.POSITIVE_INFINITY
  readonly docValues: DocValuesType
  readonly valueKind: ValueKind
  readonly hasPoints: boolean
  /** Words of a coordinate; 0: values are no points of a plane. */
  readonly boxWords: number
  readonly takesTriangles: boolean
  /** The kind of its vectors; null: it has none. */
  readonly denseVectors: Omit<DenseVectorColumn, 'vectors'> | null
  /** Whether ordinals of its terms are kept, as doc values, as points or as both. */
  readonly hasOrdinals: boolean
  readonly hasPositions: boolean
  readonly tokens: TermLog
  /** Slots of documents that have the field, ascending. */
  docs: Int32Array<ArrayBuffer> = new Int32Array(16)
  docCount = 0
  /** Start of each document in the log and in the values. */
  logStarts: Int32Array<ArrayBuffer> = new Int32Array(16)
  valueStarts: Int32Array<ArrayBuffer> = new Int32Array(16)
  /** Tokens of each document, overlapping ones excluded unless the similarity counts them. */
  lengths: Int32Array<ArrayBuffer> = new Int32Array(16)
  readonly values: LongColumn = new LongColumn(16)
  /** Whether values are completions. */
  readonly takesCompletions: boolean
  /** Whether the keys of its completions begin with contexts. */
  readonly hasContexts: boolean
  /** Null unless values are byte strings, or the records of completions. */
  readonly byteValues: ByteValues | null
  /** Tokens by document; null: none are kept. */
  readonly vectors: VectorLog | null
  /** In the current document: the last token's position, plus the gap after the end of a value. */
  position = -1

  constructor(options: FieldBufferOptions, memory: BufferMemory) {
    this.name = options.name
    this.indexOptions = options.indexOptions
    this.hasNorms = options.hasNorms
    this.#countsOverlaps = options.countsOverlaps === true
    this.docValues = options.docValues
    this.valueKind = options.valueKind
    this.hasPoints = options.hasPoints
    this.boxWords = options.boxWords ?? 0
    this.takesTriangles = options.takesTriangles === true
    this.takesCompletions = options.completions !== undefined
    this.hasContexts = options.completions?.hasContexts === true
    this.denseVectors = options.denseVectors ?? null
    const takesOwnBytes = this.takesTriangles || this.takesCompletions || this.denseVectors !== null
    const takesBytes = options.takesBytes === true || takesOwnBytes
    this.byteValues = takesBytes ? new ByteValues(memory) : null
    this.vectors = options.vectors ? new VectorLog(memory, options.vectors) : null
    this.hasOrdinals =
      options.docValues === 'ordinals' || (options.hasPoints && options.valueKind === 'ordinal')
    this.hasPositions = options.indexOptions === 'positions'
    this.tokens = new TermLog(memory, this.hasPositions)
  }

  /** The sink for runs of plain words. */
  get words(): WordSink {
    return this
  }

  /** Bytes of memory allocated. */
  get bytes(): number {
    const ofValues = 8 * this.values.hi.length + (this.byteValues?.bytes ?? 0)
    const ofVectors = this.vectors?.bytes ?? 0
    return this.tokens.bytes + 16 * this.docs.length + ofValues + ofVectors
  }

  /** Adds a document to the field, unless it is the last one; true when it was added. */
  startDocument(slot: number): boolean {
    const count = this.docCount
    if (count > 0 && this.docs[count - 1] === slot) return false
    if (count === this.docs.length) this.#growDocs()
    this.docs[count] = slot
    this.logStarts[count] = this.tokens.logLength
    this.valueStarts[count] = this.byteValues?.count ?? this.values.length
    this.lengths[count] = 0
    this.vectors?.startDocument()
    this.docCount = count + 1
    this.position = -1
    this.tokens.lastPosition = -1
    this.tokens.length = 0
    return true
  }

  /** Removes the last document. */
  dropDocument(): void {
    const last = --this.docCount
    this.tokens.logLength = this.logStarts[last]!
    if (this.byteValues === null) this.values.length = this.valueStarts[last]!
    else this.byteValues.truncate(this.valueStarts[last]!)
    this.vectors?.dropDocument()
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
    if (increment !== 0 || this.#countsOverlaps) tokens.length++
    tokens.lastPosition = position
    this.lengths[this.docCount - 1] = tokens.length
  }

  /** Adds a token with a frequency: each occurrence is logged, so the frequency is bounded. */
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

  /** Opens a text, `bytes[start, end)`, whose plain words this field finds itself. */
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

  /**
   * Adds a term with a frequency.
   * @param freq 1 … 2³¹ − 2
   */
  feature(bytes: Uint8Array, start: number, end: number, freq: number): void {
    this.tokens.reserveLog(1)
    this.tokens.push(-1 - freq)
    this.keyword(bytes, start, end)
  }

  /** Adds a number in its stored form. */
  number(hi: number, lo: number): void {
    this.values.push(hi, lo)
  }

  /**
   * Adds the byte string `bytes[start, end)` to a field of such.
   * @throws {EngineError} `circuit_breaking_exception`: the memory is full
   */
  byteString(bytes: Uint8Array, start: number, end: number): void {
    this.byteValues?.push(bytes, start, end)
  }

  /**
   * Adds the vector `bytes[start, end)` to a field of such.
   * @throws {EngineError} the document has one; `circuit_breaking_exception`: the memory is full
   */
  vector(bytes: Uint8Array, start: number, end: number): void {
    if (this.byteValues!.count > this.valueStarts[this.docCount - 1]!)
      throw new IllegalArgumentError(
        `VectorValuesField "${this.name}" appears more than once in this document (only one value ` +
          'is allowed per field)',
      )
    this.byteString(bytes, start, end)
  }

  /**
   * Adds a completion to a field of such.
   * @param weight  0 … 2³¹ − 1
   * @param key     what it is found by
   * @param surface the input as it was given
   * @throws {EngineError} the key is too long; `circuit_breaking_exception`: the memory is full
   */
  completion(weight: number, key: Uint8Array, surface: Uint8Array): void {
    if (key.length > MAX_TERM_BYTES) throw immenseTerm(this.name, key, 0, key.length)
    const record = completionRecord(weight, key, surface)
    this.byteValues?.push(record, 0, record.length)
  }

  /** Frees its memory; it must not be used any more. */
  release(): void {
    this.tokens.release()
    this.byteValues?.release()
    this.vectors?.release()
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

/** The error of a term that exceeds the max length. */
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
