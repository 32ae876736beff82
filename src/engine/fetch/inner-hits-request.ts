/** `inner_hits`: a search within a hit, for its nested documents or for the hits of its group. */

import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonObjectNode } from '../../util/json/json-tree.ts'
import type { ParsedSort } from '../dsl/field/sort-level.ts'
import { readBoolean, readInteger, readText } from '../dsl/json-scalars.ts'
import { unknownField } from '../dsl/parse-error.ts'
import { type ParsedCollapse, parseCollapse } from '../dsl/search-body/collapse.ts'
import { parseSort } from '../dsl/sort.ts'
import { FETCH_KEYS, type FetchDraft, readFetchKey } from './fetch-keys.ts'
import type { ParsedInnerHits } from './fetch-part.ts'
import { coupledSource, NOTHING_TO_FETCH } from './fetch-parts.ts'

const DEFAULT_SIZE = 3

const KEYS: readonly string[] = [
  'name',
  'ignore_unmapped',
  'from',
  'size',
  'track_scores',
  'sort',
  ...FETCH_KEYS,
]

const GROUP_KEYS = [...KEYS, 'collapse']

/**
 * Reads inner hits.
 * @param ofGroups they are those of a group, which may be collapsed once more
 * @throws {EngineError} 400: not such
 */
export function parseInnerHits(node: JsonObjectNode, ofGroups: boolean): ParsedInnerHits {
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
  for (const entry of node.entries) {
    const { key, value } = entry
    if (key === 'name') asked.name = readText(value)
    else if (key === 'from') asked.from = notNegative(key, readInteger(value))
    else if (key === 'size') asked.size = notNegative(key, readInteger(value))
    else if (key === 'sort') asked.sort = parseSort(value)
    else if (key === 'track_scores') asked.trackScores = readBoolean(value)
    else if (key === 'ignore_unmapped') asked.ignoresUnmapped = readBoolean(value)
    else if (key === 'collapse' && ofGroups) asked.collapse = innerCollapse(parseCollapse(value))
    else if (!readFetchKey(fetch, key, value))
      throw unknownField(entry, 'inner_hits', ofGroups ? GROUP_KEYS : KEYS)
  }
  return { ...asked, fetch: { ...fetch, source: coupledSource(fetch) } }
}

/** Groups within groups have no inner hits of their own. */
function innerCollapse(collapse: ParsedCollapse): ParsedCollapse {
  if (collapse.innerHits.length === 0) return collapse
  throw new EngineError({ type: 'parse_exception', reason: 'collapse must not have inner hits' })
}

function notNegative(name: string, value: number): number {
  if (value < 0)
    throw new IllegalArgumentError(`illegal ${name} value, at least 0 or greater expected`)
  return value
}
