/** The plan of a shard's query phase, from what a request asks and an index has. */
import type { SearchPlan } from '../../parallel/prepare.ts'
import type { ShardSearchOptions } from '../../parallel/search-options.ts'
import { clusterSettings, indexSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { gatherPlan } from '../../search/collector/gather-plan.ts'
import { bindJoins, type FoundJoins } from '../../search/query/bind-joins.ts'
import { mapListed } from '../../search/query/hybrid.ts'
import type { Query } from '../../search/query/query.ts'
import { mapNested, type SortKey } from '../../search/sort/sort-key.ts'
import type { Node } from '../node/node.ts'
import { gatherOf, holdsSamples } from './aggregate.ts'
import type { IndexSearch } from './index-search.ts'
import { isConcurrent, profilerOptions, sliceSettings } from './search-settings.ts'
import type { HeldShard } from './search-targets.ts'
import type { ShardQueries } from './shard-queries.ts'

/** How a shard is searched: in slices, on which threads, with or without a profile. */
export function searchOptions(common: ShardQueries, settings: Settings): ShardSearchOptions {
  const { node, request, cluster, signal, slices } = common
  const { terminateAfter } = request.coupled
  const { aggregations, profile } = request.parts
  // A profile of samplers has the shape of a search in one slice, as the reference server's.
  const isWhole = profile.isOn && holdsSamples(aggregations)
  const concurrent =
    !isWhole &&
    (slices === undefined ? isConcurrent(terminateAfter, settings, cluster) : terminateAfter === 0)
  return {
    concurrent,
    slices: sliceSettings(settings, cluster, node.searcher.threadCount, slices),
    profile: request.parts.profile.isOn ? profilerOptions(cluster, concurrent) : null,
    executor: 'auto',
    kernels: true,
    reports: false,
    filterCache: indexSettings.boolean(settings, 'index.queries.cache.enabled'),
    signal,
  }
}

/** What is searched for in a shard. @param topCount max hits */
export function searchPlan(
  common: ShardQueries,
  search: IndexSearch,
  held: HeldShard,
  topCount: number,
  joins: FoundJoins,
): SearchPlan {
  const { node, request, cluster, deadline, statistics } = common
  const { trackTotalHits, trackScores, minScore, terminateAfter } = request.coupled
  const number = (key: string): number => clusterSettings.number(cluster, key) ?? 0
  const counts = {
    maxRuns: number('search.max_aggregation_rewrite_filters'),
    maxTerms: number('search.aggregations.terms.max_precompute_cardinality'),
  }
  const gather = gatherOf(
    search.aggregations,
    false,
    bucketBytes(node),
    counts,
    selectionFactor(common),
  )
  return {
    query: bindJoins(slicedQuery(search, held), joins),
    gather: gatherPlan(
      {
        kind: 'topHits',
        topCount,
        sort: search.sort?.map(({ key }) => keyOf(key, held, joins)) ?? null,
        searchAfter: isByCombined(search) ? null : search.searchAfter,
        trackTotalHits,
        trackScores,
        postFilter: search.postFilter && bindJoins(search.postFilter, joins),
        collapse: search.collapse,
      },
      gather === null ? [] : [gather],
      // Scores of a hybrid query are held against the limit when they are combined.
      { minScore: search.query.kind === 'hybrid' ? null : minScore, terminateAfter, deadline },
    ),
    joins,
    maxClauseCount: search.maxClauseCount,
    statistics,
  }
}

/** The level of a sort for one shard. */
function keyOf(key: SortKey, { ord }: HeldShard, joins: FoundJoins): SortKey {
  if (key.kind === 'doc' && key.base !== undefined) return { ...key, base: ord * 2 ** 32 }
  return joins.size === 0 ? key : mapNested(key, query => bindJoins(query, joins))
}

/** Whether hits stand by scores that are not known before all shards have answered. */
function isByCombined({ query, sort }: IndexSearch): boolean {
  return query.kind === 'hybrid' && (sort === null || sort[0]?.key.kind === 'score')
}

/** The query within the part of the shard's documents that is searched, with the same scores. */
export function slicedQuery({ query, sliceColumn }: IndexSearch, { slice }: HeldShard): Query {
  if (slice === null || sliceColumn === null) return query
  const { id, max, field } = slice
  const part: Query = { kind: 'slice', column: sliceColumn, field, slice: id, max }
  return mapListed(query, each => ({
    kind: 'boolean',
    clauses: [
      { occur: 'must', query: each },
      { occur: 'filter', query: part },
    ],
    minimumShouldMatch: 0,
  }))
}

/** Memory that the buckets of a slice may take: all threads' together stay within the breaker. */
export function bucketBytes({ breakers, searcher }: Node): number {
  return Math.floor(breakers.limitOf('request') / (searcher.threadCount + 1))
}

/** Factor by which a strategy of buckets is picked; null: strategies are told in profiles alone. */
export function selectionFactor({ cluster, request }: ShardQueries): number | null {
  if (!request.parts.profile.isOn) return null
  return clusterSettings.number(cluster, 'search.aggregation.bucket_selection_strategy_factor') ?? 0
}
