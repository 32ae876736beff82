import type { SearchPlan } from '../../src/parallel/prepare.ts'
import type { CollectSpec } from '../../src/search/collector/collect-spec.ts'
import type { Query } from '../../src/search/query/query.ts'

/** What a plan collects unless a test asks for something else: the ten best, all of them counted. */
const TOP_TEN: SearchPlan['spec'] = {
  topCount: 10,
  sort: null,
  searchAfter: null,
  trackTotalHits: Number.POSITIVE_INFINITY,
  trackScores: false,
  minScore: null,
  terminateAfter: 0,
  deadline: 0,
}

/** A search of a shard. */
export function searchPlan(
  query: Query,
  spec: Partial<SearchPlan['spec']> = {},
  postFilter: Query | null = null,
): SearchPlan {
  return { query, postFilter, maxClauseCount: 1024, spec: { ...TOP_TEN, ...spec } }
}

/** What a slice of such a search collects. */
export function collectSpec(spec: Partial<CollectSpec> = {}): CollectSpec {
  return { ...TOP_TEN, postFilter: null, knownTotal: null, ...spec }
}
