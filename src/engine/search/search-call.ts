import type { MergedResult } from '../../parallel/reduce.ts'
import { clusterSettings } from '../../schema/setting-registry.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { Charge } from '../api/memory-charge.ts'
import type { SearchCall, SearchOutcome } from '../api/searches.ts'
import type { Node } from '../node/node.ts'
import type { PrintedHit } from '../response/printed-hit.ts'
import {
  type PhaseTimes,
  type PrintedAnswer,
  printHits,
  searchPhaseError,
  searchResponse,
} from '../response/search-response.ts'
import { hasAggregations } from './aggregate.ts'
import type { CacheWish } from './cached-query.ts'
import { cancelAfter } from './cancel-after.ts'
import { checkContextUse } from './context-checks.ts'
import { expandGroups } from './expand-groups.ts'
import { fetchPhase } from './fetch-phase.ts'
import { fetchTopHits } from './fetch-top-hits.ts'
import { resolveBoosts } from './index-boosts.ts'
import { answersFor } from './lookup-calls.ts'
import { mergeAnswers } from './merge-answers.ts'
import { printAggregations } from './print-aggregations.ts'
import { checkSameHits } from './production-run.ts'
import { type QueryPhase, type QueryPhaseCall, runQueryPhase } from './query-phase.ts'
import { checkRestrictedProfile } from './restricted-search.ts'
import type { SearchedCall, SearchPartName, SearchPartValues } from './search-part.ts'
import { SEARCH_PART_NAMES, SEARCH_PARTS } from './search-parts.ts'
import { parseSearchRequest, type SearchRequest } from './search-request.ts'
import { allowsPartial } from './search-settings.ts'
import { resolveSearch, type SearchedTargets, SearchTargets } from './search-targets.ts'
import type { SearchedShard } from './searched-shard.ts'
import { printSuggestions } from './suggest-phase.ts'

/**
 * Reads the request of a search.
 * @throws {EngineError} 400: what is wrong with it by itself
 */
export function readSearch(call: SearchCall): SearchRequest {
  const request = parseSearchRequest(call.body, call.options)
  checkContextUse(call, request)
  return request
}

/**
 * Runs a search over the snapshots of now, whose request has been read.
 * @throws {EngineError} invalid target; as `searchTargets`
 */
export async function searchNow(
  node: Node,
  call: SearchCall,
  request: SearchRequest,
  context: CallContext,
): Promise<SearchOutcome> {
  const started = performance.now()
  const found = resolveSearch(node, call.target, context)
  const targets = new SearchTargets(found, call.options)
  try {
    const { body } = await searchTargets(node, { call, request, started }, targets, context)
    return { body }
  } finally {
    targets.release()
  }
}

/** A search that runs. */
export interface RunningSearch {
  readonly call: SearchCall
  readonly request: SearchRequest
  /** When it began, on the clock of `performance.now`. */
  readonly started: number
}

/** A search that has run. */
export interface SearchAnswer {
  readonly body: PrintedAnswer
  readonly phase: QueryPhase
  readonly merged: MergedResult
  /** The best score of all matches that the answer tells; null: none. */
  readonly maxScore: number | null
}

/**
 * Runs a search over held snapshots: query phase in all their shards, reduce, fetch of the best hits,
 * answer.
 * @throws {EngineError} a request that does not fit; `task_cancelled_exception`;
 *   `circuit_breaking_exception`; `search_phase_execution_exception` where shards that must not fail do
 */
export async function searchTargets(
  node: Node,
  running: RunningSearch,
  targets: SearchedTargets,
  context: CallContext,
): Promise<SearchAnswer> {
  const { options } = running.call
  const charge = node.breakers.open('request', '<search>')
  const inTime = cancelAfter(
    options.cancelAfterTimeIntervalInMillis,
    node.effectiveSettings,
    context,
  )
  const end = node.searchActivity.begin('took')
  try {
    return await runPhases(node, running, targets, charge, context)
  } finally {
    end()
    inTime()
    charge.release()
  }
}

async function runPhases(
  node: Node,
  { call, request, started }: RunningSearch,
  targets: SearchedTargets,
  charge: Charge,
  context: CallContext,
): Promise<SearchAnswer> {
  if (request.parts.profile.isOn) checkRestrictedProfile(targets.indices.map(({ view }) => view))
  const { slices } = call
  const totalAsInt = call.options.restTotalHitsAsInt === true
  const asked = answersFor(node, request, targets, context, searchByItself)
  const lookups = asked instanceof Promise ? await asked : asked
  const { boosts } = request.coupled.indicesBoost
  const queries = {
    slices,
    signal: context,
    charge,
    lookups,
    boosts: resolveBoosts(node, boosts, call.target, context),
    sharesStatistics: call.options.searchType === 'dfs_query_then_fetch',
    caching: cachingOf(node, call, request),
    allowsPartial: allowsPartial(call.options.allowPartialSearchResults, node.effectiveSettings),
    logged: {
      body: call.body,
      searchType: call.options.searchType ?? 'query_then_fetch',
      groups: request.parts.groups,
      shardCount: targets.shardCount,
      opaqueId: context.opaqueId,
    },
  }
  const run = (each: SearchRequest): Promise<HitsRun> =>
    runHits(node, call, targets, each, queries, context)
  const { phase, merged, maxScore, hits, fetchTook } = await run(request)
  const { answers, failures } = phase
  const { collapse } = request.coupled
  const fetched = performance.now()
  if (collapse !== null && collapse.innerHits.length > 0) {
    const end = node.searchActivity.begin('expand')
    try {
      await expandGroups(request, collapse, hits, async inner => {
        const found = await run(inner)
        return printHits({ ...found, total: found.merged.total }, totalAsInt)
      })
    } finally {
      end()
    }
  }
  const expandTook = performance.now() - fetched
  const { suggest } = request.parts
  const { typedKeys = false } = call.options
  const suggested = { charge, signal: context, typedKeys }
  const suggestions =
    suggest === null || answers.length === 0
      ? null
      : await printSuggestions(node, answers, suggest, suggested)
  const asksAggregations = answers.length > 0 && hasAggregations(request.parts.aggregations)
  const fetch = { node, answers, totalAsInt, charge, signal: context }
  const aggregations = asksAggregations
    ? await node.scripts.whenLoaded(() =>
        printAggregations(request.parts.aggregations, answers, node, typedKeys, results =>
          fetchTopHits(results, fetch),
        ),
      )
    : null
  const body = searchResponse({
    tookInMillis: Math.floor(performance.now() - started),
    phaseTook: showsPhases(node, call) ? phaseTimes(phase, fetchTook, expandTook) : null,
    timedOut: merged.timedOut,
    terminatedEarly: request.coupled.terminateAfter > 0 ? merged.terminatedEarly : null,
    reducePhases: reducePhasesOf(call, targets),
    shardCount: targets.shardCount,
    skipped: skippedOf(call, request, targets, answers),
    failures,
    total: merged.total,
    totalAsInt,
    maxScore,
    hits,
  })
  const searched = { node, answers, aggregations, suggestions, human: call.human }
  for (const name of SEARCH_PART_NAMES) printPart(name, request.parts, searched, body)
  return { body, phase, merged, maxScore }
}

/** Runs a search of which nothing is known yet. */
export function searchByItself(
  node: Node,
  call: SearchCall,
  context: CallContext,
): Promise<SearchOutcome> {
  return searchNow(node, call, readSearch(call), context)
}

const MAX_CACHED_SIZE = 'indices.requests.cache.maximum_cacheable_size'

/** Shards whose snapshot a scroll or a point in time holds are not cached, nor what others have a part in. */
function cachingOf(
  { effectiveSettings }: Node,
  { options }: SearchCall,
  { coupled }: SearchRequest,
): CacheWish | null {
  const isHeld = coupled.pit !== null || coupled.scrollInMillis !== null
  if (isHeld || options.searchType === 'dfs_query_then_fetch') return null
  const maxSize = clusterSettings.number(effectiveSettings, MAX_CACHED_SIZE) ?? 0
  return { asked: options.requestCache, maxSize }
}

function showsPhases(node: Node, { options }: SearchCall): boolean {
  const { effectiveSettings: cluster } = node
  return options.phaseTook ?? clusterSettings.boolean(cluster, 'search.phase_took_enabled')
}

/** Whole milliseconds of each phase. */
function phaseTimes(
  { statisticsTook, took }: QueryPhase,
  fetchTook: number,
  expandTook: number,
): PhaseTimes {
  return {
    dfs_pre_query: Math.floor(statisticsTook),
    query: Math.floor(took - statisticsTook),
    fetch: Math.floor(fetchTook),
    dfs_query: 0,
    expand: Math.floor(expandTook),
    can_match: 0,
  }
}

/** The hits of a request, and all that is known of how they were found. */
interface HitsRun extends Omit<SearchAnswer, 'body'> {
  readonly hits: readonly PrintedHit[]
  /** Milliseconds. */
  readonly fetchTook: number
}

/** Finds and fetches the hits of a request in the targets that the search holds. */
async function runHits(
  node: Node,
  call: SearchCall,
  targets: SearchedTargets,
  request: SearchRequest,
  queries: QueryPhaseCall,
  context: CallContext,
): Promise<HitsRun> {
  const phase = await runQueryPhase(node, targets, request, queries)
  checkAnswered(node, call, phase)
  const { answers, merged } = mergeAnswers(phase.answers, request)
  const { groups } = request.parts
  const started = performance.now()
  const end = node.searchActivity.begin('fetch')
  try {
    const fetching = fetchPhase(node, answers, merged.hits, groups, queries.charge, context)
    // Hits that are read already are not awaited: a search of one turn stays in it.
    const hits = fetching instanceof Promise ? await fetching : fetching
    const fetchTook = performance.now() - started
    return { phase, merged, maxScore: maxScoreOf(merged, request, answers), hits, fetchTook }
  } finally {
    end()
  }
}

/** Shards that the real server puts together at once. */
const BATCHED_REDUCE_SIZE = 512

/**
 * How often the real server would put shards together: whenever a batch of them is full, in which the result
 * of the last time takes one place, and once at the end. Here all are put together at once, with the same
 * answer.
 */
function reducePhasesOf({ options }: SearchCall, { shardCount }: SearchedTargets): number {
  const { batchedReduceSize: batch = BATCHED_REDUCE_SIZE } = options
  return shardCount <= batch ? 1 : 1 + Math.ceil((shardCount - batch) / (batch - 1))
}

/** Shards above which those that cannot have a hit are told apart. */
const PRE_FILTER_SHARD_SIZE = 128

/** How many shards a query came to nothing in; one of all of them is searched. */
function skippedOf(
  { options }: SearchCall,
  { coupled, parts }: SearchRequest,
  { shardCount }: SearchedTargets,
  answers: readonly SearchedShard[],
): number {
  const isPreFiltered = shardCount > (options.preFilterShardSize ?? PRE_FILTER_SHARD_SIZE)
  if (!isPreFiltered || coupled.query === null || parts.suggest !== null) return 0
  if (parts.aggregations.nodes.some(({ body }) => body.seesAll === true)) return 0
  const empty = answers.filter(({ isEmpty }) => isEmpty)
  return Math.min(empty.length, shardCount - 1)
}

/** Shards may fail where others answer and the call allows it; a run beside the profile may not differ. */
export function checkAnswered(
  node: Node,
  { options }: Pick<SearchCall, 'options'>,
  { answers, failures }: QueryPhase,
): void {
  if (answers.length === 0 && failures.length > 0) throw searchPhaseError(failures)
  if (
    failures.length > 0 &&
    !allowsPartial(options.allowPartialSearchResults, node.effectiveSettings)
  )
    throw searchPhaseError(failures, 'Partial shards failure')
  for (const { search: asked, held, outcome, production } of answers)
    if (production !== null)
      checkSameHits(
        `[${asked.index.name}][${held.shard.name.shard}]`,
        production.result,
        outcome.result,
      )
}

function printPart<N extends SearchPartName>(
  name: N,
  parts: SearchPartValues,
  searched: SearchedCall,
  to: PrintedAnswer,
): void {
  SEARCH_PARTS[name].print(parts[name], searched, to)
}

/** The best score of all matches; null where nothing was scored, or another order goes first. */
function maxScoreOf(
  { maxScore, hits }: MergedResult,
  { coupled }: SearchRequest,
  answers: readonly SearchedShard[],
): number | null {
  if (Number.isNaN(maxScore) || coupled.size === 0) return null
  const { sort = null, query } = answers[0]?.search ?? {}
  const [first] = sort ?? []
  const isByScore = first === undefined || (first.key.kind === 'score' && first.key.descending)
  if (!isByScore && !coupled.trackScores) return null
  // A hybrid query without a hit has 0.
  if (query?.kind === 'hybrid') return maxScore
  return hits.length === 0 && coupled.from === 0 ? null : maxScore
}
