import type { AnyGather } from '../../src/parallel/gathers.ts'
import type { SearchPlan } from '../../src/parallel/prepare.ts'
import type { ShardSearchOptions } from '../../src/parallel/search-options.ts'
import type { CollectSpec } from '../../src/search/collector/collect-spec.ts'
import {
  demandsOf,
  gatherPlan,
  type Limits,
  NO_LIMITS,
  type TopHits,
} from '../../src/search/collector/gather-plan.ts'
import type { Query } from '../../src/search/query/query.ts'

/** Hits and limits of a search side by side, as tests vary them. */
export type PlanOptions = Omit<TopHits, 'kind' | 'postFilter'> & Limits

/** Of a plan unless a test asks for something else: the ten best, all of them counted. */
const TOP_TEN: PlanOptions = {
  topCount: 10,
  sort: null,
  searchAfter: null,
  trackTotalHits: Number.POSITIVE_INFINITY,
  trackScores: false,
  collapse: null,
  ...NO_LIMITS,
}

/** A search of a shard. */
export function searchPlan(
  query: Query,
  options: Partial<PlanOptions> = {},
  postFilter: Query | null = null,
  others: readonly AnyGather[] = [],
): SearchPlan {
  const { minScore, terminateAfter, deadline, ...hits } = { ...TOP_TEN, ...options }
  const limits = { minScore, terminateAfter, deadline }
  const gather = gatherPlan({ kind: 'topHits', ...hits, postFilter }, others, limits)
  return { query, gather, maxClauseCount: 1024, statistics: null }
}

/** Hits and limits of a plan side by side. */
export function optionsOf({ gather: { hits, limits } }: SearchPlan): PlanOptions {
  const { kind: _kind, postFilter: _postFilter, ...options } = hits
  return { ...options, ...limits }
}

/** What a slice of such a search collects. */
export function collectSpec(options: Partial<PlanOptions> = {}): CollectSpec {
  const { gather } = searchPlan({ kind: 'matchAll' }, options)
  const demands = demandsOf(gather, [])
  const found = {
    postFilter: null,
    nested: [],
    knownTotal: null,
    others: [],
    demands,
    isInLeafOrder: false,
    lists: 0,
  }
  return { ...TOP_TEN, ...options, ...found }
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
