import type { Aggregation } from '../../aggregation/aggregation.ts'
import type { NodePartial } from '../../aggregation/aggregation-type.ts'
import type { SearchPlan } from '../../parallel/prepare.ts'
import {
  emptyOutcome,
  type ShardSearchOptions,
  type ShardSearchOutcome,
} from '../../parallel/search-options.ts'
import { FetchProfiler } from '../../profile/fetch-profiler.ts'
import { clusterSettings } from '../../schema/setting-registry.ts'
import { gatherPlan } from '../../search/collector/gather-plan.ts'
import { NO_JOINS } from '../../search/query/bind-joins.ts'
import type { Query } from '../../search/query/query.ts'
import { beginInGroups, endInGroups, endTally } from '../../shard/tally.ts'
import { nowInMillis } from '../../util/clock.ts'
import { EngineError } from '../../util/errors.ts'
import type { Charge } from '../api/memory-charge.ts'
import type { CoupledKeys } from '../dsl/search-body/coupled-keys.ts'
import type { Node } from '../node/node.ts'
import type { CachedQuery } from '../node/request-cache.ts'
import type { ShardFailure } from '../response/search-response.ts'
import { gatherOf, hasAggregations, inOrder } from './aggregate.ts'
import { bytesOf, isCacheable, requestKey } from './cached-query.ts'
import { fetchPlace } from './fetch-place.ts'
import { NO_HITS } from './gather-only.ts'
import { listSize } from './hybrid/check-hybrid.ts'
import { searchShard } from './hybrid/search-lists.ts'
import type { IndexSearch } from './index-search.ts'
import { withPickedDeferrals } from './pick-deferral.ts'
import { runAsProduction } from './production-run.ts'
import { rescore } from './rescore.ts'
import type { SearchRequest } from './search-request.ts'
import type { HeldShard } from './search-targets.ts'
import type { LoggedSearch, SearchedShard } from './searched-shard.ts'
import { failureOf } from './shard-failure.ts'
import { hasAhead, hasBehind, passAhead, passBehind } from './shard-passes.ts'
import {
  bucketBytes,
  searchOptions,
  searchPlan,
  selectionFactor,
  slicedQuery,
} from './shard-plan.ts'
import type { ShardQueries } from './shard-queries.ts'
import { logSlowSearch } from './slow-search.ts'
import { withStops } from './stopped-passes.ts'
import { suggestInShard } from './suggest-phase.ts'

/** Of a search without samplers. */
const NO_REPLAYS: Map<Aggregation, ShardSearchOutcome> = new Map()

/** Memory of a hit in a queue, its values to sort by included. */
const HIT_BYTES = 48

/** Runs the query phase in one shard. It never rejects: an error is the shard's failure. */
export async function queryShard(
  common: ShardQueries,
  search: IndexSearch,
  held: HeldShard,
): Promise<SearchedShard | ShardFailure> {
  const { node, request, cluster, charge } = common
  const { shard, snapshot } = held
  const { stats } = shard
  const started = nowInMillis()
  const options = searchOptions(common, search.index.metadata.settings)
  const { concurrent } = options
  const { coupled, parts } = request
  if (isSuggestOnly(request)) return await suggestAlone(common, search, held)
  stats.query.current++
  if (concurrent) stats.concurrentQuery.current++
  if (parts.groups.length > 0) beginInGroups(stats, parts.groups, 'query')
  try {
    // A queue holds no more than there is, however many are asked for.
    const most = Math.max(1, snapshot.maxDoc)
    const topCount = coupled.size === 0 ? 0 : Math.min(windowOf(search.query, coupled), most)
    const slices = Math.max(options.slices.maxSliceCount, snapshot.leaves.length)
    const queues = concurrent ? 1 + slices : 1
    charge.add(topCount * queues * listCount(search.query) * HIT_BYTES)
    const key = isCacheable(common.caching, request, search)
      ? requestKey(searchPlan(common, search, held, topCount, NO_JOINS), search)
      : null
    const cached = key === null ? null : node.requests.get(shard, snapshot, key)
    if (cached !== null) {
      const answer = answerFrom(cached, search, held, concurrent, common.logged)
      logSlowSearch(node, 'query', answer, nowInMillis() - started)
      return answer
    }
    // Passes that few searches need are not awaited: each wait is a turn of the queue of promises.
    const ahead = hasAhead(search) ? await passAhead(common, search, held, options) : null
    const joins = ahead?.joins ?? NO_JOINS
    const asked = ahead?.aggregations ?? search.aggregations
    const { minScore, terminateAfter } = coupled
    const matched = { query: slicedQuery(search, held), minScore, terminateAfter }
    const aggregations = withPickedDeferrals(asked, matched, snapshot, bucketBytes(node))
    const whole = aggregations === search.aggregations ? search : { ...search, aggregations }
    const plan = searchPlan(common, whole, held, topCount, joins)
    const production = parts.profile.kernels
      ? await runAsProduction(node.searcher, snapshot, plan, options)
      : null
    const outcome = await searchShard(node.searcher, snapshot, plan, options)
    const isFetchProfiled =
      parts.profile.isOn && clusterSettings.boolean(cluster, 'lamella.profile.fetch')
    const fetchProfiler = isFetchProfiled ? new FetchProfiler() : null
    if (concurrent) stats.concurrentSlices += outcome.sliceCount
    const suggested =
      search.suggestions === null
        ? null
        : await suggestInShard(search.suggestions, {
            node,
            search,
            held,
            charge,
            signal: common.signal,
          })
    const { statistics, logged } = common
    const beside = searchAll(common, whole, held, plan, options)
    const global = beside === null ? null : await beside
    const partials = aggregatedBy(search, outcome, global)
    const isPassed = hasBehind(aggregations)
    const replays = isPassed ? new Map<Aggregation, ShardSearchOutcome>() : NO_REPLAYS
    const aggregated = isPassed
      ? await passBehind(common, search, held, {
          aggregations,
          partials,
          plan,
          options,
          joins,
          replays,
        })
      : partials
    const isEmpty = outcome.prepared?.weight.root.kind === 'none'
    const bare = {
      search,
      held,
      outcome: withStops(outcome, [...(global === null ? [] : [global]), ...replays.values()]),
      isEmpty,
      global,
      replays,
      aggregated,
      production,
      concurrent,
      joins,
      statistics,
      logged,
      fetchProfiler,
      suggested,
      combined: null,
      rescored: [],
    }
    if (bare.outcome.result.timedOut && !common.allowsPartial) throw timeExceeded()
    const answer = search.rescores.length === 0 ? bare : rescored(node, bare, charge)
    if (key !== null && isWhole(answer)) {
      const { result } = answer.outcome
      const kept = { result, rescored: answer.rescored, isEmpty, aggregated }
      node.requests.put(shard, snapshot, key, kept, bytesOf(kept))
    }
    logSlowSearch(node, 'query', answer, nowInMillis() - started)
    return answer
  } catch (error) {
    stats.queryFailed++
    return failureOf(node, shard.name, error)
  } finally {
    const took = nowInMillis() - started
    endTally(stats.query, took)
    node.searchActivity.noteService(took, node.searcher.queuedCount)
    if (concurrent) endTally(stats.concurrentQuery, took)
    if (parts.groups.length > 0) endInGroups(stats, parts.groups, 'query', took)
  }
}

/** The search that gathers the aggregations of all documents; null: there are none. */
function searchAll(
  common: ShardQueries,
  { aggregations, all }: IndexSearch,
  { snapshot }: HeldShard,
  plan: SearchPlan,
  options: ShardSearchOptions,
): Promise<ShardSearchOutcome> | null {
  const { node } = common
  const gathered = gatherOf(aggregations, true, bucketBytes(node), null, selectionFactor(common))
  if (gathered === null) return null
  const gather = gatherPlan(NO_HITS, [gathered], { ...plan.gather.limits, minScore: null })
  return node.searcher.search(snapshot, { ...plan, query: all, gather }, options)
}

/** Partials of each aggregation, from both searches of a shard. */
function aggregatedBy(
  { aggregations }: IndexSearch,
  outcome: ShardSearchOutcome,
  global: ShardSearchOutcome | null,
): readonly NodePartial[] {
  const partsOf = (found: ShardSearchOutcome | null): readonly NodePartial[] =>
    (found?.result.parts[0] ?? []) as readonly NodePartial[]
  return inOrder(aggregations, partsOf(outcome), partsOf(global))
}

function timeExceeded(): EngineError {
  return new EngineError({ type: 'query_phase_execution_exception', reason: 'Time exceeded' })
}

/** Whether a later search would find the same. */
function isWhole({ outcome: { result } }: SearchedShard): boolean {
  return !result.timedOut && !result.cancelled
}

/** A shard's answer from the cache. */
function answerFrom(
  { result, rescored: docs, isEmpty, aggregated }: CachedQuery,
  search: IndexSearch,
  held: HeldShard,
  concurrent: boolean,
  logged: LoggedSearch | null,
): SearchedShard {
  const outcome = { ...emptyOutcome(-1), result }
  const none = {
    joins: NO_JOINS,
    statistics: null,
    production: null,
    fetchProfiler: null,
    combined: null,
  }
  const rest = { aggregated, isEmpty, global: null, replays: NO_REPLAYS, ...none }
  return { search, held, outcome, rescored: docs, concurrent, suggested: null, logged, ...rest }
}

/** Hits that each shard gathers: those of the page, and of all that rescorings look at. */
function windowOf(query: Query, { from, size, rescore }: CoupledKeys): number {
  // Rescorings of a hybrid query look at no more than its lists have.
  if (query.kind === 'hybrid') return listSize(query, size)
  return Math.max(from + size, ...rescore.map(({ windowSize }) => windowSize))
}

/** In how many lists hits are kept. */
function listCount(query: Query): number {
  return query.kind === 'hybrid' ? query.queries.length : 1
}

function rescored(node: Node, answer: SearchedShard, charge: Charge): SearchedShard {
  const { outcome, production, search } = answer
  const place = fetchPlace(node, answer, charge)
  const { result, docs } = rescore(place, outcome.result, search.rescores)
  return {
    ...answer,
    outcome: { ...outcome, result },
    rescored: docs,
    production: production && {
      ...production,
      result: rescore(place, production.result, search.rescores).result,
    },
  }
}

/** Whether a request asks for suggestions alone: it has no query. */
function isSuggestOnly({ coupled, parts }: SearchRequest): boolean {
  return parts.suggest !== null && coupled.query === null && !hasAggregations(parts.aggregations)
}

/** Suggestions without a search, which finds nothing. */
async function suggestAlone(
  { node, request, charge, signal }: ShardQueries,
  search: IndexSearch,
  held: HeldShard,
): Promise<SearchedShard | ShardFailure> {
  const { suggest } = held.shard.stats
  const started = nowInMillis()
  suggest.current++
  try {
    const suggested = await suggestInShard(search.suggestions ?? [], {
      node,
      search,
      held,
      charge,
      signal,
    })
    const outcome = emptyOutcome(request.coupled.trackTotalHits)
    const rest = {
      production: null,
      concurrent: false,
      fetchProfiler: null,
      rescored: [],
      combined: null,
      aggregated: [],
      global: null,
      replays: NO_REPLAYS,
      isEmpty: false,
    }
    const bound = { joins: NO_JOINS, statistics: null, logged: null }
    return { search, held, outcome, suggested, ...bound, ...rest }
  } catch (error) {
    return failureOf(node, held.shard.name, error)
  } finally {
    endTally(suggest, nowInMillis() - started)
  }
}
