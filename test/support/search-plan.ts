import type { SearchPlan } from '../../src/parallel/prepare.ts'
import type { ShardSearchOptions } from '../../src/parallel/search-options.ts'
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

/** How a search of a shard is run: by the iterators, here, all leaves in one slice, unless asked otherwise. */
export function searchOptions(more: Partial<ShardSearchOptions> = {}): ShardSearchOptions {
  return {
    concurrent: false,
    slices: { maxSliceCount: 1, intraSegment: 'auto', intraSegmentMinDocs: 1 },
    profile: null,
    executor: 'inline',
    kernels: false,
    filterCache: false,
    reports: false,
    signal: null,
    ...more,
  }
}
