import { encodeUtf8 } from '../util/bytes.ts'
import { EngineError, type ErrorRecord } from '../util/errors.ts'
import { JSON_TOKENS, type JsonReader, type JsonToken } from '../util/json/json-reader.ts'
import { type JsonNode, parseJsonTree } from '../util/json/json-tree.ts'
import type { MappedField } from './field-type/mapped-field.ts'
import { ParsedNumber } from './field-type/parsed-number.ts'
import { describeNode } from './json-conversion.ts'
import { IGNORED_FIELD, OPERATIONS, type ParsedDocument } from './parsed-document.ts'

/** How much of a value an error shows, in UTF-16 units. */
const PREVIEW_LENGTH = 1000

/** The value that the reader stands on, and the document that field types put it into. */
export class LeafValues {
  /** Of the document being read. */
  id = ''
  /** Of the document being read; null: by its id. */
  routing: string | null = null
  readonly document: ParsedDocument
  readonly reader: JsonReader
  /** The last number that was read. */
  readonly number: ParsedNumber = new ParsedNumber()

  constructor(reader: JsonReader, document: ParsedDocument) {
    this.reader = reader
    this.document = document
  }

  /**
   * Adds the scalar as bytes: those of the source where it stands there as it means.
   * @param inSource  the operation for bytes of the source
   * @param inScratch the one for bytes of the scratch
   */
  addBytes(ordinal: number, token: JsonToken, inSource: number, inScratch: number): void {
    const { reader, document } = this
    if (token !== JSON_TOKENS.string || !reader.hasEscapes) {
      document.push(inSource, ordinal, reader.start, reader.end)
      return
    }
    document.reserveScratch(reader.end - reader.start)
    const from = document.scratchLength
    document.scratchLength = reader.unescapeInto(document.scratch, from)
    document.push(inScratch, ordinal, from, document.scratchLength)
  }

  /** Adds a keyword that does not stand in the source. */
  addKeyword(ordinal: number, text: string): void {
    this.addTerm(ordinal, encodeUtf8(text))
  }

  /** Adds a term that does not stand in the source; its bytes are copied. */
  addTerm(ordinal: number, bytes: Uint8Array): void {
    this.addScratch(OPERATIONS.scratchKeyword, ordinal, bytes)
  }

  /** Adds a byte string, which is copied. */
  addByteString(ordinal: number, bytes: Uint8Array): void {
    this.addScratch(OPERATIONS.bytes, ordinal, bytes)
  }

  /** Adds bytes that do not stand in the source, which are copied, by an operation for the scratch. */
  addScratch(operation: number, ordinal: number, bytes: Uint8Array): void {
    const { document } = this
    document.reserveScratch(bytes.length)
    document.scratch.set(bytes, document.scratchLength)
    const from = document.scratchLength
    document.scratchLength += bytes.length
    document.push(operation, ordinal, from, document.scratchLength)
  }

  /** Adds a term with a frequency of its own, 1 or more. */
  addFeature(ordinal: number, term: string, freq: number): void {
    this.addKeyword(ordinal, term)
    const { document } = this
    const last = document.count - 1
    document.kinds[last] = OPERATIONS.feature
    document.values[last] = freq
  }

  /** Notes that the document has a malformed value of the field. */
  addIgnored(name: string): void {
    this.addKeyword(IGNORED_FIELD, name)
  }

  /** Passes over the object at whose start the reader stands, and says how it is malformed. */
  skipObject(field: MappedField, problem: ErrorRecord): EngineError {
    return this.nodeError(field, this.takeTree(), problem)
  }

  /** Reads the whole object or list at whose start the reader stands. */
  takeTree(): JsonNode {
    const { reader } = this
    const { start } = reader
    reader.skipChildren()
    return parseJsonTree(reader.bytes.subarray(start, reader.end))
  }

  /** The error of a value that was taken as a tree. */
  nodeError(field: MappedField, node: JsonNode, problem: ErrorRecord): EngineError {
    return this.#fieldError(field, describeNode(node), problem)
  }

  /** The error of the scalar that the reader stands on. */
  valueError(field: MappedField, token: JsonToken, problem: ErrorRecord): EngineError {
    return this.#fieldError(
      field,
      token === JSON_TOKENS.null ? 'null' : this.reader.text(),
      problem,
    )
  }

  #fieldError({ name, type }: MappedField, preview: string, causedBy: ErrorRecord): EngineError {
    const shown =
      preview.length > PREVIEW_LENGTH ? `${preview.slice(0, PREVIEW_LENGTH)}...` : preview
    return new EngineError({
      type: 'mapper_parsing_exception',
      reason:
        `failed to parse field [${name}] of type [${type}] in document with id ` +
        `'${this.id}'. Preview of field's value: '${shown}'`,
      causedBy,
    })
  }
}
