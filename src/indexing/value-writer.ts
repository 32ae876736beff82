/** Writers of values into the buffer of their field; `storage-kinds.ts` has which a storage kind takes. */
import type { Analyzer, TokenSink } from '../analysis/analyzer/analyzer.ts'
import type { Normalizer } from '../analysis/normalizer.ts'
import type { AnalysisRegistry } from '../analysis/registry.ts'
import { FLOAT_KINDS } from '../codec/doc-values/float-kinds.ts'
import { sortable } from '../codec/doc-values/sortable.ts'
import type {
  CountStorage,
  FloatStorage,
  TermStorage,
  TokenStorage,
} from '../schema/field-storage.ts'
import { OPERATIONS, type ParsedDocument } from '../schema/parsed-document.ts'
import { encodeUtf8 } from '../util/bytes.ts'
import type { FieldBuffer } from './field-buffer.ts'
import { TailSink } from './token-tail.ts'

/** Writes values of one field into its buffer. */
export interface ValueWriter {
  /**
   * Adds the value of one operation of the document.
   * @throws {EngineError} a term that is too long
   */
  add(document: ParsedDocument, operation: number): void
}

/** The analyzer of a storage's texts, and the positions between two of them. */
export function tokenAnalyzer(
  storage: TokenStorage,
  registry: AnalysisRegistry,
): { readonly analyzer: Analyzer; readonly gap: number } {
  const named = storage.analyzer === null ? null : registry.analyzer(storage.analyzer)
  const analyzer = named ?? registry.defaultAnalyzer
  const isOwnGap = !storage.isGapGiven && analyzer.isCustom
  return { analyzer, gap: isOwnGap ? analyzer.positionIncrementGap : storage.positionIncrementGap }
}

/** Texts, through an analyzer. */
export class TokenWriter implements ValueWriter {
  readonly #buffer: FieldBuffer
  readonly #analyzer: Analyzer
  readonly #gap: number
  readonly #tail: TailSink | null

  constructor(storage: TokenStorage, buffer: FieldBuffer, registry: AnalysisRegistry) {
    const { analyzer, gap } = tokenAnalyzer(storage, registry)
    this.#buffer = buffer
    this.#tail = storage.tail === null ? null : new TailSink(storage.tail, buffer)
    this.#analyzer = analyzer
    this.#gap = gap
  }

  add(document: ParsedDocument, operation: number): void {
    const isSource = document.kinds[operation] === OPERATIONS.text
    const bytes = isSource ? document.source : document.scratch
    const start = document.a[operation]!
    const end = document.b[operation]!
    const buffer = this.#buffer
    const sink = this.#tail ?? buffer
    this.#tail?.start()
    buffer.position =
      this.#analyzer.analyzeBytes(bytes, start, end, buffer.position, sink) + this.#gap
    this.#tail?.flush()
  }
}

/** Keywords, through a normalizer if the field has one. */
export class TermWriter implements ValueWriter {
  readonly #buffer: FieldBuffer
  readonly #normalizer: Normalizer | null

  constructor(storage: TermStorage, buffer: FieldBuffer, registry: AnalysisRegistry) {
    this.#buffer = buffer
    this.#normalizer = storage.normalizer === null ? null : registry.normalizer(storage.normalizer)
  }

  add(document: ParsedDocument, operation: number): void {
    const isSource = document.kinds[operation] === OPERATIONS.keyword
    const bytes = isSource ? document.source : document.scratch
    const start = document.a[operation]!
    const end = document.b[operation]!
    const normalizer = this.#normalizer
    if (normalizer === null) {
      this.#buffer.keyword(bytes, start, end)
      return
    }
    const length = normalizer.normalize(bytes, start, end)
    this.#buffer.keyword(normalizer.output, 0, length)
  }
}

/** Addresses, each a term. */
export class AddressWriter implements ValueWriter {
  readonly #buffer: FieldBuffer

  constructor(buffer: FieldBuffer) {
    this.#buffer = buffer
  }

  add(document: ParsedDocument, operation: number): void {
    this.#buffer.keyword(document.scratch, document.a[operation]!, document.b[operation]!)
  }
}

/** Byte strings, stored directly. */
export class ByteStringWriter implements ValueWriter {
  readonly #buffer: FieldBuffer

  constructor(buffer: FieldBuffer) {
    this.#buffer = buffer
  }

  add(document: ParsedDocument, operation: number): void {
    this.#buffer.byteString(document.scratch, document.a[operation]!, document.b[operation]!)
  }
}

/** Vectors, at most one for each document. */
export class VectorWriter implements ValueWriter {
  readonly #buffer: FieldBuffer

  constructor(buffer: FieldBuffer) {
    this.#buffer = buffer
  }

  add(document: ParsedDocument, operation: number): void {
    this.#buffer.vector(document.scratch, document.a[operation]!, document.b[operation]!)
  }
}

/** Integers, stored directly. */
export class LongWriter implements ValueWriter {
  readonly #buffer: FieldBuffer

  constructor(buffer: FieldBuffer) {
    this.#buffer = buffer
  }

  add(document: ParsedDocument, operation: number): void {
    this.#buffer.number(document.a[operation]!, document.b[operation]!)
  }
}

/** Floating-point numbers, as sortable integers. */
export class FloatWriter implements ValueWriter {
  readonly #buffer: FieldBuffer
  readonly #encode: (value: number) => void

  constructor(storage: FloatStorage, buffer: FieldBuffer) {
    this.#buffer = buffer
    this.#encode = FLOAT_KINDS[storage.floatKind].encode
  }

  add(document: ParsedDocument, operation: number): void {
    this.#encode(document.values[operation]!)
    this.#buffer.number(sortable.hi, sortable.lo)
  }
}

const TRUE = encodeUtf8('T')
const FALSE = encodeUtf8('F')

/** Integers 0 and 1, and a term for each. */
export class FlagWriter implements ValueWriter {
  readonly #buffer: FieldBuffer

  constructor(buffer: FieldBuffer) {
    this.#buffer = buffer
  }

  add(document: ParsedDocument, operation: number): void {
    const value = document.b[operation]!
    this.#buffer.number(document.a[operation]!, value)
    const term = value === 0 ? FALSE : TRUE
    this.#buffer.keyword(term, 0, term.length)
  }
}

/** Counts of the tokens of texts. */
export class CountWriter implements ValueWriter {
  readonly #buffer: FieldBuffer
  readonly #analyzer: Analyzer
  readonly #countsPositions: boolean
  readonly #counter = new PositionCounter()

  constructor(storage: CountStorage, buffer: FieldBuffer, registry: AnalysisRegistry) {
    this.#buffer = buffer
    this.#analyzer = registry.analyzer(storage.analyzer) ?? registry.defaultAnalyzer
    this.#countsPositions = storage.countsPositions
  }

  add(document: ParsedDocument, operation: number): void {
    const kind = document.kinds[operation]
    const start = document.a[operation]!
    const end = document.b[operation]!
    if (kind === OPERATIONS.long) {
      this.#buffer.number(start, end)
      return
    }
    const bytes = kind === OPERATIONS.text ? document.source : document.scratch
    const counter = this.#counter
    counter.count = 0
    counter.position = -1
    const last = this.#analyzer.analyzeBytes(bytes, start, end, -1, counter)
    this.#buffer.number(0, this.#countsPositions ? last + 1 : counter.count)
  }
}

/** Counts the positions that have tokens. */
class PositionCounter implements TokenSink {
  readonly words: null = null
  count = 0
  position = -1

  token(_bytes: Uint8Array, _start: number, _end: number, position: number): void {
    if (position !== this.position) this.count++
    this.position = position
  }

  repeated(bytes: Uint8Array, start: number, end: number, position: number): void {
    this.token(bytes, start, end, position)
  }
}

/** Terms with frequencies of their own. */
export class FeatureWriter implements ValueWriter {
  readonly #buffer: FieldBuffer

  constructor(buffer: FieldBuffer) {
    this.#buffer = buffer
  }

  add(document: ParsedDocument, operation: number): void {
    const start = document.a[operation]!
    const end = document.b[operation]!
    this.#buffer.feature(document.scratch, start, end, document.values[operation]!)
  }
}
