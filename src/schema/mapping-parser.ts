/**
 * From a mapping's JSON to a `Mapping`: what the root says, the fields, the limits, with the
 * documented errors.
 */
import { IllegalArgumentError } from '../util/errors.ts'
import { type JsonNode, jsonEntry } from '../util/json/json-tree.ts'
import type { JsonValue } from '../util/json/json-value.ts'
import { compileDateFormat } from './date-format.ts'
import { type DerivedFields, parseDerivedFields } from './derived-field.ts'
import { type DynamicTemplate, parseDynamicTemplates } from './dynamic-template.ts'
import {
  type FieldContext,
  innerObjectConflict,
  parseDynamic,
  parseProperties,
  readDisableObjects,
} from './field-parser.ts'
import { parseBoolean } from './field-type/field-parameter.ts'
import { fieldKind } from './field-type/field-types.ts'
import { type Dynamic, isObjectType, type MappingEntry, type ObjectType } from './field-type.ts'
import { describeNode, nodeToJson } from './json-conversion.ts'
import { Mapping, type MappingLimits } from './mapping.ts'
import { mapperParsingError, notSupported } from './mapping-errors.ts'
import type { KeptSource } from './source-filter.ts'
import { parseStreamTimestamp, type StreamTimestamp } from './stream-timestamp.ts'

/** The names that a mapping may use, and its limits. */
export type MappingContext = FieldContext

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
  let source: KeptSource | null = null
  let streamTimestamp: StreamTimestamp | null = null
  let dateDetection: boolean | null = null
  let numericDetection: boolean | null = null
  let dynamicDateFormats: string[] | null = null
  let dynamicTemplates: DynamicTemplate[] | null = null
  let derivedFields: DerivedFields | null = null
  const disableObjects = readDisableObjects(node)
  let children: ReadonlyMap<string, MappingEntry> = new Map()
  const unknown: string[] = []
  for (const { key, value } of node.entries) {
    switch (key) {
      case '_doc':
        throw new IllegalArgumentError('Types cannot be provided in put mapping requests')
      case 'properties':
        children = parseProperties(value, '', 0, context, disableObjects === true)
        break
      case 'disable_objects':
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
        source = parseSource(value)
        break
      case '_data_stream_timestamp':
        streamTimestamp = parseStreamTimestamp(value)
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
      case '_id':
        throw mapperParsingError('_id is not configurable')
      case 'derived':
        derivedFields = parseDerivedFields(value, context.limits.ignoreMalformed)
        break
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
  const root: ObjectType = { name: '', dynamic, enabled, nested: null, disableObjects, children }
  const mapping = new Mapping(root, {
    dateDetection,
    numericDetection,
    dynamicDateFormats,
    dynamicTemplates,
    meta,
    routingRequired,
    source,
    streamTimestamp,
    derivedFields,
  })
  checkMapping(mapping, context.limits)
  return mapping
}

/** @throws {EngineError} the mapping is larger than its limits, or copies to where it cannot */
export function checkMapping(mapping: Mapping, limits: MappingLimits): void {
  if (mapping.fieldCount > limits.totalFields) throw tooManyFields(limits.totalFields)
  if (mapping.nestedPaths.length > limits.nestedFields)
    throw new IllegalArgumentError(
      `Limit of nested fields [${limits.nestedFields}] has been exceeded`,
    )
  const names = new Set<string>()
  for (const { name } of mapping.leaves) {
    if (names.has(name)) throw mapperParsingError(`Field [${name}] is defined more than once`)
    names.add(name)
  }
  checkFlat(mapping)
  checkOnesPerIndex(mapping)
  checkHidden(mapping)
  checkDerivedFields(mapping)
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
      checkNestedScope(mapping, field.name, target)
    }
  }
}

/** Objects with `disable_objects` hold none. */
function checkFlat(mapping: Mapping): void {
  for (const { name, disableObjects, children } of mapping.objects()) {
    if (disableObjects !== true) continue
    const within = name === '' ? '_doc' : name.slice(name.lastIndexOf('.') + 1)
    for (const child of children.values())
      if (isObjectType(child)) throw mapperParsingError(innerObjectConflict(child.name, within))
  }
}

/** Of some types an index has one field. */
function checkOnesPerIndex({ leaves }: Mapping): void {
  for (const { type } of leaves) {
    const name = fieldKind(type).onePerIndex
    if (name === undefined) continue
    const fields = leaves.filter(field => field.type === type)
    if (fields.length > 1)
      throw new IllegalArgumentError(
        `Only one [${name}] field can be defined per index, got ` +
          `[${fields.map(field => field.name).join(', ')}]`,
      )
  }
}

/** No object may be named like a field that a type brings along. */
function checkHidden({ leaves, root }: Mapping): void {
  for (const { derived } of leaves)
    for (const { name } of derived)
      if (root.children.has(name))
        throw mapperParsingError(`Field [${name}] is defined more than once`)
}

/** No derived field is named like an entry of the mapping. */
function checkDerivedFields(mapping: Mapping): void {
  for (const name of mapping.options.derivedFields?.keys() ?? []) {
    if (mapping.object(name) !== null)
      throw new IllegalArgumentError(
        `can't merge a non object mapping [${name}] with an object mapping`,
      )
    const field = mapping.field(name)
    if (field !== null)
      throw new IllegalArgumentError(
        `mapper [${name}] cannot be changed from type [${field.type}] to [derived]`,
      )
  }
}

/** Values are copied within a nested document or to those around it, never into another one. */
function checkNestedScope(mapping: Mapping, source: string, target: string): void {
  const scope = mapping.nestedAround(target)
  if (scope === null || source.startsWith(`${scope}.`)) return
  throw new IllegalArgumentError(
    'Illegal combination of [copy_to] and [nested] mappings: [copy_to] may only copy data to the ' +
      'current nested document or any of its parents, however one [copy_to] directive is trying to ' +
      `copy data from nested object [${mapping.nestedAround(source)}] to [${scope}]`,
  )
}

/** The error of a mapping with more fields than its limit. */
export function tooManyFields(limit: number): IllegalArgumentError {
  return new IllegalArgumentError(`Limit of total fields [${limit}] has been exceeded`)
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

/** The part of documents' sources that `_source` keeps. */
function parseSource(node: JsonNode): KeptSource {
  if (node.kind !== 'object') throw mapperParsingError('[_source] config must be an object')
  const patterns = (key: string): string[] => {
    const value = jsonEntry(node, key)?.value
    if (value === undefined) return []
    return value.kind === 'array' ? value.items.map(describeNode) : [describeNode(value)]
  }
  const others = node.entries.filter(({ key }) => key !== 'includes' && key !== 'excludes')
  const flags = parseFlags({ ...node, entries: others }, '_source', ['enabled'])
  return {
    enabled: flags.get('enabled') ?? true,
    includes: patterns('includes'),
    excludes: patterns('excludes'),
  }
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
