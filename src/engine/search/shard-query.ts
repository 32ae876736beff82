import type { Aggregation } from '../../aggregation/aggregation.ts'
import type { NodePartial } from '../../aggregation/aggregation-type.ts'
import type { SearchPlan } from '../../parallel/prepare.ts'
import {
  emptyOutcome,
  type ShardSearchOptions,
  type ShardSearchOutcome,
  throwIfAborted,
} from '../../parallel/search-options.ts'
import { FetchProfiler } from '../../profile/fetch-profiler.ts'
import { clusterSettings, indexSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { gatherPlan } from '../../search/collector/gather-plan.ts'
import { mapNested, type SortKey } from '../../search/collector/sort-key.ts'
import { bindJoins, type FoundJoins, NO_JOINS } from '../../search/query/bind-joins.ts'
import { mapListed } from '../../search/query/hybrid.ts'
import type { Query } from '../../search/query/query.ts'
import type { TermStatistics } from '../../search/weight/term-statistics.ts'
import { beginInGroups, endInGroups, endTally } from '../../shard/tally.ts'
import type { Cancellation } from '../../util/cancellation.ts'
import { nowInMillis } from '../../util/clock.ts'
import { EngineError } from '../../util/errors.ts'
import type { Charge } from '../api/memory-charge.ts'
import type { CoupledKeys } from '../dsl/search-body/coupled-keys.ts'
import type { Node } from '../node/node.ts'
import type { CachedQuery } from '../node/request-cache.ts'
import type { ShardFailure } from '../response/search-response.ts'
import { gatherOf, hasAggregations, holdsSamples, inOrder } from './aggregate.ts'
import { analyseTexts, comparesTexts } from './analyse-texts.ts'
import { bytesOf, type CacheWish, isCacheable, requestKey } from './cached-query.ts'
import { type BackgroundCall, comparesTerms, countBackgrounds } from './count-backgrounds.ts'
import { emitDerived } from './emit-derived.ts'
import { fetchPlace } from './fetch-place.ts'
import { findJoins } from './find-joins.ts'
import { NO_HITS } from './gather-only.ts'
import { listSize } from './hybrid/check-hybrid.ts'
import { searchShard } from './hybrid/search-lists.ts'
import type { IndexSearch } from './index-search.ts'
import type { JoinCall } from './join-call.ts'
import { withPickedDeferrals } from './pick-deferral.ts'
import { runAsProduction } from './production-run.ts'
import { holdsSampler, replaySamples } from './replay-samples.ts'
import { rescore } from './rescore.ts'
import type { SearchRequest } from './search-request.ts'
import { isConcurrent, profilerOptions, sliceSettings } from './search-settings.ts'
import type { HeldShard } from './search-targets.ts'
import type { LoggedSearch, SearchedShard } from './searched-shard.ts'
import { failureOf } from './shard-failure.ts'
import { logSlowSearch } from './slow-search.ts'
import { withStops } from './stopped-passes.ts'
import { suggestInShard } from './suggest-phase.ts'

/** Of a search without samplers. */
const NO_REPLAYS: Map<Aggregation, ShardSearchOutcome> = new Map()

/** Memory of a hit in a queue, its values to sort by included. */
const HIT_BYTES = 48

/** Parameters common to the queries of all shards of a call. */
export interface ShardQueries {
  readonly node: Node
  readonly request: SearchRequest
  /** The cluster settings that hold. */
  readonly cluster: Settings
  /** On the clock of `nowInNanos`; 0: none. */
  readonly deadline: number
  readonly signal: Cancellation
  /** Slices that the call asks for; undefined: as the settings say. */
  readonly slices: number | undefined
  /** Queues of hits are charged to it. */
  readonly charge: Charge
  /** Statistics of all shards, in place of those of each; null: each scores by its own. */
  readonly statistics: TermStatistics | null
  /** Null: nothing may be cached. */
  readonly caching: CacheWish | null
  /** Whether what a shard has found when its time is over is an answer; else it has failed. */
  readonly allowsPartial: boolean
  /** For the slow logs; null: it is in none. */
  readonly logged: LoggedSearch | null
}

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
    const plain = options.profile === null ? options : { ...options, profile: null }
    const before: JoinCall = {
      snapshot,
      options: plain,
      maxClauseCount: search.maxClauseCount,
      view: search.view,
      visible: search.visible,
      signal: common.signal,
      charge,
    }
    const joins = search.joins.length === 0 ? NO_JOINS : await findJoins(node, search.joins, before)
    // Passes that few searches need are not awaited: each wait is a turn of the queue of promises.
    const emitted = search.hasDerived
      ? await emitDerived(node, search, joins, before)
      : search.aggregations
    const apart: BackgroundCall = {
      searcher: node.searcher,
      snapshot,
      options: plain,
      joins,
      maxClauseCount: search.maxClauseCount,
      maxBytes: bucketBytes(node),
    }
    const counted = emitted.some(comparesTerms) ? await countBackgrounds(emitted, apart) : emitted
    const { minScore, terminateAfter } = coupled
    const matched = { query: slicedQuery(search, held), minScore, terminateAfter }
    const aggregations = withPickedDeferrals(counted, matched, snapshot, apart.maxBytes)
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
    const { signal } = common
    const partials = aggregatedBy(search, outcome, global)
    const replays = aggregations.some(holdsSampler)
      ? new Map<Aggregation, ShardSearchOutcome>()
      : NO_REPLAYS
    const sampled =
      replays === NO_REPLAYS
        ? partials
        : await replaySamples(aggregations, partials, {
            searcher: node.searcher,
            snapshot,
            plan,
            visible: search.visible && bindJoins(search.visible, joins),
            options,
            check() {
              throwIfAborted(signal)
              node.ensureOpen()
            },
            signal,
            maxBytes: bucketBytes(node),
            replays,
          })
    const aggregated = aggregations.some(comparesTexts)
      ? await analyseTexts(aggregations, sampled, { node, search, signal, charge, ...apart })
      : sampled
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

/** Memory that the buckets of a slice may take: all threads' together stay within the breaker. */
function bucketBytes({ breakers, searcher }: Node): number {
  return Math.floor(breakers.limitOf('request') / (searcher.threadCount + 1))
}

/** Null: strategies are told in profiles alone. */
function selectionFactor({ cluster, request }: ShardQueries): number | null {
  if (!request.parts.profile.isOn) return null
  return clusterSettings.number(cluster, 'search.aggregation.bucket_selection_strategy_factor') ?? 0
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

function searchOptions(common: ShardQueries, settings: Settings): ShardSearchOptions {
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

function searchPlan(
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
function slicedQuery({ query, sliceColumn }: IndexSearch, { slice }: HeldShard): Query {
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
