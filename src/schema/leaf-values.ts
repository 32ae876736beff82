import { encodeUtf8 } from '../util/bytes.ts'
import { EngineError, type ErrorRecord } from '../util/errors.ts'
import { JSON_TOKENS, type JsonReader, type JsonToken } from '../util/json/json-reader.ts'
import { parseJsonTree } from '../util/json/json-tree.ts'
import { describeNode } from './json-conversion.ts'
import { NumberParser } from './number-parser.ts'
import type { LeafPlan } from './parse-plan.ts'
import { IGNORED_FIELD, OPERATIONS, type ParsedDocument } from './parsed-document.ts'

/** How much of a value an error shows, in UTF-16 units. */
const PREVIEW_LENGTH = 1000

/** Puts values of mapped fields into a document, as their types want them. */
export class LeafValues {
  /** Of the document being read; for messages. */
  id = ''
  readonly document: ParsedDocument
  readonly #reader: JsonReader
  readonly #numbers: NumberParser = new NumberParser()

  /** @param reader stands on the value that is added */
  constructor(reader: JsonReader, document: ParsedDocument) {
    this.#reader = reader
    this.document = document
  }

  /** One scalar, or null, into one field. */
  add(plan: LeafPlan, token: JsonToken): void {
    switch (plan.field.type) {
      case 'text':
        if (token !== JSON_TOKENS.null && plan.field.indexed)
          this.#addBytes(plan, token, OPERATIONS.text, OPERATIONS.scratchText)
        return
      case 'keyword':
        this.#addKeyword(plan, token)
        return
      default:
        this.#addNumber(plan, token)
    }
  }

  #addBytes(plan: LeafPlan, token: JsonToken, inSource: number, inScratch: number): void {
    const reader = this.#reader
    if (token !== JSON_TOKENS.string || !reader.hasEscapes) {
      this.document.push(inSource, plan.ordinal, reader.start, reader.end)
      return
    }
    const document = this.document
    document.reserveScratch(reader.end - reader.start)
    const from = document.scratchLength
    document.scratchLength = reader.unescapeInto(document.scratch, from)
    document.push(inScratch, plan.ordinal, from, document.scratchLength)
  }

  #addKeyword(plan: LeafPlan, token: JsonToken): void {
    const { field } = plan
    if (!field.indexed && !field.docValues) return
    const document = this.document
    if (token === JSON_TOKENS.null) {
      if (field.nullValue === null || field.nullValue.length > field.ignoreAbove) return
      this.#addText(plan.ordinal, field.nullValue)
      return
    }
    this.#addBytes(plan, token, OPERATIONS.keyword, OPERATIONS.scratchKeyword)
    const last = document.count - 1
    const from = document.a[last]!
    const to = document.b[last]!
    // A byte is never less than a UTF-16 unit, so most values need no count.
    if (to - from > field.ignoreAbove) {
      const isSource = document.kinds[last] === OPERATIONS.keyword
      const bytes = isSource ? document.source : document.scratch
      if (utf16Length(bytes, from, to) > field.ignoreAbove) document.count = last
    }
  }

  #addText(ordinal: number, text: string): void {
    const document = this.document
    const bytes = encodeUtf8(text)
    document.reserveScratch(bytes.length)
    document.scratch.set(bytes, document.scratchLength)
    const from = document.scratchLength
    document.scratchLength += bytes.length
    document.push(OPERATIONS.scratchKeyword, ordinal, from, document.scratchLength)
  }

  #addNumber(plan: LeafPlan, token: JsonToken): void {
    const { field } = plan
    const reader = this.#reader
    const numbers = this.#numbers
    let found: boolean
    switch (token) {
      case JSON_TOKENS.number:
        found = numbers.parseNumber(field, reader.bytes, reader.start, reader.end, reader.isInteger)
        break
      case JSON_TOKENS.string:
        found = numbers.parseText(field, reader.text())
        break
      case JSON_TOKENS.true:
      case JSON_TOKENS.false:
        found = numbers.parseBoolean(field, token === JSON_TOKENS.true)
        break
      default:
        numbers.problem = ''
        found = false
    }
    if (!found) {
      if (numbers.problem !== '') {
        if (field.ignoreMalformed) {
          this.#ignored(field.name)
          return
        }
        throw this.#fieldError(plan, this.#preview(token), {
          type: numbers.problemType,
          reason: numbers.problem,
        })
      }
      // Null, or an empty text: the null value stands for it.
      if (field.nullValue === null) return
      if (!numbers.parseText({ ...field, coerce: true }, field.nullValue)) return
    }
    if (!field.indexed && !field.docValues) return
    if (field.type === 'double' || field.type === 'float' || field.type === 'half_float')
      this.document.pushDouble(plan.ordinal, numbers.value)
    else this.document.push(OPERATIONS.long, plan.ordinal, numbers.hi, numbers.lo)
  }

  /** An object where the field wants a value: malformed, whichever the type. */
  refuseObject(plan: LeafPlan): void {
    const reader = this.#reader
    const { line, column, start } = reader
    const { field } = plan
    reader.skipChildren()
    if (field.ignoreMalformed) {
      this.#ignored(field.name)
      return
    }
    const tree = parseJsonTree(reader.bytes.subarray(start, reader.end))
    const isText = field.type === 'text' || field.type === 'keyword'
    throw this.#fieldError(plan, describeNode(tree), {
      type: isText ? 'illegal_state_exception' : 'json_parse_exception',
      reason: isText
        ? `Can't get text on a START_OBJECT at ${line}:${column}`
        : 'Current token (START_OBJECT) not numeric, can not use numeric value accessors',
    })
  }

  #ignored(name: string): void {
    this.#addText(IGNORED_FIELD, name)
  }

  #preview(token: JsonToken): string {
    if (token === JSON_TOKENS.null) return 'null'
    return this.#reader.text()
  }

  #fieldError(plan: LeafPlan, preview: string, causedBy: ErrorRecord): EngineError {
    const { name, type } = plan.field
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

/** UTF-16 units of valid UTF-8: one for each sequence, two for one of four bytes. */
function utf16Length(bytes: Uint8Array, start: number, end: number): number {
  let length = 0
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!
    if ((byte & 0xc0) !== 0x80) length += byte >= 0xf0 ? 2 : 1
  }
  return length
}
