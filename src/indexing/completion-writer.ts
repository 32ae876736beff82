/** The inputs of a completion field: analysed, and put behind each of their contexts. */
import type { Analyzer } from '../analysis/analyzer/analyzer.ts'
import { completionKeys } from '../analysis/completion-keys.ts'
import { normalizeText } from '../analysis/normalizer.ts'
import type { AnalysisRegistry } from '../analysis/registry.ts'
import { CONTEXT_END } from '../codec/completions/format.ts'
import { decodeInput } from '../schema/completion-input.ts'
import type { CompletionContext, CompletionStorage } from '../schema/field-storage.ts'
import { storageOf } from '../schema/field-type/field-types.ts'
import type { Mapping } from '../schema/mapping.ts'
import { OPERATIONS, type ParsedDocument } from '../schema/parsed-document.ts'
import { decodeUtf8, encodeUtf8 } from '../util/bytes.ts'
import { IllegalArgumentError } from '../util/errors.ts'
import { geohashOf } from '../util/geohash.ts'
import type { FieldBuffer } from './field-buffer.ts'

/** Max keys of one input, over all its contexts. */
const MAX_KEYS = 100_000

/** Writes inputs into the buffer of their field. */
export class CompletionWriter {
  readonly #storage: CompletionStorage
  readonly #buffer: FieldBuffer
  readonly #registry: AnalysisRegistry
  readonly #mapping: Mapping
  readonly #analyzer: Analyzer

  /** @param mapping has the fields that contexts name */
  constructor(
    storage: CompletionStorage,
    buffer: FieldBuffer,
    registry: AnalysisRegistry,
    mapping: Mapping,
  ) {
    this.#storage = storage
    this.#buffer = buffer
    this.#registry = registry
    this.#mapping = mapping
    this.#analyzer = registry.analyzer(storage.analyzer) ?? registry.defaultAnalyzer
  }

  /**
   * Adds an input.
   * @throws {EngineError} a key that is too long, or no context where there must be one
   */
  add(document: ParsedDocument, operation: number): void {
    const { a, b, scratch } = document
    const input = decodeInput(scratch.subarray(a[operation]!, b[operation]!))
    const contexts = this.#storage.contexts.flatMap((context, ordinal) => {
      const given = input.contexts.filter(each => each.context === ordinal)
      const values = new Set(given.map(({ value }) => value))
      for (const value of this.#valuesOfPath(context, document)) values.add(value)
      return [...values].map(value => contextKey(ordinal, value))
    })
    if (contexts.length === 0 && this.#storage.contexts.length > 0)
      throw new IllegalArgumentError(
        `Contexts are mandatory in context enabled completion field [${this.#buffer.name}]`,
      )
    const keys = completionKeys(this.#analyzer, decodeUtf8(input.text), this.#storage)
    if (keys.length * contexts.length > MAX_KEYS)
      throw new IllegalArgumentError(
        `An input of [${this.#buffer.name}] may have ${MAX_KEYS} keys in its contexts, ` +
          `not ${keys.length * contexts.length}`,
      )
    for (const key of keys) {
      const bytes = encodeUtf8(key)
      if (contexts.length === 0) this.#buffer.completion(input.weight, bytes, input.text)
      for (const context of contexts)
        this.#buffer.completion(input.weight, joined(context, bytes), input.text)
    }
  }

  /** The values that a document has in the field that a context names. */
  *#valuesOfPath(
    { name, type, path, precision }: CompletionContext,
    document: ParsedDocument,
  ): Iterable<string> {
    const ordinal = path === null ? -1 : this.#mapping.ordinal(path)
    if (path === null || ordinal < 0) return
    const storage = storageOf(this.#mapping.leaves[ordinal]!)
    const named = storage.kind === 'terms' ? storage.normalizer : null
    const normalizer = named === null ? null : this.#registry.normalizer(named)
    for (let i = 0; i < document.count; i++) {
      if (document.fields[i] !== ordinal) continue
      if (type === 'geo') {
        if (storage.kind !== 'places')
          throw new IllegalArgumentError(
            `field [${path}] referenced in context [${name}] must be mapped to geo_point`,
          )
        yield geohashOf(...placeOf(document, i), precision)
        continue
      }
      const text = textOf(document, i)
      if (text === null || (storage.kind !== 'terms' && storage.kind !== 'tokens'))
        throw new IllegalArgumentError(
          `Failed to parse context field [${path}], only keyword and text fields are accepted`,
        )
      yield normalizer === null ? text : normalizeText(normalizer, text)
    }
  }
}

/** Prefix of the keys of a context's value. */
function contextKey(ordinal: number, value: string): Uint8Array {
  if (value.includes(String.fromCharCode(CONTEXT_END)))
    throw new IllegalArgumentError(
      `Illegal value [${value}] UTF-16 codepoint [0x1d] at position ` +
        `${value.indexOf(String.fromCharCode(CONTEXT_END))} is a reserved character`,
    )
  const bytes = encodeUtf8(value)
  const key = new Uint8Array(bytes.length + 2)
  key[0] = ordinal
  key.set(bytes, 1)
  key[key.length - 1] = CONTEXT_END
  return key
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

/** The text of an operation; null where it has none. */
function textOf(document: ParsedDocument, operation: number): string | null {
  const start = document.a[operation]!
  const end = document.b[operation]!
  switch (document.kinds[operation]) {
    case OPERATIONS.text:
    case OPERATIONS.keyword:
      return decodeUtf8(document.source.subarray(start, end))
    case OPERATIONS.scratchText:
    case OPERATIONS.scratchKeyword:
      return decodeUtf8(document.scratch.subarray(start, end))
    default:
      return null
  }
}

/** Latitude and longitude in degrees, of quantised ones. */
function placeOf({ a, b }: ParsedDocument, operation: number): [lat: number, lon: number] {
  return [a[operation]! * (180 / 2 ** 32), (b[operation]! | 0) * (360 / 2 ** 32)]
}
