/**
 * From a mapping's JSON to a `Mapping`: names, types, parameters and limits, with the documented
 * errors. The depth of objects is bounded here, so what walks a mapping may recurse.
 */
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import { type JsonNode, type JsonObjectNode, jsonEntry } from '../util/json/json-tree.ts'
import { Float64, type JsonValue } from '../util/json/json-value.ts'
import { compileDateFormat, DEFAULT_DATE_PATTERN } from './date-format.ts'
import { type DynamicTemplate, parseDynamicTemplates } from './dynamic-template.ts'
import {
  type FieldParameter,
  fieldParameters,
  isFieldTypeName,
  parseBoolean,
  TYPES_NOT_SUPPORTED,
} from './field-parameters.ts'
import {
  type Dynamic,
  type FieldType,
  type FieldTypeName,
  type IndexOptions,
  isObjectType,
  type ObjectType,
} from './field-type.ts'
import { describeNode, nodeToJson } from './json-conversion.ts'
import { Mapping, type MappingLimits } from './mapping.ts'
import { NumberParser } from './number-parser.ts'

/** What a mapping may name, and its limits. */
export interface MappingContext {
  readonly limits: MappingLimits
  hasAnalyzer(name: string): boolean
  hasNormalizer(name: string): boolean
}

/** A field that a document brought first: where, and as what the dynamic rules map it. */
export interface FieldProposal {
  /** Full path; the objects on the way are made when they are missing. */
  readonly path: string
  readonly definition: JsonObjectNode
}

/** Objects within each other that no setting allows more of: what walks a mapping recurses. */
const MAX_DEPTH = 1000

/** The error of a mapping that cannot be read. */
export function mapperParsingError(reason: string): EngineError {
  return new EngineError({ type: 'mapper_parsing_exception', reason })
}

/**
 * Reads a whole mapping: the object below `mappings`, or the body of a put.
 * @throws {EngineError} `mapper_parsing_exception` or `illegal_argument_exception`; a create wraps
 * it as `Failed to parse mapping [_doc]: ⟨reason⟩`
 */
export function parseMapping(node: JsonNode, context: MappingContext): Mapping {
  if (node.kind === 'array' && node.items.length === 0) return Mapping.EMPTY
  if (node.kind !== 'object') throw mapperParsingError('Malformed mapping, must be an object')
  let dynamic: Dynamic | null = null
  let enabled: boolean | null = null
  let meta: JsonValue = null
  let routingRequired: boolean | null = null
  let dateDetection: boolean | null = null
  let numericDetection: boolean | null = null
  let dynamicDateFormats: string[] | null = null
  let dynamicTemplates: DynamicTemplate[] | null = null
  let children: ReadonlyMap<string, ObjectType | FieldType> = new Map()
  const unknown: string[] = []
  for (const { key, value } of node.entries) {
    switch (key) {
      case '_doc':
        throw new IllegalArgumentError('Types cannot be provided in put mapping requests')
      case 'properties':
        children = parseProperties(value, '', 0, context)
        break
      case 'dynamic':
        dynamic = parseDynamic(value)
        break
      case 'enabled':
        enabled = parseBoolean(value, key)
        break
      case '_meta':
        meta = nodeToJson(value)
        break
      case '_routing':
        routingRequired = parseFlags(value, key, ['required']).get('required') ?? null
        break
      case '_source':
        if (parseSource(value) === false) throw notSupported('_source.enabled: false')
        break
      case '_field_names':
        parseFlags(value, key, ['enabled'])
        break
      case 'date_detection':
        dateDetection = parseBoolean(value, key)
        break
      case 'numeric_detection':
        numericDetection = parseBoolean(value, key)
        break
      case 'dynamic_date_formats':
        dynamicDateFormats = parseDynamicDateFormats(value)
        break
      case 'dynamic_templates':
        dynamicTemplates = parseDynamicTemplates(value)
        break
      case 'derived':
      case 'composite':
        throw notSupported(key)
      default:
        unknown.push(`[${key} : ${describeNode(value)}]`)
    }
  }
  if (unknown.length > 0)
    throw mapperParsingError(
      `Root mapping definition has unsupported parameters:  ${unknown.join(' ')}`,
    )
  const root: ObjectType = { name: '', dynamic, enabled, children }
  const mapping = new Mapping(root, {
    dateDetection,
    numericDetection,
    dynamicDateFormats,
    dynamicTemplates,
    meta,
    routingRequired,
  })
  checkMapping(mapping, context.limits)
  return mapping
}

/**
 * Adds the fields that documents brought, in order; one whose path is taken by then is passed over,
 * so that of two proposals for one field the first wins.
 * @throws {EngineError} a limit is exceeded, or a path leads through a field
 */
export function addProposals(
  mapping: Mapping,
  proposals: readonly FieldProposal[],
  context: MappingContext,
): Mapping {
  const { totalFields } = context.limits
  let children = mapping.root.children
  let added = 0
  for (const { path, definition } of proposals) {
    if (entryAt(children, path.split('.')) !== null) continue
    // Here and not only at the end: each field copies the level that it goes to.
    if (mapping.fieldCount + ++added > totalFields) throw tooManyFields(totalFields)
    const wrapped: JsonObjectNode = {
      kind: 'object',
      line: 1,
      col: 1,
      entries: [{ key: path, line: 1, col: 1, value: definition }],
    }
    children = mergeMissing(children, parseProperties(wrapped, '', 0, context))
  }
  if (children === mapping.root.children) return mapping
  const grown = new Mapping({ ...mapping.root, children }, mapping.options)
  checkMapping(grown, context.limits)
  return grown
}

/** The entry at a path; a path that leads through a field ends at that field. */
function entryAt(
  children: ReadonlyMap<string, ObjectType | FieldType>,
  parts: readonly string[],
): ObjectType | FieldType | null {
  let level = children
  let entry: ObjectType | FieldType | null = null
  for (const part of parts) {
    entry = level.get(part) ?? null
    if (entry === null || !isObjectType(entry)) return entry
    level = entry.children
  }
  return entry
}

/** What is in `old` stays; what only `added` has is added. */
function mergeMissing(
  old: ReadonlyMap<string, ObjectType | FieldType>,
  added: ReadonlyMap<string, ObjectType | FieldType>,
): ReadonlyMap<string, ObjectType | FieldType> {
  const merged = new Map(old)
  for (const [name, entry] of added) {
    const existing = merged.get(name)
    if (existing === undefined) merged.set(name, entry)
    else if (isObjectType(existing) && isObjectType(entry)) {
      const children = mergeMissing(existing.children, entry.children)
      merged.set(name, { ...existing, children })
    }
  }
  return merged
}

/** @throws {EngineError} the mapping is larger than its limits, or copies to where it cannot */
export function checkMapping(mapping: Mapping, limits: MappingLimits): void {
  if (mapping.fieldCount > limits.totalFields) throw tooManyFields(limits.totalFields)
  for (const field of mapping.leaves) {
    for (const target of field.copyTo) {
      if (mapping.object(target) !== null)
        throw new IllegalArgumentError(
          `Cannot copy to field [${target}] since it is mapped as an object`,
        )
      const parent = mapping.field(target.slice(0, target.lastIndexOf('.')))
      if (parent?.multiFields.some(sub => sub.name === target))
        throw new IllegalArgumentError(
          `[copy_to] may not be used to copy to a multi-field: [${target}]`,
        )
    }
  }
}

function tooManyFields(limit: number): IllegalArgumentError {
  return new IllegalArgumentError(`Limit of total fields [${limit}] has been exceeded`)
}

function parseDynamic(node: JsonNode): Dynamic {
  const text = describeNode(node)
  switch (text) {
    case 'true':
    case 'false':
    case 'strict':
    case 'strict_allow_templates':
    case 'false_allow_templates':
      return text
    default:
      throw new IllegalArgumentError(
        `Failed to parse value [${text}] as only [true], [false], [strict], ` +
          '[strict_allow_templates] or [false_allow_templates] are allowed.',
      )
  }
}

function parseFlags(node: JsonNode, name: string, keys: readonly string[]): Map<string, boolean> {
  if (node.kind !== 'object') throw mapperParsingError(`[${name}] config must be an object`)
  const flags = new Map<string, boolean>()
  for (const { key, value } of node.entries) {
    if (!keys.includes(key))
      throw mapperParsingError(
        `Mapping definition for [${name}] has unsupported parameters:  ` +
          `[${key} : ${describeNode(value)}]`,
      )
    flags.set(key, parseBoolean(value, key))
  }
  return flags
}

/** Whether `_source` is kept; its filters are refused. */
function parseSource(node: JsonNode): boolean {
  if (node.kind !== 'object') throw mapperParsingError('[_source] config must be an object')
  for (const key of ['includes', 'excludes']) {
    const entry = jsonEntry(node, key)
    if (entry !== null && !(entry.value.kind === 'array' && entry.value.items.length === 0))
      throw notSupported(`_source.${key}`)
  }
  const others = node.entries.filter(entry => !['includes', 'excludes'].includes(entry.key))
  return parseFlags({ ...node, entries: others }, '_source', ['enabled']).get('enabled') ?? true
}

function parseDynamicDateFormats(node: JsonNode): string[] {
  const formats = node.kind === 'array' ? node.items.map(describeNode) : [describeNode(node)]
  if (formats.length === 1 && formats[0] === 'none') return []
  for (const format of formats) {
    if (format.startsWith('epoch_'))
      throw mapperParsingError(`Epoch [${format}] is not supported as dynamic date format`)
    compileDateFormat(format)
  }
  return formats
}

function parseProperties(
  node: JsonNode,
  parent: string,
  level: number,
  context: MappingContext,
): ReadonlyMap<string, ObjectType | FieldType> {
  if (node.kind === 'array' && node.items.length === 0) return new Map()
  if (node.kind !== 'object')
    throw new EngineError({ type: 'parse_exception', reason: 'properties must be a map type' })
  const children = new Map<string, ObjectType | FieldType>()
  for (const { key, value } of node.entries) {
    checkName(key, parent, context)
    const parts = key.split('.')
    if (level + parts.length > MAX_DEPTH)
      throw depthError(Math.min(context.limits.depth, MAX_DEPTH), parts[0]!)
    addAt(children, parent, parts, level, context, (name, shortName, at) => {
      if (value.kind !== 'object') {
        throw mapperParsingError(
          `Expected map for property [fields] on field [${key}] but got a class ` +
            `java.lang.${javaClass(value)}`,
        )
      }
      return parseEntry(value, name, shortName, at, context)
    })
  }
  return children
}

function javaClass(node: JsonNode): string {
  if (node.kind === 'number') return 'Number'
  return node.kind.charAt(0).toUpperCase() + node.kind.slice(1)
}

function checkName(key: string, parent: string, context: MappingContext): void {
  if (key.length > context.limits.fieldNameLength)
    throw new IllegalArgumentError(
      `Field name [${key.slice(0, 256)}] is longer than the limit of ` +
        `[${context.limits.fieldNameLength}] characters`,
    )
  if (key.trim() === '') throw new IllegalArgumentError('field name cannot be an empty string')
  if (/^\.+$/.test(key))
    throw new IllegalArgumentError('field name cannot contain only the character [.]')
  if (key.split('.').some(part => part.trim() === ''))
    throw new IllegalArgumentError(
      `object field starting or ending with a [.] makes object resolution ambiguous: [${key}]`,
    )
  if (parent === '' && METADATA_NAMES.has(key))
    throw mapperParsingError(`Field [${key}] is defined more than once`)
}

/** Names of the metadata fields: no field of a mapping or a document has them. */
export const METADATA_NAMES: ReadonlySet<string> = new Set([
  '_id',
  '_index',
  '_source',
  '_routing',
  '_seq_no',
  '_version',
  '_primary_term',
  '_field_names',
  '_ignored',
  '_type',
  '_nested_path',
  '_doc_count',
])

/** Puts an entry below dotted names, whose objects are made on the way. */
function addAt(
  children: Map<string, ObjectType | FieldType>,
  parent: string,
  parts: readonly string[],
  level: number,
  context: MappingContext,
  make: (name: string, shortName: string, level: number) => ObjectType | FieldType,
): void {
  const part = parts[0]!
  const name = parent === '' ? part : `${parent}.${part}`
  const existing = children.get(part)
  if (parts.length === 1) {
    const entry = make(name, part, level)
    if (existing === undefined) children.set(part, entry)
    else if (isObjectType(existing) && isObjectType(entry))
      children.set(part, {
        ...existing,
        dynamic: entry.dynamic ?? existing.dynamic,
        enabled: entry.enabled ?? existing.enabled,
        children: mergeMissing(existing.children, entry.children),
      })
    else throw new IllegalArgumentError(conflictOfKinds(existing, entry))
    return
  }
  if (level + 2 > context.limits.depth) throw depthError(context.limits.depth, name)
  if (existing !== undefined && !isObjectType(existing))
    throw new IllegalArgumentError(
      `can't merge a non object mapping [${name}] with an object mapping`,
    )
  const inside = new Map(existing?.children)
  addAt(inside, name, parts.slice(1), level + 1, context, make)
  children.set(part, { name, dynamic: null, enabled: null, ...existing, children: inside })
}

function depthError(limit: number, name: string): IllegalArgumentError {
  return new IllegalArgumentError(
    `Limit of mapping depth [${limit}] has been exceeded due to object field [${name}]`,
  )
}

/** Why an object and a field cannot have one name. */
export function conflictOfKinds(
  existing: ObjectType | FieldType,
  update: ObjectType | FieldType,
): string {
  if (isObjectType(existing))
    return `can't merge a non object mapping [${update.name}] with an object mapping`
  const from = existing.type
  const to = isObjectType(update) ? 'object' : update.type
  return `mapper [${existing.name}] cannot be changed from type [${from}] to [${to}]`
}

function parseEntry(
  node: JsonObjectNode,
  name: string,
  shortName: string,
  level: number,
  context: MappingContext,
): ObjectType | FieldType {
  const typeNode = jsonEntry(node, 'type')?.value ?? null
  const hasProperties = jsonEntry(node, 'properties') !== null
  if (typeNode === null && !hasProperties && !isObjectOnly(node))
    throw mapperParsingError(`No type specified for field [${shortName}]`)
  const type = typeNode === null ? 'object' : describeNode(typeNode)
  if (type === 'object') return parseObject(node, name, shortName, level, context)
  return parseField(node, name, shortName, type, false, context)
}

/** `{"dynamic": …}` or `{"enabled": …}` alone mean an object, as `properties` does. */
function isObjectOnly(node: JsonObjectNode): boolean {
  return (
    node.entries.length > 0 &&
    node.entries.every(entry => entry.key === 'dynamic' || entry.key === 'enabled')
  )
}

function parseObject(
  node: JsonObjectNode,
  name: string,
  shortName: string,
  level: number,
  context: MappingContext,
): ObjectType {
  if (level + 2 > context.limits.depth) throw depthError(context.limits.depth, name)
  let dynamic: Dynamic | null = null
  let enabled: boolean | null = null
  let children: ReadonlyMap<string, ObjectType | FieldType> = new Map()
  const unknown: string[] = []
  for (const { key, value } of node.entries) {
    if (key === 'type') continue
    if (key === 'dynamic') dynamic = parseDynamic(value)
    else if (key === 'enabled') enabled = parseBoolean(value, key)
    else if (key === 'properties') children = parseProperties(value, name, level + 1, context)
    else if (key === 'disable_objects') throw notSupported(key)
    else unknown.push(`[${key} : ${describeNode(value)}]`)
  }
  if (unknown.length > 0)
    throw mapperParsingError(
      `Mapping definition for [${shortName}] has unsupported parameters:  ${unknown.join(' ')}`,
    )
  return { name, dynamic, enabled, children }
}

function parseField(
  node: JsonObjectNode,
  name: string,
  shortName: string,
  type: string,
  isMultiField: boolean,
  context: MappingContext,
): FieldType {
  if (TYPES_NOT_SUPPORTED.has(type)) throw notSupported(type)
  const known = fieldParameters(type)
  if (known === null || !isFieldTypeName(type))
    throw mapperParsingError(`No handler for type [${type}] declared on field [${shortName}]`)
  const given = new Map<string, JsonValue>()
  let copyTo: readonly string[] = []
  let multiFields: readonly FieldType[] = []
  for (const { key, value } of node.entries) {
    if (key === 'type') continue
    if (value.kind === 'null' && key !== 'null_value')
      throw mapperParsingError(
        `[${key}] on mapper [${shortName}] of type [${type}] must not have a [null] value`,
      )
    if (key === 'copy_to') {
      if (isMultiField)
        throw mapperParsingError(`[copy_to] may not be used to copy from a multi-field: [${name}]`)
      copyTo = value.kind === 'array' ? value.items.map(describeNode) : [describeNode(value)]
    } else if (key === 'fields') {
      if (isMultiField) throw notSupported('fields within a multi-field')
      multiFields = parseMultiFields(value, name, shortName, context)
    } else {
      const parameter = known.find(candidate => candidate.name === key)
      if (parameter === undefined)
        throw mapperParsingError(
          `unknown parameter [${key}] on mapper [${shortName}] of type [${type}]`,
        )
      given.set(key, parameter.parse(value, name, type))
    }
  }
  checkParameters(name, type, given, context)
  return buildField(name, type, known, given, copyTo, multiFields, context.limits)
}

function parseMultiFields(
  node: JsonNode,
  parent: string,
  parentShortName: string,
  context: MappingContext,
): FieldType[] {
  if (node.kind === 'array' && node.items.length === 0) return []
  if (node.kind !== 'object')
    throw mapperParsingError(
      `Expected map for property [fields] on field [${parentShortName}] but got a class ` +
        `java.lang.${javaClass(node)}`,
    )
  return node.entries.map(({ key, value }) => {
    if (key.includes('.'))
      throw mapperParsingError(
        `Field name [${key}] which is a multi field of [${parentShortName}] cannot contain '.'`,
      )
    checkName(key, parent, context)
    const typeNode = value.kind === 'object' ? jsonEntry(value, 'type') : null
    if (value.kind !== 'object' || typeNode === null)
      throw mapperParsingError(`no type specified for property [${key}]`)
    const type = describeNode(typeNode.value)
    if (type === 'object' || type === 'nested' || type === 'alias')
      throw mapperParsingError(`Type [${type}] cannot be used in multi field`)
    return parseField(value, `${parent}.${key}`, key, type, true, context)
  })
}

/** What parameters demand of each other and of the index. */
function checkParameters(
  name: string,
  type: string,
  given: ReadonlyMap<string, JsonValue>,
  context: MappingContext,
): void {
  const analyzer = given.get('analyzer') ?? null
  const searchAnalyzer = given.get('search_analyzer') ?? null
  const quoteAnalyzer = given.get('search_quote_analyzer') ?? null
  if (quoteAnalyzer !== null && (searchAnalyzer === null || analyzer === null))
    throw mapperParsingError(
      `analyzer and search_analyzer on field [${name}] must be set when ` +
        'search_quote_analyzer is set',
    )
  if (searchAnalyzer !== null && analyzer === null)
    throw mapperParsingError(`analyzer on field [${name}] must be set when search_analyzer is set`)
  for (const used of [analyzer, searchAnalyzer, quoteAnalyzer]) {
    if (typeof used === 'string' && !context.hasAnalyzer(used))
      throw mapperParsingError(`analyzer [${used}] has not been configured in mappings`)
  }
  const normalizer = given.get('normalizer')
  if (typeof normalizer === 'string' && !context.hasNormalizer(normalizer))
    throw mapperParsingError(`normalizer [${normalizer}] not found for field [${name}]`)
  if (
    given.has('position_increment_gap') &&
    (given.get('index') === false || (given.get('index_options') ?? 'positions') !== 'positions')
  )
    throw mapperParsingError(
      `Cannot set position_increment_gap on field [${name}] without positions enabled`,
    )
  if (type === 'scaled_float' && !given.has('scaling_factor'))
    throw mapperParsingError('Field [scaling_factor] is required')
}

/**
 * A field from its given parameters, the others at their defaults.
 * @param limits hold the index's defaults of `coerce` and `ignore_malformed`
 */
export function buildField(
  name: string,
  type: FieldTypeName,
  known: readonly FieldParameter[],
  given: ReadonlyMap<string, JsonValue>,
  copyTo: readonly string[],
  multiFields: readonly FieldType[],
  limits: MappingLimits,
): FieldType {
  const value = (key: string): JsonValue => {
    const explicit = given.get(key)
    if (explicit !== undefined) return explicit
    return known.find(parameter => parameter.name === key)?.default ?? null
  }
  const text = (key: string): string | null => {
    const found = value(key)
    return typeof found === 'string' ? found : null
  }
  const flag = (key: string): boolean => value(key) === true
  const number = (key: string, otherwise: number): number => {
    const found = value(key)
    if (found instanceof Float64) return found.value
    return typeof found === 'number' ? found : otherwise
  }
  const indexed = flag('index')
  const hasTerms = indexed && (type === 'text' || type === 'keyword' || type === 'boolean')
  const indexOptions = hasTerms ? ((text('index_options') ?? 'docs') as IndexOptions) : 'none'
  const format = type === 'date' ? compileDateFormat(text('format') ?? DEFAULT_DATE_PATTERN) : null
  const coerceGiven = given.get('coerce')
  const malformedGiven = given.get('ignore_malformed')
  const knows = (key: string): boolean => known.some(parameter => parameter.name === key)
  const field: FieldType = {
    name,
    type,
    indexed,
    docValues: flag('doc_values'),
    stored: flag('store'),
    indexOptions,
    norms: hasTerms && flag('norms'),
    analyzer: text('analyzer'),
    searchAnalyzer: text('search_analyzer'),
    searchQuoteAnalyzer: text('search_quote_analyzer'),
    positionIncrementGap: number('position_increment_gap', 100),
    normalizer: text('normalizer'),
    ignoreAbove: number('ignore_above', 2147483647),
    useSimilarity: flag('use_similarity'),
    splitQueriesOnWhitespace: flag('split_queries_on_whitespace'),
    coerce: knows('coerce') && (coerceGiven === undefined ? limits.coerce : coerceGiven === true),
    ignoreMalformed:
      knows('ignore_malformed') &&
      (malformedGiven === undefined ? limits.ignoreMalformed : malformedGiven === true),
    nullValue: null,
    format,
    scalingFactor: number('scaling_factor', 1),
    copyTo,
    multiFields,
    parameters: given,
  }
  return { ...field, nullValue: nullValueText(field, value('null_value')) }
}

/**
 * The null value as it would be written in a document.
 * @throws {EngineError} a number that is none; a bad date is passed over, as in the real server
 */
function nullValueText(field: FieldType, value: JsonValue): string | null {
  if (value === null) return null
  const text = value instanceof Float64 ? javaNumber(value.value) : String(value)
  if (field.type === 'keyword') return text
  const parser = new NumberParser()
  if (field.type === 'date') return parser.parseText({ ...field, coerce: true }, text) ? text : null
  if (!parser.parseText({ ...field, coerce: true }, text)) throw mapperParsingError(parser.problem)
  return text
}

function javaNumber(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value)
}

function notSupported(key: string): IllegalArgumentError {
  return new IllegalArgumentError(`[${key}] is not supported yet`)
}
