/**
 * Derived fields: fields whose values a script makes of each document when a search needs them. A mapping has
 * them below `derived`, and a search may bring its own; nothing is stored of them.
 */
import { IllegalArgumentError } from '../util/errors.ts'
import { type JsonNode, type JsonObjectNode, jsonEntry } from '../util/json/json-tree.ts'
import type { JsonMap, JsonValue } from '../util/json/json-value.ts'
import { compileDateFormat } from './date-format.ts'
import { parseBoolean } from './field-type/field-parameter.ts'
import { describeNode, nodeToJson } from './json-conversion.ts'
import { mapperParsingError } from './mapping-errors.ts'

/** The types of values that scripts of derived fields emit; an object is JSON whose members are fields. */
export type DerivedType =
  | 'boolean'
  | 'date'
  | 'double'
  | 'float'
  | 'geo_point'
  | 'ip'
  | 'keyword'
  | 'long'
  | 'object'
  | 'text'

const TYPES: ReadonlySet<string> = new Set<DerivedType>([
  'boolean',
  'date',
  'double',
  'float',
  'geo_point',
  'ip',
  'keyword',
  'long',
  'object',
  'text',
])

/** A derived field as it was defined. */
export interface DerivedField {
  readonly name: string
  readonly type: DerivedType
  /** A text, or an object with a source or the id of a stored script. */
  readonly script: JsonNode
  /** Of an object: the types of members by their paths. */
  readonly properties: ReadonlyMap<string, DerivedType>
  /** A text field that has every term that the values have; null: none is named. */
  readonly prefilterField: string | null
  /** The form in which dates print; null: that of date fields. */
  readonly format: string | null
  /** Whether documents whose values are none of the type are passed over; else they fail the search. */
  readonly ignoresMalformed: boolean
  /** As mappings print it. */
  readonly printed: JsonMap
}

/** Derived fields by name. */
export type DerivedFields = ReadonlyMap<string, DerivedField>

/** Of mappings and searches without any. */
export const NO_DERIVED_FIELDS: DerivedFields = new Map()

/**
 * Reads the object below `derived`.
 * @param ignoresMalformed where a field does not say
 * @throws {EngineError} `mapper_parsing_exception` or `illegal_argument_exception`
 */
export function parseDerivedFields(node: JsonNode, ignoresMalformed: boolean): DerivedFields {
  if (node.kind === 'array' && node.items.length === 0) return NO_DERIVED_FIELDS
  if (node.kind !== 'object') throw mapperParsingError('derived must be a map type')
  const fields = new Map<string, DerivedField>()
  for (const { key, value } of node.entries) {
    if (value.kind === 'array' && value.items.length === 0) continue
    if (value.kind !== 'object')
      throw mapperParsingError(
        `Expected map for property [fields] on field [${key}] but got [${describeNode(value)}]`,
      )
    if (key === '') throw new IllegalArgumentError('name cannot be empty string')
    fields.set(key, parseDerivedField(key, value, ignoresMalformed))
  }
  return fields
}

const PARAMETERS: ReadonlySet<string> = new Set([
  'type',
  'script',
  'properties',
  'prefilter_field',
  'format',
  'ignore_malformed',
])

function parseDerivedField(
  name: string,
  node: JsonObjectNode,
  ignoresByDefault: boolean,
): DerivedField {
  for (const { key, value } of node.entries) {
    if (!PARAMETERS.has(key))
      throw mapperParsingError(`unknown parameter [${key}] on mapper [${name}] of type [derived]`)
    if (value.kind === 'null')
      throw mapperParsingError(
        `[${key}] on mapper [${name}] of type [derived] must not have a [null] value`,
      )
  }
  const given = (key: string): JsonNode | null => jsonEntry(node, key)?.value ?? null
  const text = (key: string): string | null => {
    const value = given(key)
    return value === null ? null : describeNode(value)
  }
  const type = derivedType(text('type') ?? '')
  const script = given('script')
  if (script === null)
    throw mapperParsingError(`[script] must be specified for the derived field [${name}]`)
  const format = text('format')
  if (format !== null) compileDateFormat(format)
  const malformed = given('ignore_malformed')
  const ignoresMalformed =
    malformed === null ? ignoresByDefault : parseBoolean(malformed, 'ignore_malformed')
  const properties = parseTypes(name, given('properties'))
  const prefilterField = text('prefilter_field')
  const printed = new Map<string, JsonValue>([
    ['type', type],
    ['script', printedScript(script)],
  ])
  if (properties.size > 0) printed.set('properties', new Map(properties))
  if (prefilterField !== null) printed.set('prefilter_field', prefilterField)
  if (format !== null) printed.set('format', format)
  if (ignoresMalformed !== ignoresByDefault) printed.set('ignore_malformed', ignoresMalformed)
  return {
    name,
    type,
    script,
    properties,
    prefilterField,
    format,
    ignoresMalformed,
    printed,
  }
}

/** @throws {IllegalArgumentError} derived fields have no such type */
function derivedType(text: string): DerivedType {
  if (!TYPES.has(text))
    throw new IllegalArgumentError(`Type [${text}] isn't supported in Derived field context.`)
  return text as DerivedType
}

/** The types of an object's members. */
function parseTypes(name: string, node: JsonNode | null): ReadonlyMap<string, DerivedType> {
  if (node === null) return new Map()
  if (node.kind !== 'object')
    throw mapperParsingError(
      `[properties] must be an object, got ${javaName(node)}[${describeNode(node)}] for field ` +
        `[${name}]`,
    )
  return new Map(
    node.entries.map(({ key, value }) => {
      if (value.kind === 'null')
        throw mapperParsingError(`[properties] values can't be null (field [${name}])`)
      if (value.kind !== 'string')
        throw mapperParsingError(
          `[properties] values can only be strings, but got ${javaName(value)}` +
            `[${describeNode(value)}] for field [${name}]`,
        )
      return [key, derivedType(value.value)] as const
    }),
  )
}

/** The class of a value, as Java names it without its package. */
function javaName(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return 'HashMap'
    case 'array':
      return 'ArrayList'
    case 'number':
      return /^-?\d+$/.test(node.text) ? 'Integer' : 'Double'
    case 'boolean':
      return 'Boolean'
    case 'string':
    case 'null':
      return 'String'
  }
}

/** A script with its language, as mappings print it. */
function printedScript(script: JsonNode): JsonValue {
  if (script.kind !== 'object')
    return new Map<string, JsonValue>([
      ['source', nodeToJson(script)],
      ['lang', 'painless'],
    ])
  const printed = new Map(script.entries.map(({ key, value }) => [key, nodeToJson(value)] as const))
  const isStored = printed.has('id') || printed.has('stored')
  if (!isStored && !printed.has('lang')) printed.set('lang', 'painless')
  return printed
}
