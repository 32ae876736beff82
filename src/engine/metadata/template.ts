/** Templates of new indices: their records, read from bodies and from state, and printed. */
import { flattenSettings, type SettingChanges, Settings } from '../../schema/settings.ts'
import { DEFAULT_TIMESTAMP_FIELD } from '../../schema/stream-timestamp.ts'
import { didYouMean, findAlike } from '../../util/did-you-mean.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import type { JsonMap, JsonValue } from '../../util/json/json-value.ts'
import { jsonValueOf } from '../../util/json/json-writer.ts'
import { type Aliases, printAliases, templateAliases } from './alias.ts'

/** The contents that a template gives an index; null: nothing of that kind. */
export interface TemplateBody {
  /** Full keys; null takes a setting of an earlier layer away. */
  readonly settings: SettingChanges | null
  readonly mappings: JsonObjectNode | null
  /** Names and filters may hold `{index}`. */
  readonly aliases: Aliases | null
}

/** Gives nothing. */
export const EMPTY_BODY: TemplateBody = { settings: null, mappings: null, aliases: null }

/** Members that component and index templates share. */
interface TemplateFacts {
  /** Null: not given. */
  readonly version: JsonValue
  readonly meta: JsonMap | null
  readonly allowAutoCreate: boolean | null
}

/** A part that index templates are composed of. */
export interface ComponentTemplate extends TemplateFacts {
  readonly template: TemplateBody
  readonly deprecated: boolean | null
}

/** A template of the indices whose names match it; of several the one of the highest priority is taken. */
export interface IndexTemplate extends TemplateFacts {
  readonly indexPatterns: readonly string[]
  readonly template: TemplateBody | null
  readonly composedOf: readonly string[]
  /** Null is 0. */
  readonly priority: number | null
  /** Settings of the data streams that it makes; null: it makes indices. */
  readonly dataStream: StreamTemplate | null
}

/** The part of an index template that makes it one of data streams. */
export interface StreamTemplate {
  /** The field of dates of which every document has one value. */
  readonly timestampField: string
}

/** A template of the older kind: all that match are laid over each other. */
export interface LegacyTemplate {
  readonly indexPatterns: readonly string[]
  /** Higher ones go over lower ones. */
  readonly order: number
  readonly version: JsonValue
  readonly body: TemplateBody
}

/** Templates of one kind, by name. */
export type Templates<T> = ReadonlyMap<string, T>

/** Reads a component template. */
export function parseComponentTemplate(node: JsonNode): ComponentTemplate {
  const object = objectOf(node, 'component_template')
  let template: TemplateBody | null = null
  let facts: TemplateFacts = { version: null, meta: null, allowAutoCreate: null }
  let deprecated: boolean | null = null
  for (const entry of object.entries) {
    const { key } = entry
    if (key === 'template') template = parseBody(entry, 'template')
    else if (key === 'deprecated') deprecated = flagOf(entry)
    else
      facts =
        factsWith(facts, entry) ?? refuse(entry, 'component_template', ['template', 'deprecated'])
  }
  if (template === null) throw new IllegalArgumentError('Required [template]')
  return { ...facts, template, deprecated }
}

/**
 * Reads an index template.
 * @param isStored true passes over keys of `data_stream` that are not known: builds of before took any
 */
export function parseIndexTemplate(node: JsonNode, isStored = false): IndexTemplate {
  const object = objectOf(node, 'index_template')
  let indexPatterns: readonly string[] | null = null
  let template: TemplateBody | null = null
  let composedOf: readonly string[] = []
  let priority: number | null = null
  let dataStream: StreamTemplate | null = null
  let facts: TemplateFacts = { version: null, meta: null, allowAutoCreate: null }
  for (const entry of object.entries) {
    const { key, value } = entry
    if (key === 'index_patterns') indexPatterns = textsOf(entry)
    else if (key === 'template') template = parseBody(entry, 'template')
    else if (key === 'composed_of') composedOf = textsOf(entry)
    else if (key === 'priority') priority = value.kind === 'null' ? null : priorityOf(entry)
    else if (key === 'data_stream') dataStream = streamTemplate(value, isStored)
    else
      facts =
        factsWith(facts, entry) ??
        refuse(entry, 'index_template', [
          'index_patterns',
          'template',
          'composed_of',
          'priority',
          'data_stream',
        ])
  }
  if (indexPatterns === null || indexPatterns.length === 0)
    throw new IllegalArgumentError('Required [index_patterns]')
  return { ...facts, indexPatterns, template, composedOf, priority, dataStream }
}

function streamTemplate(node: JsonNode, isStored: boolean): StreamTemplate {
  let timestampField = DEFAULT_TIMESTAMP_FIELD
  for (const entry of objectOf(node, 'data_stream_template').entries)
    if (entry.key === 'timestamp_field') timestampField = timestampName(entry, isStored)
    else if (!isStored) throw unknownField(entry, 'data_stream_template', ['timestamp_field'])
  return { timestampField }
}

function timestampName({ value }: JsonEntry, isStored: boolean): string {
  if (isStored && value.kind !== 'object') return DEFAULT_TIMESTAMP_FIELD
  let name: string | null = null
  for (const entry of objectOf(value, 'timestamp_field').entries)
    if (entry.key === 'name' && entry.value.kind === 'string') name = entry.value.value
    else if (!isStored) throw unknownField(entry, 'timestamp_field', ['name'])
  if (name !== null && name !== '') return name
  if (isStored) return DEFAULT_TIMESTAMP_FIELD
  throw new IllegalArgumentError('Required [name]')
}

/** Reads a template of the older kind. */
export function parseLegacyTemplate(node: JsonNode): LegacyTemplate {
  let indexPatterns: readonly string[] = []
  let order = 0
  let version: JsonValue = null
  let body = EMPTY_BODY
  for (const entry of objectOf(node, 'template').entries) {
    const { key } = entry
    if (key === 'index_patterns') indexPatterns = textsOf(entry)
    else if (key === 'order') order = integerOf(entry)
    else if (key === 'version') version = versionOf(entry)
    else if (key === 'settings' || key === 'mappings' || key === 'aliases')
      body = bodyWith(body, entry)
    else
      throw new EngineError({
        type: 'parse_exception',
        reason: `unknown key [${key}] in the template `,
      })
  }
  return { indexPatterns, order, version, body }
}

function factsWith(facts: TemplateFacts, entry: JsonEntry): TemplateFacts | null {
  switch (entry.key) {
    case 'version':
      return { ...facts, version: versionOf(entry) }
    case '_meta':
      return { ...facts, meta: jsonValueOf(objectOf(entry.value, '_meta')) as JsonMap }
    case 'allow_auto_create':
      return { ...facts, allowAutoCreate: flagOf(entry) }
    default:
      return null
  }
}

function parseBody({ value }: JsonEntry, parser: string): TemplateBody {
  let body = EMPTY_BODY
  for (const entry of objectOf(value, parser).entries)
    if (entry.key === 'settings' || entry.key === 'mappings' || entry.key === 'aliases')
      body = bodyWith(body, entry)
    else refuse(entry, parser, ['settings', 'mappings', 'aliases'])
  return body
}

function bodyWith(body: TemplateBody, { key, value }: JsonEntry): TemplateBody {
  if (value.kind === 'null') return body
  if (key === 'settings') return { ...body, settings: flattenSettings(value, 'index.') }
  if (key === 'aliases') return { ...body, aliases: templateAliases(value) }
  return { ...body, mappings: withoutType(objectOf(value, 'mappings')) }
}

/** `{"_doc": {…}}` is what it holds. */
function withoutType(mappings: JsonObjectNode): JsonObjectNode {
  const [only, second] = mappings.entries
  const isTyped = only?.key === '_doc' && second === undefined && only.value.kind === 'object'
  return isTyped ? (only.value as JsonObjectNode) : mappings
}

function objectOf(node: JsonNode, parser: string): JsonObjectNode {
  if (node.kind === 'object') return node
  throw new EngineError({
    type: 'parse_exception',
    reason: `[${node.line}:${node.col}] [${parser}] must be an object`,
  })
}

function textsOf({ key, value }: JsonEntry): readonly string[] {
  const items = value.kind === 'array' ? value.items : [value]
  return items.map(item => {
    if (item.kind === 'string') return item.value
    throw new EngineError({
      type: 'parse_exception',
      reason: `[${key}] must be a text or a list of texts`,
    })
  })
}

function flagOf({ key, value }: JsonEntry): boolean | null {
  if (value.kind === 'null') return null
  if (value.kind === 'boolean') return value.value
  if (value.kind === 'string' && (value.value === 'true' || value.value === 'false'))
    return value.value === 'true'
  throw new IllegalArgumentError(
    `Failed to parse value of [${key}] as only [true] or [false] are allowed.`,
  )
}

function versionOf(entry: JsonEntry): JsonValue {
  return entry.value.kind === 'null' ? null : integerOf(entry)
}

function priorityOf(entry: JsonEntry): number {
  const priority = integerOf(entry)
  if (priority < 0) throw new IllegalArgumentError('index template priority must be >= 0')
  return priority
}

/** A whole number, also as text. */
function integerOf({ key, value }: JsonEntry): number {
  const text = value.kind === 'number' ? value.text : value.kind === 'string' ? value.value : ''
  const number = /^[+-]?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(number)) return number
  throw new IllegalArgumentError(`Failed to parse value of [${key}] as a whole number`)
}

function refuse(entry: JsonEntry, parser: string, known: readonly string[]): never {
  throw unknownField(entry, parser, [...known, 'version', '_meta', 'allow_auto_create'])
}

function unknownField(entry: JsonEntry, parser: string, known: readonly string[]): EngineError {
  return new EngineError({
    type: 'x_content_parse_exception',
    reason: `[${entry.line}:${entry.col}] [${parser}] unknown field [${entry.key}]${didYouMean(findAlike(entry.key, known))}`,
  })
}

/** The body of a template as it prints; parts that were not given are left out. */
export function printBody(body: TemplateBody, isFlat: boolean): JsonMap {
  const printed = new Map<string, JsonValue>()
  if (body.settings !== null) printed.set('settings', printSettings(body.settings, isFlat))
  if (body.mappings !== null) printed.set('mappings', jsonValueOf(body.mappings))
  if (body.aliases !== null) printed.set('aliases', printAliases(body.aliases))
  return printed
}

/** Settings of a template as they print. */
export function printSettings(settings: SettingChanges, isFlat: boolean): JsonValue {
  return Settings.EMPTY.with(settings).toJson(isFlat)
}

/** A component template as it prints, and as it is stored. */
export function printComponentTemplate(template: ComponentTemplate, isFlat: boolean): JsonMap {
  const printed = new Map<string, JsonValue>([['template', printBody(template.template, isFlat)]])
  addFacts(printed, template)
  if (template.deprecated !== null) printed.set('deprecated', template.deprecated)
  return printed
}

/** An index template as it prints, and as it is stored. */
export function printIndexTemplate(template: IndexTemplate, isFlat: boolean): JsonMap {
  const printed = new Map<string, JsonValue>([['index_patterns', template.indexPatterns]])
  if (template.template !== null) printed.set('template', printBody(template.template, isFlat))
  printed.set('composed_of', template.composedOf)
  if (template.priority !== null) printed.set('priority', template.priority)
  addFacts(printed, template)
  if (template.dataStream !== null)
    printed.set('data_stream', { timestamp_field: { name: template.dataStream.timestampField } })
  return printed
}

function addFacts(printed: Map<string, JsonValue>, facts: TemplateFacts): void {
  if (facts.version !== null) printed.set('version', facts.version)
  if (facts.meta !== null) printed.set('_meta', facts.meta)
  if (facts.allowAutoCreate !== null) printed.set('allow_auto_create', facts.allowAutoCreate)
}

/** A template of the older kind as it prints, and as it is stored: parts that it lacks are empty. */
export function printLegacyTemplate(template: LegacyTemplate, isFlat: boolean): JsonMap {
  const { body, version } = template
  const printed = new Map<string, JsonValue>([['order', template.order]])
  if (version !== null) printed.set('version', version)
  printed.set('index_patterns', template.indexPatterns)
  printed.set('settings', printSettings(body.settings ?? new Map(), isFlat))
  printed.set('mappings', body.mappings === null ? {} : jsonValueOf(body.mappings))
  printed.set('aliases', body.aliases === null ? {} : printAliases(body.aliases))
  return printed
}
