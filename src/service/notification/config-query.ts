/** From the filters of a list of configurations to a search over their documents. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { ConfigType } from './config.ts'
import { configTypeOf, namesOf } from './config-types.ts'
import { statusError } from './parse-config.ts'

/**
 * - text: full text, any token matches; `.keyword` of it matches whole values
 * - exact: any of a comma list
 * - time: a moment, or `from..to` with both ends
 */
type FieldKind = 'text' | 'exact' | 'time'

const MAPPINGS: Readonly<Record<FieldKind, object>> = {
  text: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 8_191 } } },
  exact: { type: 'keyword' },
  time: { type: 'long' },
}

/** Fields of a type's object. */
const TYPE_FIELDS: readonly (readonly [ConfigType, string, FieldKind])[] = [
  ['email', 'email_account_id', 'exact'],
  ['email', 'email_group_id_list', 'exact'],
  ['email', 'recipient_list.recipient', 'text'],
  ['email_group', 'recipient_list.recipient', 'text'],
  ['smtp_account', 'method', 'exact'],
  ['smtp_account', 'host', 'text'],
  ['smtp_account', 'from_address', 'text'],
  ['chat_a', 'url', 'text'],
  ['chat_b', 'url', 'text'],
  ['webhook', 'url', 'text'],
  ['topic_a', 'topic_arn', 'text'],
  ['topic_a', 'role_arn', 'text'],
  ['mail_a_account', 'region', 'exact'],
  ['mail_a_account', 'role_arn', 'text'],
  ['mail_a_account', 'from_address', 'text'],
]

/** A field of the documents. */
interface Field {
  readonly path: string
  readonly kind: FieldKind
}

const FIELDS: readonly Field[] = [
  { path: 'last_updated_time_ms', kind: 'time' },
  { path: 'created_time_ms', kind: 'time' },
  { path: 'config.name', kind: 'text' },
  { path: 'config.description', kind: 'text' },
  { path: 'config.config_type', kind: 'exact' },
  { path: 'config.is_enabled', kind: 'exact' },
  ...TYPE_FIELDS.map(([type, name, kind]) => ({ path: `config.${type}.${name}`, kind })),
]

/** Name of a filter, and of a sort → its field; `.keyword` is asked for by a field of its own. */
const FILTERS: ReadonlyMap<string, Field> = new Map(FIELDS.flatMap(namedFields))

/** The names of all filters. */
export const FILTER_NAMES: readonly string[] = [...FILTERS.keys(), 'query', 'text_query']

/** The mappings of the documents. */
export const CONFIG_MAPPINGS: object = { dynamic: false, properties: mappingsOf(FIELDS) }

/** The page, order and filters of a list of configurations. */
export interface ConfigList {
  /** By name, as given. */
  readonly filters: ReadonlyMap<string, string>
  readonly from: number
  readonly size: number
  readonly sortField: string
  readonly sortOrder: string
  /** Only channels; all of them: null. */
  readonly types: readonly ConfigType[] | null
}

/**
 * The body of the search.
 * @throws {EngineError} `status_exception` 406: a sort or a range that is none
 */
export function configSearch({ filters, from, size, types, ...sort }: ConfigList): object {
  const clauses = [...filters].map(([name, value]) => clauseOf(name, value))
  if (types !== null) clauses.push({ terms: { 'config.config_type': types } })
  return { query: { bool: { filter: clauses } }, from, size, sort: sortOf(sort) }
}

function sortOf({ sortField, sortOrder }: Pick<ConfigList, 'sortField' | 'sortOrder'>): object {
  const field = FILTERS.get(sortField)
  if (field === undefined) throw statusError(406, `Sort on ${sortField} not acceptable`)
  const order = sortOrder.toLowerCase()
  if (order !== 'asc' && order !== 'desc')
    throw new IllegalArgumentError(
      `No enum constant org.opensearch.search.sort.SortOrder.${sortOrder.toUpperCase()}`,
    )
  const path = field.kind === 'text' ? `${field.path}.keyword` : field.path
  return [{ [path]: { order, unmapped_type: 'keyword' } }, { _doc: { order: 'asc' } }]
}

function clauseOf(name: string, value: string): object {
  if (name === 'query' || name === 'text_query') {
    const texts = FIELDS.filter(({ kind }) => kind === 'text')
    const fields = (name === 'query' ? FIELDS : texts).map(({ path }) => path)
    return { query_string: { query: value, fields, lenient: true } }
  }
  const field = FILTERS.get(name)
  if (field === undefined) throw new IllegalArgumentError(`unknown filter [${name}]`)
  const { path, kind } = field
  switch (kind) {
    case 'text':
      return { match: { [path]: value } }
    case 'time':
      return { range: { [path]: rangeOf(value) } }
    case 'exact': {
      const values = value.split(',').map(item => item.trim())
      const isType = path === 'config.config_type'
      return { terms: { [path]: isType ? values.map(item => configTypeOf(item) ?? item) : values } }
    }
  }
}

function rangeOf(value: string): object {
  const match = /^(\d{1,18})(?:\.\.(\d{1,18}))?$/.exec(value)
  if (match === null)
    throw statusError(406, `Invalid Range format ${value}, allowed format 'exact' or 'from..to'`)
  const [, from, to = from] = match
  return { gte: from, lte: to }
}

/** A field under the names that requests have for it: without `config.`, by each name of its type. */
function namedFields(field: Field): readonly (readonly [string, Field])[] {
  const { path, kind } = field
  const plain = path.replace(/^config\./, '')
  const [type = '', ...rest] = plain.split('.')
  const names =
    rest.length === 0
      ? [plain]
      : namesOf(type as ConfigType).flatMap(name => {
          const full = [name, ...rest].join('.')
          return full.endsWith('.recipient') ? [full, full.slice(0, -'.recipient'.length)] : [full]
        })
  return names.flatMap(name => {
    if (kind === 'time') return [[name, field] as const]
    const whole: Field = { path: kind === 'text' ? `${path}.keyword` : path, kind: 'exact' }
    return [[name, field] as const, [`${name}.keyword`, whole] as const]
  })
}

function mappingsOf(fields: readonly Field[]): object {
  const properties: Record<string, object> = {}
  for (const { path, kind } of fields) {
    const names = path.split('.')
    let at = properties
    for (const name of names.slice(0, -1)) {
      const object = (at[name] ?? { properties: {} }) as { properties: Record<string, object> }
      at[name] = object
      at = object.properties
    }
    at[names.at(-1)!] = MAPPINGS[kind]
  }
  return properties
}
