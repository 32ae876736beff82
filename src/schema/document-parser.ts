/**
 * Reads documents against a mapping: one pass over the bytes, operations into reused arrays.
 * Names unknown to the mapping become proposals: the caller adds them to the mapping and parses the
 * document again, until it brings none (each round reaches at least one level of objects deeper, so
 * there are never more rounds than levels).
 *
 * A document that fails leaves nothing behind: neither operations nor proposals.
 */
import { EngineError, IllegalArgumentError, toErrorRecord } from '../util/errors.ts'
import {
  JSON_LIMITS,
  JSON_TOKENS,
  JsonReader,
  type JsonToken,
  type PlainRun,
} from '../util/json/json-reader.ts'
import { type JsonNode, parseJsonTree } from '../util/json/json-tree.ts'
import { checkedParts, isPlainName } from './document-names.ts'
import type { NewValue } from './dynamic-mapping.ts'
import { METADATA_NAMES } from './field-parser.ts'
import { FieldProposals, strictError } from './field-proposals.ts'
import { HandedText } from './handed-text.ts'
import { describeNode } from './json-conversion.ts'
import { LeafValues } from './leaf-values.ts'
import { DEFAULT_MAPPING_LIMITS, type Mapping } from './mapping.ts'
import type { FieldProposal } from './mapping-growth.ts'
import { type LeafPlan, type NestedPlan, ObjectPlan } from './parse-plan.ts'
import { DOC_COUNT_FIELD, OPERATIONS, ParsedDocument } from './parsed-document.ts'

/** Reads documents against one mapping. One per thread and mapping. */
export class DocumentParser {
  readonly mapping: Mapping
  /** The last document's operations. */
  readonly document: ParsedDocument = new ParsedDocument()
  readonly #proposals: FieldProposals
  readonly #values: LeafValues
  readonly #handed: HandedText
  readonly #root: ObjectPlan
  readonly #depthLimit: number
  readonly #nestedLimit: number
  /** Ordinal of the field that has one value in every document; −1: there is none. */
  readonly #timestamp: number
  readonly #reader: JsonReader

  /**
   * @param depthLimit of objects within each other
   * @param plainRun passes over plain bytes of strings, of the one input that it sees
   * @param nestedLimit of nested objects in one document
   */
  constructor(
    mapping: Mapping,
    depthLimit: number,
    plainRun: PlainRun | null = null,
    nestedLimit: number = DEFAULT_MAPPING_LIMITS.nestedObjects,
  ) {
    this.mapping = mapping
    this.#reader = new JsonReader(JSON_LIMITS, plainRun)
    this.#values = new LeafValues(this.#reader, this.document)
    this.#handed = new HandedText(this.document)
    this.#proposals = new FieldProposals(mapping)
    this.#depthLimit = depthLimit
    this.#nestedLimit = nestedLimit
    this.#root = new ObjectPlan(mapping.root, mapping, null)
    const { streamTimestamp } = mapping.options
    this.#timestamp = streamTimestamp?.enabled ? mapping.ordinal(streamTimestamp.field) : -1
  }

  /** Fields that the last document brings and the mapping does not have. */
  get proposals(): readonly FieldProposal[] {
    return this.#proposals.list
  }

  /**
   * Reads the document `source[start, end)`.
   * @param id for messages, and for relations between documents
   * @param routing null: by the id
   * @returns false when it brings fields that are not mapped: `proposals` then holds them, and
   * `document` nothing of use
   * @throws {EngineError} the documented error of a document that cannot be indexed
   */
  parse(
    source: Uint8Array,
    start: number,
    end: number,
    id: string,
    routing: string | null = null,
  ): boolean {
    const proposals = this.#proposals
    proposals.clear()
    this.#values.id = id
    this.#values.routing = routing
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
      if (this.#timestamp >= 0) this.#checkTimestamp()
    } catch (error) {
      proposals.clear()
      this.document.count = 0
      throw wrapped(error)
    }
    if (proposals.isNeeded) this.document.count = 0
    return !proposals.isNeeded
  }

  /** A document of a data stream has one value in the field of its time. */
  #checkTimestamp(): void {
    const { document } = this
    let values = 0
    for (let i = 0; i < document.count; i++) if (document.fields[i] === this.#timestamp) values++
    if (values === 1) return
    const { field } = this.mapping.options.streamTimestamp!
    throw new IllegalArgumentError(
      `documents must contain a single-valued timestamp field '${field}' of date type`,
    )
  }

  /** Reads an object's fields up to its closing brace. Depth is bounded by the reader. */
  #object(plan: ObjectPlan, depth: number): void {
    const reader = this.#reader
    if (plan.isFlat) {
      this.#flatFields(plan, '', depth)
      return
    }
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

  /**
   * Reads the fields of an object that takes no objects, or of an object within it, whose names run on.
   * @param within dotted name of that object below the plan's; empty for the plan's own
   */
  #flatFields(plan: ObjectPlan, within: string, depth: number): void {
    const reader = this.#reader
    if (depth > this.#depthLimit) throw this.#tooDeep(pathOf(plan, within))
    while (reader.next() === JSON_TOKENS.name) {
      const own = reader.text()
      if (within === '' && this.#metadata(plan, own)) continue
      checkedParts(own)
      this.#flatValue(plan, within === '' ? own : `${within}.${own}`, reader.next(), depth)
    }
  }

  /** A value of an object that takes no objects: fields that take objects get them, others' are flattened. */
  #flatValue(plan: ObjectPlan, name: string, token: JsonToken, depth: number): void {
    const reader = this.#reader
    const entry = plan.findText(name) as LeafPlan | null
    if (entry !== null && !('refuseObject' in entry.kind)) this.#leafValue(entry, token)
    else if (token === JSON_TOKENS.objectStart) this.#flatFields(plan, name, depth + 1)
    else if (token === JSON_TOKENS.arrayStart) {
      const outer = reader.depth - 1
      let item = reader.next()
      while (reader.depth > outer) {
        if (item === JSON_TOKENS.arrayStart || item === JSON_TOKENS.arrayEnd)
          this.#checkArrayDepth(pathOf(plan, name), reader.depth - outer)
        else this.#flatValue(plan, name, item, depth)
        item = reader.next()
      }
    } else if (entry !== null) this.#leafScalar(entry, token)
    else this.#newField(plan, pathOf(plan, name), token, depth)
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
        if (plan.nested === null) this.#object(plan, depth + 1)
        else this.#nestedObject(plan, plan.nested, depth + 1)
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

  /** A nested object: a document of its own. */
  #nestedObject(plan: ObjectPlan, { toParent, toRoot }: NestedPlan, depth: number): void {
    const { document } = this
    if (document.openNested(plan.path) > this.#nestedLimit)
      throw mapperError(
        `The number of nested documents has exceeded the allowed limit of [${this.#nestedLimit}]. ` +
          'This limit can be set by changing the [index.mapping.nested_objects.limit] index level ' +
          'setting.',
      )
    this.#object(plan, depth)
    document.closeNested(toParent, toRoot)
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
    const { kind } = plan
    if ('addObject' in kind && kind.addList !== undefined) {
      refuseCopies(plan)
      if (handsOn(plan)) this.#addNode(plan, this.#values.takeTree())
      else kind.addList(plan.field, plan.ordinal, this.#values)
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
      if ('refuseObject' in plan.kind) plan.kind.refuseObject(plan.field, this.#values)
      else {
        refuseCopies(plan)
        if (handsOn(plan)) this.#addNode(plan, this.#values.takeTree())
        else plan.kind.addObject(plan.field, plan.ordinal, this.#values)
      }
      return
    }
    this.#addValue(plan, token)
    const targets = plan.copyTo
    for (let i = 0; i < targets.length; i++) this.#copyTo(targets[i]!, token)
  }

  /** A value that was read already, into a field and its multi-fields. */
  #addNode(plan: LeafPlan, node: JsonNode): void {
    const { kind, field, ordinal, multiFields } = plan
    kind.addNode?.(field, ordinal, node, this.#values)
    if (multiFields.length === 0 || !('addObject' in kind)) return
    const texts = kind.textsOf?.(field, node) ?? []
    for (const sub of multiFields)
      if (kind.handsOnWhole === true && sub.kind.addNode !== undefined) this.#addNode(sub, node)
      else for (const text of texts) this.#addText(sub, text)
  }

  /** A text that a field hands on, into a multi-field and its own. */
  #addText(plan: LeafPlan, text: string): void {
    const { kind, field, ordinal, derived, multiFields } = plan
    if (kind.addNode !== undefined) {
      this.#addNode(plan, { kind: 'string', line: 1, col: 1, value: text })
      return
    }
    const handed = this.#handed
    const token = handed.take(text, this.#values)
    kind.addValue(field, ordinal, token, handed)
    for (const each of derived) each.kind.addValue(each.field, each.ordinal, token, handed)
    for (const sub of multiFields) this.#addText(sub, text)
  }

  /** One scalar into a field and its multi-fields. */
  #addValue(plan: LeafPlan, token: JsonToken): void {
    const { kind, derived, multiFields } = plan
    if (token !== JSON_TOKENS.null && handsOn(plan)) {
      this.#addNode(plan, scalarNode(this.#reader, token))
      return
    }
    kind.addValue(plan.field, plan.ordinal, token, this.#values)
    for (let i = 0; i < derived.length; i++) {
      const each = derived[i]!
      each.kind.addValue(each.field, each.ordinal, token, this.#values)
    }
    for (let i = 0; i < multiFields.length; i++) this.#addValue(multiFields[i]!, token)
  }

  /** The raw value goes to another field and its multi-fields too; not chained. */
  #copyTo(path: string, token: JsonToken): void {
    if (token === JSON_TOKENS.null) return
    const found = this.#resolve(this.#root, path.split('.'), true)
    if (found.entry === null)
      this.#proposals.propose(found.around, path, newValue(this.#reader, token))
    else if (!(found.entry instanceof ObjectPlan)) this.#addValueTo(found.entry, token)
  }

  /** Adds a copied value to the innermost open document that the field lies in. */
  #addValueTo(plan: LeafPlan, token: JsonToken): void {
    const { document } = this
    const block = document.nested
    const source = block?.current ?? 0
    const target = block?.scopeOf(plan.field.name) ?? 0
    if (target !== source) block!.switchTo(target, document.count)
    this.#addValue(plan, token)
    if (target !== source) block!.switchTo(source, document.count)
  }

  /**
   * Walks dotted parts from a plan on; `around` is the innermost object that is mapped.
   * @param entersNested false: a nested object may only be the last part
   */
  #resolve(
    from: ObjectPlan,
    parts: readonly string[],
    entersNested: boolean,
  ): { entry: LeafPlan | ObjectPlan | null; around: ObjectPlan } {
    let around = from
    for (let i = 0; i < parts.length; i++) {
      if (around.isFlat) return { entry: around.findText(parts.slice(i).join('.')), around }
      const entry = around.findText(parts[i]!)
      if (entry === null) return { entry: null, around }
      if (i === parts.length - 1) return { entry, around }
      if (!(entry instanceof ObjectPlan))
        throw mapperError(
          `Could not dynamically add mapping for field [${parts.join('.')}]. Existing mapping ` +
            `for [${entry.field.name}] must be of type object but found [${entry.field.type}].`,
        )
      if (entry.nested !== null && !entersNested)
        throw mapperError(
          `Cannot add a value for field [${parts.join('.')}] since one of the intermediate ` +
            `objects is mapped as a nested object: [${entry.path}]`,
        )
      around = entry
    }
    return { entry: around, around }
  }

  /** A name that its object does not know as it stands: dotted, metadata, or new. */
  #unknownName(plan: ObjectPlan, name: string, depth: number): void {
    if (this.#metadata(plan, name)) return
    const reader = this.#reader
    const parts = checkedParts(name)
    const { entry, around } =
      parts.length === 1 ? { entry: null, around: plan } : this.#resolve(plan, parts, false)
    const token = reader.next()
    const inner = depth + parts.length - 1
    if (entry instanceof ObjectPlan) this.#objectValue(entry, token, inner)
    else if (!around.isEnabled) this.#skip(token)
    else if (around.isFlat) {
      const path = pathOf(plan, name)
      this.#flatValue(around, path.slice(around.path.length + 1), token, inner)
    } else if (entry !== null) this.#leafValue(entry, token)
    else this.#newField(around, pathOf(plan, name), token, inner)
  }

  /**
   * Reads what is named like a metadata field.
   * @returns false: it is none
   * @throws {EngineError} documents may not have it
   */
  #metadata(plan: ObjectPlan, name: string): boolean {
    if (plan !== this.#root || !METADATA_NAMES.has(name)) return false
    if (name !== '_doc_count')
      throw mapperError(
        `Field [${name}] is a metadata field and cannot be added inside a document. ` +
          'Use the index API request parameters.',
      )
    this.#docCount(this.#reader.next())
    return true
  }

  /** The number of documents that the document stands for. */
  #docCount(token: JsonToken): void {
    const reader = this.#reader
    const { start } = reader
    this.#skip(token)
    const text = token === JSON_TOKENS.string ? reader.text() : describeSource(reader, start)
    const count = token === JSON_TOKENS.number && reader.isInteger ? Number(text) : 0
    if (count <= 0 || !Number.isSafeInteger(count))
      throw new EngineError({
        type: 'mapper_parsing_exception',
        reason:
          'failed to parse field [_doc_count] of type [_doc_count] in document with id ' +
          `'${this.#values.id}'. Preview of field's value: '${text.slice(0, 1000)}'`,
        causedBy: {
          type: 'illegal_argument_exception',
          reason: `Field [_doc_count] must be a positive integer. Value [${text.slice(0, 1000)}]`,
        },
      })
    this.document.push(
      OPERATIONS.long,
      DOC_COUNT_FIELD,
      Math.floor(count / 4294967296),
      count >>> 0,
    )
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
    if (dynamic === 'strict') throw strictError(dynamic, around, path)
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
          else if (item !== JSON_TOKENS.null)
            this.#proposals.propose(around, path, newValue(this.#reader, item))
          item = reader.next()
        }
        return
      }
      default:
        this.#proposals.propose(around, path, newValue(this.#reader, token))
    }
  }

  /** A new object: itself, and what it holds unless a template may say otherwise of it. */
  #newObject(around: ObjectPlan, path: string, depth: number): void {
    const reader = this.#reader
    if (depth + 1 > this.#depthLimit) throw this.#tooDeep(path)
    const definition = this.#proposals.propose(around, path, { kind: 'object' })
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
}

/**
 * Errors of the JSON text and of the mapping stay as they are; any other one is wrapped as a
 * document that fails to parse.
 */
function wrapped(error: unknown): EngineError {
  if (!(error instanceof EngineError)) throw error
  switch (error.type) {
    case 'json_e_o_f_exception':
    case 'json_parse_exception':
    case 'mapper_parsing_exception':
    case 'strict_dynamic_mapping_exception':
      return error
  }
  const causedBy = toErrorRecord(error)
  return new EngineError({ type: 'mapper_parsing_exception', reason: 'failed to parse', causedBy })
}

/** The value from `start` to where the reader stands, as Java prints it. */
function describeSource({ bytes, end }: JsonReader, start: number): string {
  return describeNode(parseJsonTree(bytes.subarray(start, end)))
}

/** The full path of a name below an object. */
function pathOf({ path }: ObjectPlan, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function mapperError(reason: string): EngineError {
  return new EngineError({ type: 'mapper_parsing_exception', reason })
}

/** Whether a field's multi-fields get what it makes of a value. */
function handsOn({ kind, multiFields }: LeafPlan): boolean {
  return multiFields.length > 0 && kind.addNode !== undefined
}

/** The scalar at which the reader stands. */
function scalarNode(reader: JsonReader, token: JsonToken): JsonNode {
  const text = reader.text()
  const place = { line: 1, col: 1 }
  if (token === JSON_TOKENS.string) return { kind: 'string', ...place, value: text }
  if (token === JSON_TOKENS.number) return { kind: 'number', ...place, text, value: Number(text) }
  return { kind: 'boolean', ...place, value: token === JSON_TOKENS.true }
}

/**
 * Refuses an object, or a list that may be one value, which other fields would get too.
 * @throws {EngineError} they would
 */
function refuseCopies({ field, kind, multiFields, copyTo }: LeafPlan): void {
  const copied =
    copyTo.length > 0
      ? '[copy_to] cannot copy'
      : multiFields.length > 0 && !('addObject' in kind && kind.textsOf !== undefined)
        ? '[fields] cannot get'
        : null
  if (copied !== null)
    throw new IllegalArgumentError(
      `${copied} the values of field [${field.name}] of type [${field.type}], which are objects`,
    )
}

/** The type of a new field for a scalar. */
function newValue(reader: JsonReader, token: JsonToken): NewValue {
  switch (token) {
    case JSON_TOKENS.string:
      return { kind: 'string', text: reader.text() }
    case JSON_TOKENS.number:
      return { kind: 'number', isInteger: reader.isInteger }
    default:
      return { kind: 'boolean' }
  }
}
