/**
 * An index's mapping, immutable: which fields there are and how their values are read. A change
 * makes a new mapping (`mapping-parser.ts`, `mapping-merge.ts`).
 */
import type { JsonMap, JsonValue } from '../util/json/json-value.ts'
import { matchesWildcard } from '../util/wildcard.ts'
import type { DerivedFields } from './derived-field.ts'
import type { DynamicTemplate } from './dynamic-template.ts'
import { isFieldAlias } from './field-alias.ts'
import { fieldKind } from './field-type/field-types.ts'
import {
  type FieldAlias,
  type FieldType,
  isObjectType,
  type MappingEntry,
  type ObjectType,
} from './field-type.ts'
import { isSameJson } from './json-conversion.ts'
import type { KeptSource } from './source-filter.ts'
import { printStreamTimestamp, type StreamTimestamp } from './stream-timestamp.ts'

/** Parameters at the root of a mapping, besides its fields; null where one was not given. */
export interface RootOptions {
  readonly dateDetection: boolean | null
  readonly numericDetection: boolean | null
  readonly dynamicDateFormats: readonly string[] | null
  readonly dynamicTemplates: readonly DynamicTemplate[] | null
  readonly meta: JsonValue
  /** Whether every document must name its routing; null: not given, which is false. */
  readonly routingRequired: boolean | null
  /** The stored part of documents' sources; null: not given, which is everything. */
  readonly source: KeptSource | null
  /** Of which field every document must have one value; null: not given, which is of none. */
  readonly streamTimestamp: StreamTimestamp | null
  /** Fields whose values scripts make when a search needs them; null: not given, which is none. */
  readonly derivedFields: DerivedFields | null
}

/** The limits and defaults that an index's settings give its mapping. */
export interface MappingLimits {
  readonly totalFields: number
  readonly depth: number
  readonly fieldNameLength: number
  /** Nested objects of the mapping. */
  readonly nestedFields: number
  /** Nested objects of one document. */
  readonly nestedObjects: number
  /** `index.mapping.ignore_malformed` and `index.mapping.coerce`. */
  readonly ignoreMalformed: boolean
  readonly coerce: boolean
  /** `index.knn`. */
  readonly isVectorIndex: boolean
}

/** The limits of an index that sets none. */
export const DEFAULT_MAPPING_LIMITS: MappingLimits = {
  totalFields: 1000,
  depth: 20,
  fieldNameLength: 50_000,
  nestedFields: 50,
  nestedObjects: 10_000,
  ignoreMalformed: false,
  coerce: true,
  isVectorIndex: false,
}

/** Formats tried on strings of new fields, when `dynamic_date_formats` is not given. */
export const DEFAULT_DYNAMIC_DATE_FORMATS: readonly string[] = [
  'strict_date_optional_time',
  'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis',
]

const NO_OPTIONS: RootOptions = {
  dateDetection: null,
  numericDetection: null,
  dynamicDateFormats: null,
  dynamicTemplates: null,
  meta: null,
  routingRequired: null,
  source: null,
  streamTimestamp: null,
  derivedFields: null,
}

/** A mapping; two of the same contents behave alike wherever they were made. */
export class Mapping {
  static readonly EMPTY: Mapping = new Mapping(
    {
      name: '',
      dynamic: null,
      enabled: null,
      nested: null,
      disableObjects: null,
      children: new Map(),
    },
    NO_OPTIONS,
  )

  readonly root: ObjectType
  readonly options: RootOptions
  /** All fields that hold values, multi-fields and derived ones included, by ordinal. */
  readonly leaves: readonly FieldType[]
  readonly #fields: ReadonlyMap<string, FieldType>
  readonly #ordinals: ReadonlyMap<string, number>
  readonly #objects: ReadonlyMap<string, ObjectType>
  readonly #aliases: ReadonlyMap<string, FieldAlias>
  /** Names that patterns may mean: those of fields but derived ones, and of aliases. */
  readonly #patternNames: readonly string[]
  /** Full paths of the nested objects, outer ones first. */
  readonly nestedPaths: readonly string[]
  readonly #flatObjects: readonly FieldType[]

  constructor(root: ObjectType, options: RootOptions) {
    this.root = root
    this.options = options
    const leaves: FieldType[] = []
    const objects = new Map<string, ObjectType>()
    const aliases = new Map<string, FieldAlias>()
    const names: string[] = []
    // The depth of a mapping is bounded when it is read.
    const walkField = (field: FieldType): void => {
      leaves.push(field, ...field.derived)
      names.push(field.name)
      for (const below of field.multiFields) walkField(below)
    }
    const walk = (object: ObjectType): void => {
      for (const entry of object.children.values()) {
        if (isObjectType(entry)) {
          objects.set(entry.name, entry)
          walk(entry)
        } else if (isFieldAlias(entry)) {
          aliases.set(entry.name, entry)
          names.push(entry.name)
        } else {
          walkField(entry)
        }
      }
    }
    walk(root)
    this.leaves = leaves
    this.#fields = new Map(leaves.map(field => [field.name, field]))
    this.#ordinals = new Map(leaves.map((field, ordinal) => [field.name, ordinal]))
    this.#objects = objects
    this.#aliases = aliases
    this.#patternNames = names
    this.nestedPaths = [...objects.values()]
      .filter(each => each.nested !== null)
      .map(each => each.name)
    this.#flatObjects = leaves.filter(field => field.type === 'flat_object')
  }

  /**
   * The field of that full path, or the one that an alias of that path leads to; null when there is
   * none or it is an object. Every search finds its fields here.
   */
  field(path: string): FieldType | null {
    const name = this.#aliases.get(path)?.path ?? path
    return this.#fields.get(name) ?? this.#withinFlatObject(name)
  }

  /** A path below a flat object, as a field of its own. */
  #withinFlatObject(path: string): FieldType | null {
    for (const field of this.#flatObjects)
      if (field.type === 'flat_object' && path.startsWith(`${field.name}.`))
        return { ...field, path: path.slice(field.name.length + 1) }
    return null
  }

  /** The names of fields and aliases that a name or pattern means. */
  namesLike(pattern: string): readonly string[] {
    if (!pattern.includes('*')) return this.field(pattern) === null ? [] : [pattern]
    return this.#patternNames.filter(name => matchesWildcard(pattern, name))
  }

  /** The fields that a pattern means by their names or by those of aliases, each once. */
  fieldsLike(pattern: string): readonly FieldType[] {
    const found = new Set<FieldType>()
    for (const name of this.#patternNames) {
      const field = matchesWildcard(pattern, name) ? this.field(name) : null
      if (field !== null) found.add(field)
    }
    return [...found]
  }

  /** Full names of all fields, multi-fields included, and of aliases. */
  names(): readonly string[] {
    return this.#patternNames
  }

  /** All aliases of fields. */
  aliases(): Iterable<FieldAlias> {
    return this.#aliases.values()
  }

  /** Whether the path is that of an alias. */
  isAlias(path: string): boolean {
    return this.#aliases.has(path)
  }

  /** Place of the field in `leaves`, −1 when there is none. */
  ordinal(path: string): number {
    return this.#ordinals.get(path) ?? -1
  }

  /** The object of that full path, null when there is none or it is a field. */
  object(path: string): ObjectType | null {
    return path === '' ? this.root : (this.#objects.get(path) ?? null)
  }

  /** All objects, the root first. */
  *objects(): Iterable<ObjectType> {
    yield this.root
    yield* this.#objects.values()
  }

  /** The innermost nested object that a path lies in, itself excluded; null when there is none. */
  nestedAround(path: string): string | null {
    let found: string | null = null
    for (const nested of this.nestedPaths) if (path.startsWith(`${nested}.`)) found = nested
    return found
  }

  /** All fields that hold values, multi-fields included. */
  fields(): Iterable<FieldType> {
    return this.leaves
  }

  /** How many fields of any kind, objects and aliases there are, as the limit counts them. */
  get fieldCount(): number {
    const derivedCount = this.options.derivedFields?.size ?? 0
    return this.leaves.length + this.#objects.size + this.#aliases.size + derivedCount
  }

  /** As `GET _mapping` prints it below `mappings`: `{}` when empty, else keys as documented. */
  toJson(): JsonMap {
    const { options, root } = this
    const printed = new Map<string, JsonValue>()
    if (root.dynamic !== null) printed.set('dynamic', root.dynamic)
    if (root.enabled !== null && !root.enabled) printed.set('enabled', false)
    if (root.disableObjects !== null) printed.set('disable_objects', root.disableObjects)
    if (options.meta !== null) printed.set('_meta', options.meta)
    if (options.source !== null) printSource(options.source, printed)
    if (options.routingRequired === true) printed.set('_routing', new Map([['required', true]]))
    if (options.streamTimestamp?.enabled === true)
      printed.set('_data_stream_timestamp', printStreamTimestamp(options.streamTimestamp))
    if (options.dynamicDateFormats !== null)
      printed.set('dynamic_date_formats', options.dynamicDateFormats)
    if (options.dynamicTemplates !== null && options.dynamicTemplates.length > 0)
      printed.set(
        'dynamic_templates',
        options.dynamicTemplates.map(template => new Map([[template.name, template.printed]])),
      )
    if (options.dateDetection !== null) printed.set('date_detection', options.dateDetection)
    if (options.numericDetection !== null)
      printed.set('numeric_detection', options.numericDetection)
    if (options.derivedFields !== null && options.derivedFields.size > 0)
      printed.set('derived', printDerivedFields(options.derivedFields))
    if (root.children.size > 0) printed.set('properties', printChildren(root))
    return printed
  }
}

function printDerivedFields(fields: DerivedFields): JsonMap {
  const names = [...fields.keys()].sort()
  return new Map(names.map(name => [name, fields.get(name)!.printed]))
}

function printSource(
  { enabled, includes, excludes }: KeptSource,
  to: Map<string, JsonValue>,
): void {
  const printed = new Map<string, JsonValue>()
  if (!enabled) printed.set('enabled', false)
  if (includes.length > 0) printed.set('includes', includes)
  if (excludes.length > 0) printed.set('excludes', excludes)
  if (printed.size > 0) to.set('_source', printed)
}

/** An object or a field as it prints below its name. */
export function printMappingEntry(entry: MappingEntry): JsonMap {
  if (isObjectType(entry)) return printObject(entry)
  return isFieldAlias(entry) ? printAlias(entry) : printField(entry)
}

function printChildren(object: ObjectType): JsonMap {
  const names = [...object.children.keys()].sort()
  return new Map(names.map(name => [name, printMappingEntry(object.children.get(name)!)]))
}

function printObject(object: ObjectType): JsonMap {
  const printed = new Map<string, JsonValue>()
  if (object.nested !== null) {
    printed.set('type', 'nested')
    if (object.nested.includeInParent === true) printed.set('include_in_parent', true)
    if (object.nested.includeInRoot === true) printed.set('include_in_root', true)
  } else if (object.children.size === 0) printed.set('type', 'object')
  if (object.dynamic !== null) printed.set('dynamic', object.dynamic)
  if (object.enabled === false) printed.set('enabled', false)
  if (object.disableObjects !== null) printed.set('disable_objects', object.disableObjects)
  if (object.children.size > 0) printed.set('properties', printChildren(object))
  return printed
}

function printAlias({ type, path }: FieldAlias): JsonMap {
  return new Map([
    ['type', type],
    ['path', path],
  ])
}

/** A field as it prints below its name, parameters that were not given included. */
export function printWithDefaults(field: FieldType): JsonMap {
  const printed = new Map<string, JsonValue>([['type', field.type]])
  for (const { name, default: none } of fieldKind(field.type).parameters)
    printed.set(name, field.parameters.get(name) ?? none ?? printedDefault(name, field))
  printRest(field, printed)
  return printed
}

/** The printed value of a parameter that has no default and was not given. */
function printedDefault(name: string, { parameters }: FieldType): JsonValue {
  switch (name) {
    case 'analyzer':
      return 'default'
    case 'search_analyzer':
      return parameters.get('analyzer') ?? 'default'
    case 'search_quote_analyzer':
      return parameters.get('search_analyzer') ?? parameters.get('analyzer') ?? 'default'
    case 'similarity':
      return 'BM25'
    case 'meta':
      return new Map()
  }
  return null
}

function printField(field: FieldType): JsonMap {
  const printed = new Map<string, JsonValue>([['type', field.type]])
  for (const parameter of fieldKind(field.type).parameters) {
    const value = field.parameters.get(parameter.name)
    if (value === undefined) continue
    if (parameter.printsDefault || !isSameJson(value, parameter.default))
      printed.set(parameter.name, value)
  }
  printRest(field, printed)
  return printed
}

/** Entries printed behind the parameters of a type. */
function printRest(field: FieldType, printed: Map<string, JsonValue>): void {
  if (field.multiFields.length > 0) {
    const byName = [...field.multiFields].sort((a, b) => (a.name < b.name ? -1 : 1))
    const fields = byName.map(
      sub => [sub.name.slice(field.name.length + 1), printField(sub)] as const,
    )
    printed.set('fields', new Map(fields))
  }
  if (field.copyTo.length > 0) printed.set('copy_to', field.copyTo)
}
