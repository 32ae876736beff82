/**
 * The fields and objects below `properties`: names, types and parameters, with the documented
 * errors. The depth of objects is bounded here, so what walks a mapping may recurse.
 */
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import { type JsonNode, type JsonObjectNode, jsonEntry } from '../util/json/json-tree.ts'
import type { JsonValue } from '../util/json/json-value.ts'
import { isFieldAlias, parseFieldAlias } from './field-alias.ts'
import { buildField } from './field-builder.ts'
import type { AnalysisNames } from './field-type/field-kind.ts'
import { parseBoolean } from './field-type/field-parameter.ts'
import { fieldKind, isFieldTypeName } from './field-type/field-types.ts'
import { boostWithoutEffect } from './field-type/shared-parameters.ts'
import { UNSUPPORTED_TYPES } from './field-type/unsupported-types.ts'
import {
  type Dynamic,
  type FieldType,
  isObjectType,
  type MappingEntry,
  type ObjectType,
} from './field-type.ts'
import { describeNode } from './json-conversion.ts'
import type { MappingLimits } from './mapping.ts'
import { mapperParsingError, notSupported } from './mapping-errors.ts'

/** The names that a mapping may use, and its limits. */
export interface FieldContext extends AnalysisNames {
  readonly limits: MappingLimits
}

/** Objects within each other that no setting allows more of: what walks a mapping recurses. */
const MAX_DEPTH = 1000

/**
 * Reads `properties`.
 * @param parent full path of the object around, empty at the root
 * @param level  of that object, 0 at the root
 * @param isFlat whether that object takes no objects, so that dots are part of names
 */
export function parseProperties(
  node: JsonNode,
  parent: string,
  level: number,
  context: FieldContext,
  isFlat: boolean,
): ReadonlyMap<string, MappingEntry> {
  if (node.kind === 'array' && node.items.length === 0) return new Map()
  if (node.kind !== 'object')
    throw new EngineError({ type: 'parse_exception', reason: 'properties must be a map type' })
  const children = new Map<string, MappingEntry>()
  for (const { key, value } of node.entries) {
    checkName(key, parent, context)
    const parts = isFlat ? [key] : key.split('.')
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

/**
 * Reads one field or object whose parents are made by the caller.
 * @param name  full path
 * @param level of the object around it, 0 at the root
 */
export function parseNamedEntry(
  node: JsonObjectNode,
  name: string,
  shortName: string,
  level: number,
  context: FieldContext,
): MappingEntry {
  checkName(shortName, name === shortName ? '' : name.slice(0, -shortName.length - 1), context)
  return parseEntry(node, name, shortName, level, context)
}

function javaClass(node: JsonNode): string {
  if (node.kind === 'number') return 'Number'
  return node.kind.charAt(0).toUpperCase() + node.kind.slice(1)
}

function checkName(key: string, parent: string, context: FieldContext): void {
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
  '_data_stream_timestamp',
])

/** Puts an entry below dotted names, whose objects are made on the way. */
function addAt(
  children: Map<string, MappingEntry>,
  parent: string,
  parts: readonly string[],
  level: number,
  context: FieldContext,
  make: (name: string, shortName: string, level: number) => MappingEntry,
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
        nested: entry.nested ?? existing.nested,
        disableObjects: entry.disableObjects ?? existing.disableObjects,
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
  children.set(part, {
    name,
    dynamic: null,
    enabled: null,
    nested: null,
    disableObjects: null,
    ...existing,
    children: inside,
  })
}

/** Entries of `old` stay; those that `added` alone has join them. */
function mergeMissing(
  old: ReadonlyMap<string, MappingEntry>,
  added: ReadonlyMap<string, MappingEntry>,
): ReadonlyMap<string, MappingEntry> {
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

/** The error of an object below the level that the limit allows. */
export function depthError(limit: number, name: string): IllegalArgumentError {
  return new IllegalArgumentError(
    `Limit of mapping depth [${limit}] has been exceeded due to object field [${name}]`,
  )
}

/** Why an object and a field cannot have one name. */
export function conflictOfKinds(existing: MappingEntry, update: MappingEntry): string {
  if (isObjectType(existing))
    return `can't merge a non object mapping [${update.name}] with an object mapping`
  if (isFieldAlias(existing))
    return (
      `Cannot merge a field alias mapping [${existing.name}] with a mapping that is not for a ` +
      'field alias.'
    )
  const from = existing.type
  const to = isObjectType(update) ? 'object' : update.type
  return `mapper [${existing.name}] cannot be changed from type [${from}] to [${to}]`
}

function parseEntry(
  node: JsonObjectNode,
  name: string,
  shortName: string,
  level: number,
  context: FieldContext,
): MappingEntry {
  const typeNode = jsonEntry(node, 'type')?.value ?? null
  const hasProperties = jsonEntry(node, 'properties') !== null
  if (typeNode === null && !hasProperties && !isObjectOnly(node))
    throw mapperParsingError(`No type specified for field [${shortName}]`)
  const type = typeNode === null ? 'object' : describeNode(typeNode)
  if (type === 'object' || type === 'nested')
    return parseObject(node, name, shortName, level, context)
  if (type === 'alias') return parseFieldAlias(node, name, shortName)
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
  context: FieldContext,
): ObjectType {
  if (level + 2 > context.limits.depth) throw depthError(context.limits.depth, name)
  let dynamic: Dynamic | null = null
  let enabled: boolean | null = null
  let isNested = false
  let includeInParent: boolean | null = null
  let includeInRoot: boolean | null = null
  const disableObjects = readDisableObjects(node)
  let children: ReadonlyMap<string, MappingEntry> = new Map()
  const unknown: string[] = []
  for (const { key, value } of node.entries) {
    if (key === 'type') isNested = describeNode(value) === 'nested'
    else if (key === 'dynamic') dynamic = parseDynamic(value)
    else if (key === 'enabled') enabled = parseBoolean(value, key)
    else if (key === 'include_in_parent') includeInParent = parseBoolean(value, key)
    else if (key === 'include_in_root') includeInRoot = parseBoolean(value, key)
    else if (key === 'properties')
      children = parseProperties(value, name, level + 1, context, disableObjects === true)
    else if (key !== 'disable_objects') unknown.push(`[${key} : ${describeNode(value)}]`)
  }
  if (unknown.length > 0) throw unsupportedParameters(shortName, unknown)
  // On a plain object the two are taken and mean nothing.
  const nested = isNested ? { includeInParent, includeInRoot } : null
  return { name, dynamic, enabled, nested, disableObjects, children }
}

/**
 * `disable_objects` of an object or of a mapping's root, read ahead of the fields that depend on it.
 * @returns null where it is not given
 * @throws {IllegalArgumentError} it is no boolean
 */
export function readDisableObjects(node: JsonObjectNode): boolean | null {
  const value = jsonEntry(node, 'disable_objects')?.value
  if (value === undefined) return null
  const text = describeNode(value)
  if (text === 'true' || text === 'false') return text === 'true'
  throw new IllegalArgumentError(
    'Configuration error: Parameter [disable_objects] must be a boolean value (true or false), ' +
      `but got [${text}]. Could not convert [disable_objects.disable_objects] to boolean`,
  )
}

/** Why a field with `disable_objects` cannot hold an object. */
export function innerObjectConflict(name: string, within: string): string {
  return (
    `Field mapping conflict: Cannot add nested object field [${name}] when disable_objects is ` +
    `enabled for [${within}]. With disable_objects=true, all fields must use flat field notation ` +
    "(e.g., 'field.name' as a single field) rather than nested object structures."
  )
}

/** @param unknown the parameters with their values */
function unsupportedParameters(shortName: string, unknown: readonly string[]): EngineError {
  return mapperParsingError(
    `Mapping definition for [${shortName}] has unsupported parameters:  ${unknown.join(' ')}`,
  )
}

/** The value of `dynamic`. */
export function parseDynamic(node: JsonNode): Dynamic {
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

function parseField(
  node: JsonObjectNode,
  name: string,
  shortName: string,
  type: string,
  isMultiField: boolean,
  context: FieldContext,
): FieldType {
  if (!isFieldTypeName(type)) {
    if (UNSUPPORTED_TYPES.has(type)) throw notSupported(type)
    throw mapperParsingError(`No handler for type [${type}] declared on field [${shortName}]`)
  }
  const kind = fieldKind(type)
  const given = new Map<string, JsonValue>()
  const unknown: string[] = []
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
      multiFields = parseMultiFields(value, name, shortName, context)
    } else {
      const own = kind.parameters.find(candidate => candidate.name === key)
      const isIdle = own === undefined && key === 'boost' && kind.isOldStyle !== true
      const parameter = isIdle ? boostWithoutEffect : own
      if (parameter !== undefined) given.set(key, parameter.parse(value, name, type))
      else if (kind.isOldStyle === true) unknown.push(`[${key} : ${describeNode(value)}]`)
      else
        throw mapperParsingError(
          `unknown parameter [${key}] on mapper [${shortName}] of type [${type}]`,
        )
    }
  }
  if (unknown.length > 0) throw unsupportedParameters(shortName, unknown)
  for (const check of kind.rules) check(name, given, context)
  return buildField(name, type, given, copyTo, multiFields, context.limits)
}

function parseMultiFields(
  node: JsonNode,
  parent: string,
  parentShortName: string,
  context: FieldContext,
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
