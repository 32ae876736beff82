/** The query of the URL: `q` and what belongs to it, as a `query_string` in the place of the body's query. */
import type { JsonEntry, JsonNode } from '../../../util/json/json-tree.ts'
import { flag, type ParamReader, text } from '../../params.ts'

/** The parameters. */
export const URL_QUERY_PARAMS: {
  readonly q: ParamReader<string>
  readonly df: ParamReader<string>
  readonly default_operator: ParamReader<string>
  readonly analyzer: ParamReader<string>
  readonly analyze_wildcard: ParamReader<boolean>
  readonly lenient: ParamReader<boolean>
} = {
  q: text,
  df: text,
  default_operator: text,
  analyzer: text,
  analyze_wildcard: flag,
  lenient: flag,
}

/** Keys of `query_string` by parameter; `q` is the query. */
const KEYS = {
  q: 'query',
  df: 'default_field',
  default_operator: 'default_operator',
  analyzer: 'analyzer',
  analyze_wildcard: 'analyze_wildcard',
  lenient: 'lenient',
} as const

type UrlQuery = { readonly [Name in keyof typeof KEYS]?: string | boolean | undefined }

/** The body with the query of the URL; the body itself where the URL has none. */
export function withUrlQuery(body: JsonNode | null, params: UrlQuery): JsonNode | null {
  if (params.q === undefined || (body !== null && body.kind !== 'object')) return body
  const options: JsonEntry[] = []
  for (const [name, key] of Object.entries(KEYS)) {
    const value = params[name as keyof UrlQuery]
    if (value !== undefined) options.push(entry(key, scalar(value)))
  }
  const query = object(entry('query_string', object(...options)))
  const others = (body?.entries ?? []).filter(entry => entry.key !== 'query')
  return object(entry('query', query), ...others)
}

/** The body, or where there is none the query of the URL: a body wins where it can hold a query alone. */
export function bodyOrUrlQuery(body: JsonNode | null, params: UrlQuery): JsonNode | null {
  return body ?? withUrlQuery(null, params)
}

function object(...entries: readonly JsonEntry[]): JsonNode {
  return { kind: 'object', entries, line: 1, col: 1 }
}

/** What comes from the URL stands at the beginning of the body. */
function entry(key: string, value: JsonNode): JsonEntry {
  return { key, value, line: 1, col: 1 }
}

function scalar(value: string | boolean): JsonNode {
  return typeof value === 'string'
    ? { kind: 'string', value, line: 1, col: 1 }
    : { kind: 'boolean', value, line: 1, col: 1 }
}
