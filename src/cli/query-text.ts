import { existsSync, readFileSync } from 'node:fs'
import type { Database } from '../embed/database.ts'
import { encodeUtf8 } from '../util/bytes.ts'
import { type JsonNode, parseJsonTree } from '../util/json/json-tree.ts'
import type { PositionalSpec } from './command-line.ts'
import { CliError, UsageError } from './exit-code.ts'

/** The words that verbs with a query take. */
export const QUERY_WORDS: readonly PositionalSpec[] = [
  { name: 'INDEX', description: 'the index' },
  { name: 'QUERY', description: 'words, {"match": …}, {"query": …} or @FILE' },
]

/** Text fields that a query of plain words is matched against, at most. */
const MOST_FIELDS = 32

/**
 * The body of a search from the command line's QUERY: a whole body (`{"query": …}`), one query
 * (`{"match": …}`), plain words, or `@FILE` with any of these.
 * @param field that plain words are matched against; null: every text field of the index
 */
export async function searchBodyOf(
  db: Database,
  index: string,
  query: string,
  field: string | null,
): Promise<Record<string, unknown>> {
  const text = query.startsWith('@') ? readQuery(query.slice(1)) : query
  if (text.trimStart().startsWith('{')) {
    // Read first as the engine reads it: its errors name line and column.
    const node = parseJsonTree(encodeUtf8(text))
    const body = JSON.parse(text) as Record<string, unknown>
    return isOneQuery(node) ? { query: body } : body
  }
  const fields = field === null ? await textFields(db, index) : [field]
  const [first] = fields
  if (first === undefined)
    throw new UsageError(`index [${index}] has no text field: give the query as JSON`)
  const match = (name: string): object => ({ match: { [name]: text } })
  if (fields.length === 1) return { query: match(first) }
  return { query: { dis_max: { queries: fields.map(match) } } }
}

/**
 * The query that lists the hits of several queries and combines them.
 * @param queries each as `searchBodyOf` takes it; of a whole body its query counts
 */
export async function hybridOf(
  db: Database,
  index: string,
  queries: readonly string[],
  field: string | null,
): Promise<Record<string, unknown>> {
  const all: unknown[] = []
  for (const each of queries) {
    const { query = { match_all: {} } } = await searchBodyOf(db, index, each, field)
    all.push(query)
  }
  return { hybrid: { queries: all } }
}

function readQuery(file: string): string {
  if (!existsSync(file)) throw new CliError(`there is no query file [${file}]`)
  return readFileSync(file, 'utf8')
}

const BODY_KEYS: ReadonlySet<string> = new Set([
  'query',
  'size',
  'from',
  'sort',
  'profile',
  'aggs',
  'aggregations',
  '_source',
  'post_filter',
  'track_total_hits',
])

/** A single key that no body starts with is a query's name. */
function isOneQuery(node: JsonNode): boolean {
  return node.kind === 'object' && node.entries.length === 1 && !BODY_KEYS.has(node.entries[0]!.key)
}

async function textFields(db: Database, index: string): Promise<readonly string[]> {
  const path = `/${encodeURIComponent(index)}/_mapping`
  const { body } = await db.request({ method: 'GET', path })
  const root = parseJsonTree(body)
  const found: string[] = []
  const [entry] = root.kind === 'object' ? root.entries : []
  const open: { path: string; node: JsonNode }[] = []
  if (entry !== undefined) open.push({ path: '', node: entry.value })
  // From the back, so that fields come in the order of the mapping.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path: at, node } = next
    if (node.kind !== 'object') continue
    const type = node.entries.find(({ key }) => key === 'type')?.value
    if (type?.kind === 'string' && type.value === 'text' && found.length < MOST_FIELDS)
      found.push(at)
    for (const { key, value } of node.entries.toReversed()) {
      if (key === 'mappings') open.push({ path: at, node: value })
      if (key !== 'properties' || value.kind !== 'object') continue
      for (const { key: name, value: field } of value.entries.toReversed())
        open.push({ path: at === '' ? name : `${at}.${name}`, node: field })
    }
  }
  return found
}
