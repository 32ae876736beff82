/**
 * Reads documents against a mapping: one pass over the bytes, operations into reused arrays. What
 * the mapping does not know becomes proposals: the coordinator merges them into the mapping in
 * order and the document is parsed again, until it brings none (each round reaches at least one
 * level of objects deeper, so there are never more rounds than levels).
 *
 * A document that fails leaves nothing behind: neither operations nor proposals.
 */
import { encodeUtf8 } from '../util/bytes.ts'
import { EngineError, type ErrorRecord, toErrorRecord } from '../util/errors.ts'
import {
  JSON_LIMITS,
  JSON_TOKENS,
  JsonReader,
  type JsonToken,
  type PlainRun,
} from '../util/json/json-reader.ts'
import { parseJsonTree } from '../util/json/json-tree.ts'
import { defineDynamicField, type NewValue } from './dynamic-mapping.ts'
import { METADATA_NAMES } from './field-parser.ts'
import type { Dynamic } from './field-type.ts'
import { describeNode } from './json-conversion.ts'
import type { Mapping } from './mapping.ts'
import type { FieldProposal } from './mapping-parser.ts'
import { NumberParser } from './number-parser.ts'
import { type LeafPlan, ObjectPlan } from './parse-plan.ts'
import { IGNORED_FIELD, OPERATIONS, ParsedDocument } from './parsed-document.ts'

/** Fields proposed in one round. */
const MAX_PROPOSALS = 10_000

/** How much of a value an error shows, in UTF-16 units. */
const PREVIEW_LENGTH = 1000

/** Reads documents against one mapping. One per thread and mapping. */
export class DocumentParser {
  readonly mapping: Mapping
  /** The last document's operations. */
  readonly document: ParsedDocument = new ParsedDocument()
  /** Fields that the documents parsed so far brought; the caller takes and clears them. */
  readonly proposals: FieldProposal[] = []
  readonly #proposed = new Set<string>()
  readonly #root: ObjectPlan
  readonly #depthLimit: number
  readonly #reader: JsonReader
  readonly #numbers: NumberParser = new NumberParser()
  #id = ''

  /** @param plainRun passes over plain bytes of strings, of the one input that it sees */
  constructor(mapping: Mapping, depthLimit: number, plainRun: PlainRun | null = null) {
    this.mapping = mapping
    this.#reader = new JsonReader(JSON_LIMITS, plainRun)
    this.#depthLimit = depthLimit
    this.#root = new ObjectPlan(mapping.root, mapping, 'true')
  }

  /**
   * Reads the document `source[start, end)`.
   * @param id for messages only
   * @returns false when it brought fields that are not mapped: `document` then holds nothing of
   * use, and `proposals` has grown unless the same fields were proposed before
   * @throws {EngineError} the documented error of a document that cannot be indexed
   */
  parse(source: Uint8Array, start: number, end: number, id: string): boolean {
    const proposalsBefore = this.proposals.length
    this.#id = id
    this.#bringsFields = false
    this.document.clear(source, start, end)
    const reader = this.#reader
    try {
      reader.reset(source, start, end)
      let blank = start
      while (blank < end && source[blank]! <= 0x20) blank++
      if (blank === end) throw mapperError('failed to parse, document is empty')
      const token = reader.next()
      if (token === JSON_TOKENS.objectStart && this.#root.isEnabled) this.#object(this.#root, 1)
      else this.#skip(token)
      reader.next()
      // Last: what is no JSON at all has said so by now.
      if (token !== JSON_TOKENS.objectStart)
        throw mapperError('Malformed content, must start with an object')
    } catch (error) {
      for (const proposal of this.proposals.splice(proposalsBefore))
        this.#proposed.delete(proposal.path)
      this.document.count = 0
      throw wrapped(error)
    }
    if (this.#bringsFields) this.document.count = 0
    return !this.#bringsFields
  }

  /** Hands out the proposals and starts over. */
  takeProposals(): FieldProposal[] {
    this.#proposed.clear()
    return this.proposals.splice(0)
  }

  #bringsFields = false

  /** Reads an object's fields up to its closing brace. Depth is bounded by the reader. */
  #object(plan: ObjectPlan, depth: number): void {
    const reader = this.#reader
    if (depth > this.#depthLimit) throw this.#tooDeep(plan.path)
    while (reader.next() === JSON_TOKENS.name) {
      const entry = reader.hasEscapes
        ? plan.findText(reader.text())
        : plan.find(reader.bytes, reader.start, reader.end)
      if (entry === null) {
        if (plan.dynamic === 'false' && isPlainName(reader)) this.#skip(reader.next())
        else this.#unknownName(plan, reader.text(), depth)
      } else if (entry instanceof ObjectPlan) this.#objectValue(entry, reader.next(), depth)
      else this.#leafValue(entry, reader.next())
    }
  }

  #tooDeep(path: string): EngineError {
    return mapperError(
      `The depth of the field [${path}] has exceeded the allowed limit of ` +
        `[${this.#depthLimit}]. This limit can be set by changing the ` +
        '[index.mapping.depth.limit] index level setting.',
    )
  }

  /** The value of a mapped object: an object, a list of such, or null. */
  #objectValue(plan: ObjectPlan, token: JsonToken, depth: number): void {
    const reader = this.#reader
    if (!plan.isEnabled) {
      if (token === JSON_TOKENS.objectStart || token === JSON_TOKENS.arrayStart)
        reader.skipChildren()
      return
    }
    switch (token) {
      case JSON_TOKENS.objectStart:
        this.#object(plan, depth + 1)
        return
      case JSON_TOKENS.arrayStart: {
        // Lists within lists flatten.
        const outer = reader.depth - 1
        let item = reader.next()
        while (reader.depth > outer) {
          if (item === JSON_TOKENS.arrayStart || item === JSON_TOKENS.arrayEnd)
            this.#checkArrayDepth(plan.path, reader.depth - outer)
          else this.#objectValue(plan, item, depth)
          item = reader.next()
        }
        return
      }
      case JSON_TOKENS.null:
        return
      default: {
        const name = plan.path.slice(plan.path.lastIndexOf('.') + 1)
        throw mapperError(
          `object mapping for [${plan.path}] tried to parse field [${name}] as object, ` +
            'but found a concrete value',
        )
      }
    }
  }

  #checkArrayDepth(path: string, depth: number): void {
    if (depth > this.#depthLimit) throw this.#tooDeep(path)
  }

  /** The value of a mapped field: a scalar or a list of such. */
  #leafValue(plan: LeafPlan, token: JsonToken): void {
    if (token !== JSON_TOKENS.arrayStart) {
      this.#leafScalar(plan, token)
      return
    }
    const reader = this.#reader
    const outer = reader.depth - 1
    let item = reader.next()
    while (reader.depth > outer) {
      if (item === JSON_TOKENS.arrayStart || item === JSON_TOKENS.arrayEnd)
        this.#checkArrayDepth(plan.field.name, reader.depth - outer)
      else this.#leafScalar(plan, item)
      item = reader.next()
    }
  }

  #leafScalar(plan: LeafPlan, token: JsonToken): void {
    if (token === JSON_TOKENS.objectStart) {
      this.#objectForField(plan)
      return
    }
    this.#add(plan, token)
    const subs = plan.multiFields
    for (let i = 0; i < subs.length; i++) this.#add(subs[i]!, token)
    const targets = plan.field.copyTo
    for (let i = 0; i < targets.length; i++) this.#copyTo(targets[i]!, token)
  }

  /** An object where the field wants a value: malformed, whichever the type. */
  #objectForField(plan: LeafPlan): void {
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

  /** One scalar, or null, into one field. */
  #add(plan: LeafPlan, token: JsonToken): void {
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
        `'${this.#id}'. Preview of field's value: '${shown}'`,
      causedBy,
    })
  }

  /** The raw value goes to another field too; not chained, without that field's multi-fields. */
  #copyTo(path: string, token: JsonToken): void {
    if (token === JSON_TOKENS.null) return
    const found = this.#resolve(this.#root, path.split('.'))
    if (found.entry !== null && !(found.entry instanceof ObjectPlan)) {
      this.#add(found.entry, token)
      for (const sub of found.entry.multiFields) this.#add(sub, token)
      return
    }
    if (found.entry === null) this.#propose(found.around, path, this.#newValue(token))
  }

  /** Walks dotted parts from a plan on; `around` is the innermost object that is mapped. */
  #resolve(
    from: ObjectPlan,
    parts: readonly string[],
  ): { entry: LeafPlan | ObjectPlan | null; around: ObjectPlan } {
    let around = from
    for (let i = 0; i < parts.length; i++) {
      const entry = around.findText(parts[i]!)
      if (entry === null) return { entry: null, around }
      if (i === parts.length - 1) return { entry, around }
      if (!(entry instanceof ObjectPlan))
        throw mapperError(
          `Could not dynamically add mapping for field [${parts.join('.')}]. Existing mapping ` +
            `for [${entry.field.name}] must be of type object but found [${entry.field.type}].`,
        )
      around = entry
    }
    return { entry: around, around }
  }

  /** A name that its object does not know as it stands: dotted, metadata, or new. */
  #unknownName(plan: ObjectPlan, name: string, depth: number): void {
    const reader = this.#reader
    if (plan === this.#root && name === '_doc_count')
      throw illegal('[_doc_count] is not supported yet')
    if (plan === this.#root && METADATA_NAMES.has(name))
      throw mapperError(
        `Field [${name}] is a metadata field and cannot be added inside a document. ` +
          'Use the index API request parameters.',
      )
    const parts = checkedParts(name)
    const { entry, around } =
      parts.length === 1 ? { entry: null, around: plan } : this.#resolve(plan, parts)
    const token = reader.next()
    if (entry instanceof ObjectPlan) this.#objectValue(entry, token, depth + parts.length - 1)
    else if (entry !== null) this.#leafValue(entry, token)
    else if (!around.isEnabled) this.#skip(token)
    else {
      const path = plan.path === '' ? name : `${plan.path}.${name}`
      this.#newField(around, path, token, depth + parts.length - 1)
    }
  }

  #skip(token: JsonToken): void {
    if (token === JSON_TOKENS.objectStart || token === JSON_TOKENS.arrayStart)
      this.#reader.skipChildren()
  }

  /** The value of a field that is not mapped below `around`, the innermost mapped object. */
  #newField(around: ObjectPlan, path: string, token: JsonToken, depth: number): void {
    const reader = this.#reader
    const { dynamic } = around
    if (dynamic === 'false') {
      this.#skip(token)
      return
    }
    if (dynamic === 'strict') throw this.#strict(dynamic, around, path)
    switch (token) {
      case JSON_TOKENS.null:
        return
      case JSON_TOKENS.objectStart:
        this.#newObject(around, path, depth)
        return
      case JSON_TOKENS.arrayStart: {
        const outer = reader.depth - 1
        let item = reader.next()
        while (reader.depth > outer) {
          if (item === JSON_TOKENS.arrayStart || item === JSON_TOKENS.arrayEnd)
            this.#checkArrayDepth(path, reader.depth - outer)
          else if (item === JSON_TOKENS.objectStart) this.#newObject(around, path, depth)
          else if (item !== JSON_TOKENS.null) this.#propose(around, path, this.#newValue(item))
          item = reader.next()
        }
        return
      }
      default:
        this.#propose(around, path, this.#newValue(token))
    }
  }

  /** A new object: itself, and what it holds unless a template may say otherwise of it. */
  #newObject(around: ObjectPlan, path: string, depth: number): void {
    const reader = this.#reader
    if (depth + 1 > this.#depthLimit) throw this.#tooDeep(path)
    const definition = this.#propose(around, path, { kind: 'object' })
    if (definition === null || definition !== 'plain') {
      reader.skipChildren()
      return
    }
    while (reader.next() === JSON_TOKENS.name) {
      const name = reader.text()
      const parts = checkedParts(name)
      this.#newField(around, `${path}.${name}`, reader.next(), depth + parts.length)
    }
  }

  #newValue(token: JsonToken): NewValue {
    const reader = this.#reader
    switch (token) {
      case JSON_TOKENS.string:
        return { kind: 'string', text: reader.text() }
      case JSON_TOKENS.number:
        return { kind: 'number', isInteger: reader.isInteger }
      default:
        return { kind: 'boolean' }
    }
  }

  /**
   * Proposes a field, once.
   * @returns null when it is not to be mapped; `plain` for an object without parameters of its own
   */
  #propose(around: ObjectPlan, path: string, value: NewValue): 'plain' | 'defined' | null {
    const { dynamic } = around
    const templatesOnly =
      dynamic === 'strict_allow_templates' || dynamic === 'false_allow_templates'
    if (dynamic === 'strict') throw this.#strict(dynamic, around, path)
    if (dynamic === 'false') return null
    const definition = defineDynamicField(this.mapping, path, value, templatesOnly)
    if (definition === null) {
      if (dynamic === 'strict_allow_templates') throw this.#strict(dynamic, around, path)
      return null
    }
    this.#bringsFields = true
    // What is left out is proposed in the next round, if there is one.
    if (!this.#proposed.has(path) && this.proposals.length < MAX_PROPOSALS) {
      this.#proposed.add(path)
      this.proposals.push({ path, definition })
    }
    return value.kind === 'object' && definition.entries.length === 1 ? 'plain' : 'defined'
  }

  #strict(dynamic: Dynamic, around: ObjectPlan, path: string): EngineError {
    const within = around.path === '' ? '_doc' : around.path
    const below = around.path === '' ? path : path.slice(around.path.length + 1)
    const dot = below.indexOf('.')
    return new EngineError({
      type: 'strict_dynamic_mapping_exception',
      reason:
        `mapping set to ${dynamic}, dynamic introduction of ` +
        `[${dot < 0 ? below : below.slice(0, dot)}] within [${within}] is not allowed`,
    })
  }
}

function mapperError(reason: string): EngineError {
  return new EngineError({ type: 'mapper_parsing_exception', reason })
}

function illegal(reason: string): EngineError {
  return new EngineError({ type: 'illegal_argument_exception', reason })
}

/**
 * What is no JSON, and what the mapping refuses, stands by itself; whatever else goes wrong is a
 * document that fails to parse.
 */
function wrapped(error: unknown): EngineError {
  if (!(error instanceof EngineError)) throw error
  switch (error.type) {
    case 'json_parse_exception':
    case 'mapper_parsing_exception':
    case 'strict_dynamic_mapping_exception':
      return error
  }
  const causedBy = toErrorRecord(error)
  return new EngineError({ type: 'mapper_parsing_exception', reason: 'failed to parse', causedBy })
}

/** The parts of a dotted name. */
function checkedParts(name: string): string[] {
  if (name === '') throw illegal('field name cannot be an empty string')
  if (name.indexOf('.') < 0) {
    if (name.trim() === '') throw blankName(name)
    return [name]
  }
  if (/^\.+$/.test(name)) throw illegal('field name cannot contain only the character [.]')
  const parts = name.split('.')
  for (const part of parts) {
    if (part === '')
      throw illegal(
        'object field starting or ending with a [.] makes object resolution ambiguous: ' +
          `[${name}]`,
      )
    if (part.trim() === '') throw blankName(name)
  }
  return parts
}

function blankName(name: string): EngineError {
  return illegal(`object field cannot contain only whitespace: ['${name}']`)
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

/** A name that holds nothing but ASCII letters, digits, `_` and `-`, and does not begin with `_`. */
function isPlainName({ bytes, start, end, hasEscapes }: JsonReader): boolean {
  if (hasEscapes || start === end || bytes[start] === 0x5f) return false
  for (let i = start; i < end; i++) if (PLAIN_NAME[bytes[i]!] === 0) return false
  return true
}

const PLAIN_NAME = Uint8Array.from({ length: 256 }, (_, b) =>
  /[\w-]/.test(String.fromCharCode(b)) ? 1 : 0,
)
