/** Hits of each group of a collapsed search, found by a search of their own. */

import { unionOf } from '../../search/query/hybrid.ts'
import type { Query } from '../../search/query/query.ts'
import type { JsonRecord, JsonValue } from '../../util/json/json-value.ts'
import { fieldSearch } from '../dsl/field/field-searches.ts'
import type { ParsedQuery, QueryContext } from '../dsl/query-context.ts'
import type { ParsedCollapse } from '../dsl/search-body/collapse.ts'
import { newCoupledDraft } from '../dsl/search-body/coupled-keys.ts'
import { DEFAULT_TRACK_TOTAL_HITS } from '../dsl/search-body/track-total-hits.ts'
import type { ParsedInnerHits } from '../fetch/fetch-part.ts'
import type { PrintedHit } from '../response/printed-hit.ts'
import { NO_OTHER_PARTS, type SearchRequest } from './search-request.ts'

/** Runs a request over what the collapsed search holds, and prints its `hits`. */
type RunHits = (request: SearchRequest) => Promise<JsonRecord>

/**
 * Adds inner hits to the first hit of each group.
 * @param hits of the search, which was collapsed
 */
export async function expandGroups(
  request: SearchRequest,
  { field, innerHits }: ParsedCollapse,
  hits: readonly PrintedHit[],
  run: RunHits,
): Promise<void> {
  const asked = innerHits.flatMap(node => request.innerHits.get(node) ?? [])
  for (const hit of hits) {
    const [value = null] = groupOf(hit, field)
    const query = inGroup(request.coupled.query, field, value)
    const found = new Map<string, JsonValue>()
    for (const each of asked)
      found.set(each.name ?? field, { hits: await run(innerRequest(request, each, query)) })
    hit.inner_hits = found
  }
}

/** The value of the group that a hit stands for. */
function groupOf({ fields }: PrintedHit, field: string): readonly JsonValue[] {
  const values: unknown = fields instanceof Map ? fields.get(field) : undefined
  return Array.isArray(values) ? values : []
}

/** The query's documents of one group, with the same scores. */
function inGroup(query: ParsedQuery | null, field: string, value: JsonValue): ParsedQuery {
  return {
    mustBecomesFilter: 'never',
    field: null,
    boost: 1,
    lookups: query?.lookups ?? [],
    innerHits: [],
    name: null,
    buildOnTop: null,
    build(context) {
      const all: Query = { kind: 'matchAll' }
      const asked = query === null ? all : (query.buildOnTop ?? query.build)(context)
      return {
        kind: 'boolean',
        clauses: [
          // A group's hits stand by the sum of a hybrid query's scores.
          { occur: 'must', query: asked.kind === 'hybrid' ? unionOf(asked) : asked },
          groupClause(field, value, context),
        ],
        minimumShouldMatch: 0,
      }
    },
  }
}

function groupClause(
  name: string,
  value: JsonValue,
  context: QueryContext,
): { readonly occur: 'filter' | 'must_not'; readonly query: Query } {
  const field = context.mapping.field(name)
  if (field === null) return { occur: 'filter', query: { kind: 'matchNone', reason: '' } }
  const search = fieldSearch(field.type)
  if (value === null) return { occur: 'must_not', query: search.exists(field) }
  const text = typeof value === 'object' && 'value' in value ? value.value : value
  return { occur: 'filter', query: search.term(field, String(text), context) }
}

function innerRequest(
  { coupled, innerHits }: SearchRequest,
  { from, size, sort, trackScores, collapse, fetch }: ParsedInnerHits,
  query: ParsedQuery,
): SearchRequest {
  return {
    coupled: {
      ...newCoupledDraft(),
      from,
      size,
      sort,
      trackScores,
      collapse,
      query,
      postFilter: coupled.postFilter,
      trackTotalHits: DEFAULT_TRACK_TOTAL_HITS,
    },
    fetch,
    innerHits,
    parts: NO_OTHER_PARTS,
    scoring: null,
  }
}
