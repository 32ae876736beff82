/** `inner_hits`: a search within a hit, for its nested documents or for the hits of its group. */

import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { type DeclaredOption, FLAG, INTEGER, readDeclared } from '../dsl/declared-options.ts'
import type { ParsedSort } from '../dsl/field/sort-level.ts'
import { readBoolean, readInteger, readText } from '../dsl/json-scalars.ts'
import { fieldError, parsingError } from '../dsl/parse-error.ts'
import type { ParsedCollapse } from '../dsl/search-body/collapse.ts'
import { parseSort } from '../dsl/sort.ts'
import { FETCH_KEYS, type FetchDraft, readFetchKey } from './fetch-keys.ts'
import type { ParsedInnerHits } from './fetch-part.ts'
import { checkFetch, coupledSource, NOTHING_TO_FETCH } from './fetch-parts.ts'

const DEFAULT_SIZE = 3

/** Any kind of value: the parts of a fetch check the values of their keys themselves. */
const ANY: DeclaredOption['takes'] = ['object', 'array', 'string', 'number', 'boolean', 'null']

/**
 * Reads inner hits of groups.
 * @throws {EngineError} 400: not such
 */
export function parseGroupHits(node: JsonObjectNode): ParsedInnerHits {
  try {
    return parseInnerHits(node)
  } catch (error) {
    throw fieldError(node, 'collapse', 'inner_hits', error)
  }
}

/**
 * Reads inner hits of a query, which are nested or joined documents, or of groups.
 * @throws {EngineError} 400: not such
 */
export function parseInnerHits(node: JsonObjectNode): ParsedInnerHits {
  const fetch: FetchDraft = { ...NOTHING_TO_FETCH }
  const asked = {
    name: null as string | null,
    from: 0,
    size: DEFAULT_SIZE,
    sort: [] as readonly ParsedSort[],
    trackScores: false,
    ignoresUnmapped: false,
    collapse: null as ParsedCollapse | null,
  }
  const count = (key: 'from' | 'size'): DeclaredOption => ({
    takes: INTEGER,
    read: value => (asked[key] = notNegative(key, readInteger(value))),
  })
  const flag = (key: 'trackScores' | 'ignoresUnmapped'): DeclaredOption => ({
    takes: FLAG,
    read: value => (asked[key] = readBoolean(value)),
  })
  const options: [string, DeclaredOption][] = [
    ['name', { takes: ['string'], read: value => (asked.name = readText(value)) }],
    ['ignore_unmapped', flag('ignoresUnmapped')],
    ['from', count('from')],
    ['size', count('size')],
    ['track_scores', flag('trackScores')],
    [
      'sort',
      { takes: ['object', 'array', 'string'], read: value => (asked.sort = parseSort(value)) },
    ],
    ['collapse', { takes: ['object'], read: value => (asked.collapse = innerCollapse(value)) }],
    ...FETCH_KEYS.map((key): [string, DeclaredOption] => [
      key,
      { takes: ANY, read: value => readFetchKey(fetch, key, value) },
    ]),
  ]
  readDeclared('inner_hits', node, new Map(options))
  checkFetch(fetch)
  return { ...asked, fetch: { ...fetch, source: coupledSource(fetch) } }
}

/** Groups within groups are named by their field alone. */
function innerCollapse(node: JsonNode): ParsedCollapse {
  const [entry, second] = node.kind === 'object' ? node.entries : []
  if (entry?.key !== 'field' || entry.value.kind !== 'string' || second !== undefined)
    throw parsingError(node, 'Invalid token in the inner collapse')
  return { field: entry.value.value, innerHits: [] }
}

function notNegative(name: string, value: number): number {
  if (value < 0) throw new IllegalArgumentError(`illegal ${name} value, at least 0 or higher`)
  return value
}
