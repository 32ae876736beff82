/** Searches a shard for the lists of a hybrid query: the best hits of each sub-query, and the documents of all. */
import { demandsOfGathers } from '../../../parallel/gathers.ts'
import type { SearchPlan } from '../../../parallel/prepare.ts'
import type { ShardResult } from '../../../parallel/reduce.ts'
import {
  emptyOutcome,
  type ShardSearchOptions,
  type ShardSearchOutcome,
} from '../../../parallel/search-options.ts'
import type { ShardSearcher } from '../../../parallel/shard-search.ts'
import { addCounts, noCounts } from '../../../search/collector/collect-spec.ts'
import { gatherPlan, type TopHits } from '../../../search/collector/gather-plan.ts'
import { unionOf } from '../../../search/query/hybrid.ts'
import type { HybridQuery } from '../../../search/query/query.ts'
import { readsScore } from '../../../search/sort/sort-key.ts'
import type { Snapshot } from '../../../segment/snapshot.ts'
import { allSettled } from '../../../util/settle.ts'

/** Finds the hits of one search in a shard. */
type SearchShard = (plan: SearchPlan) => Promise<ShardSearchOutcome>

/**
 * Searches a shard by a plan whose query may be hybrid. The sub-queries of one that is run as searches of
 * their own, by the kernels where their shapes allow, beside one over the documents of all of them, which
 * counts these and gathers. A profile, or a limit on the documents seen, asks for all in one pass, which
 * finds the same.
 * @throws {EngineError} as a search
 */
export function searchShard(
  searcher: ShardSearcher,
  snapshot: Snapshot,
  plan: SearchPlan,
  options: ShardSearchOptions,
): Promise<ShardSearchOutcome> {
  const search: SearchShard = each => searcher.search(snapshot, each, options)
  const { query } = plan
  if (query.kind !== 'hybrid') return search(plan)
  const inOnePass = options.profile !== null || plan.gather.limits.terminateAfter > 0
  return inOnePass ? searchInOne(search, plan) : searchApart(search, plan, query)
}

/** Lists are told apart by the scores of sub-queries, which hits that are sorted by fields then do not keep. */
async function searchInOne(search: SearchShard, plan: SearchPlan): Promise<ShardSearchOutcome> {
  const { hits, others, limits } = plan.gather
  const { sort } = hits
  if (sort === null || hits.topCount === 0 || sort.some(readsScore)) return search(plan)
  const outcome = await search({
    ...plan,
    gather: gatherPlan({ ...hits, trackScores: true }, others, limits),
  })
  const lists = (outcome.result.lists ?? []).map(list =>
    list.map(hit => ({ ...hit, score: Number.NaN })),
  )
  return { ...outcome, result: { ...outcome.result, maxScore: Number.NaN, lists } }
}

async function searchApart(
  search: SearchShard,
  plan: SearchPlan,
  query: HybridQuery,
): Promise<ShardSearchOutcome> {
  const { hits, others } = plan.gather
  const lists = hits.topCount === 0 ? [] : query.queries.map(each => search(listOf(plan, each)))
  const isCounted = hits.trackTotalHits >= 0 || others.length > 0
  const union = isCounted ? [search(documentsOf(plan, query))] : []
  // None may go on over a snapshot that the caller releases where another fails.
  await allSettled([...lists, ...union])
  const [all = emptyOutcome(-1)] = await Promise.all(union)
  return together(all, await Promise.all(lists))
}

/** The best hits of one sub-query; nothing counts them. */
function listOf({ gather, ...plan }: SearchPlan, query: SearchPlan['query']): SearchPlan {
  const hits: TopHits = { ...gather.hits, trackTotalHits: -1 }
  return { ...plan, query, gather: gatherPlan(hits, [], gather.limits) }
}

/** The documents that any sub-query matches, with scores only where something reads them. */
function documentsOf({ gather, ...plan }: SearchPlan, query: HybridQuery): SearchPlan {
  const { others, limits } = gather
  const isScored = demandsOfGathers(others).some(({ scores }) => scores)
  const hits: TopHits = {
    ...gather.hits,
    topCount: 0,
    sort: null,
    searchAfter: null,
    trackScores: false,
    collapse: null,
  }
  return {
    ...plan,
    query: isScored ? query : unionOf(query),
    gather: gatherPlan(hits, others, limits),
  }
}

/** @param lists none where no hits were asked for */
function together(
  all: ShardSearchOutcome,
  lists: readonly ShardSearchOutcome[],
): ShardSearchOutcome {
  const [first] = lists
  if (first === undefined) return all
  const outcomes = [all, ...lists]
  const results = outcomes.map(({ result }) => result)
  const counters = noCounts()
  for (const result of results) addCounts(counters, result.counters)
  const result: ShardResult = {
    ...all.result,
    lists: lists.map(list => list.result.hits),
    sort: first.result.sort,
    isCollapsed: first.result.isCollapsed,
    timedOut: results.some(({ timedOut }) => timedOut),
    cancelled: results.some(({ cancelled }) => cancelled),
    counters,
  }
  return {
    ...all,
    result,
    sliceCount: outcomes.reduce((sum, { sliceCount }) => sum + sliceCount, 0),
    reports: outcomes.flatMap(({ reports }) => reports),
  }
}
