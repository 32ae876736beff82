import type { SearchPlan } from '../../parallel/prepare.ts'
import { type MergedHit, reduceShards } from '../../parallel/reduce.ts'
import type { ShardSearchOptions, ShardSearchOutcome } from '../../parallel/search-options.ts'
import type { SliceSettings } from '../../parallel/slices.ts'
import { FetchProfiler } from '../../profile/fetch-profiler.ts'
import { shardProfile } from '../../profile/shard-profile.ts'
import type { ProfilerOptions } from '../../profile/slice-profiler.ts'
import { SAMPLING_MODES } from '../../profile/timer.ts'
import { clusterSettings, indexSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { gatherPlan } from '../../search/collector/gather-plan.ts'
import type { Query } from '../../search/query/query.ts'
import type { Snapshot } from '../../segment/snapshot.ts'
import type { Shard } from '../../shard/shard.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { Cancellation } from '../../util/cancellation.ts'
import { nowInNanos } from '../../util/clock.ts'
import { EngineError, toErrorRecord } from '../../util/errors.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import type { Charge } from '../api/memory-charge.ts'
import type { CountCall, CountOutcome, SearchCall, SearchOutcome } from '../api/searches.ts'
import type { ResolvedSort } from '../dsl/field/sort-level.ts'
import { buildQuery, type QueryContext } from '../dsl/query-context.ts'
import {
  checkResultWindow,
  parseCountBody,
  parseSearchRequest,
  type SearchRequest,
} from '../dsl/search-request.ts'
import { resolveSearchAfter, resolveSort } from '../dsl/sort.ts'
import { fetchHits } from '../fetch/fetch-hits.ts'
import { resolveOpen } from '../metadata/index-names.ts'
import type { IndexView } from '../metadata/index-view.ts'
import { DamagedShard, type OpenedShard } from '../node/damaged-shard.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'
import {
  type FetchedHit,
  type ShardFailure,
  searchPhaseError,
  searchResponse,
} from '../response/search-response.ts'
import { queryContextOf } from './index-query-context.ts'
import { checkSameHits, type ProductionRun } from './production-run.ts'
import { queryThrough } from './view-query.ts'

/** An index that is searched, as the call sees it. */
interface SearchTarget {
  readonly view: IndexView
  readonly index: IndexService
}

/** What the request means to one index. */
interface IndexSearch {
  readonly index: IndexService
  readonly query: Query
  readonly postFilter: Query | null
  readonly sort: readonly ResolvedSort[] | null
  readonly searchAfter: ReturnType<typeof resolveSearchAfter> | null
  readonly context: QueryContext
}

/** One shard that answered. */
interface SearchedShard {
  readonly search: IndexSearch
  readonly shard: Shard
  readonly snapshot: Snapshot
  readonly outcome: ShardSearchOutcome
  /** The same without a profile; null where that was not asked for. */
  readonly production: ProductionRun | null
  readonly concurrent: boolean
  /** Null unless the profile has the fetch phase too. */
  readonly fetchProfiler: FetchProfiler | null
}

/** What a hit takes in a queue, its values to sort by included. */
const HIT_BYTES = 48

/** Runs a search over all shards of its indices, then fetches the best hits. */
export async function search(
  node: Node,
  call: SearchCall,
  context: CallContext,
): Promise<SearchOutcome> {
  node.ensureOpen()
  const started = performance.now()
  const targets = targetsOf(node, call, context)
  const request = parseSearchRequest(call.body, call.options)
  const charge = node.breakers.open('request', '<search>')
  const phase = await runQueryPhase(node, targets, request, call, context, charge).catch(
    (error: unknown) => {
      charge.release()
      throw error
    },
  )
  const { answers, failures, shardCount } = phase
  try {
    if (answers.length === 0 && failures.length > 0) throw searchPhaseError(failures)
    if (failures.length > 0 && !allowsPartial(node, call))
      throw searchPhaseError(failures, 'Partial shards failure')
    for (const { search: asked, shard, outcome, production } of answers)
      if (production !== null)
        checkSameHits(
          `[${asked.index.name}][${shard.name.shard}]`,
          production.result,
          outcome.result,
        )
    const merged = reduceShards(
      answers.map(answer => answer.outcome.result),
      request.from,
      request.size,
      request.trackTotalHits,
    )
    const hits = fetchAll(node, answers, merged.hits, request, charge)
    const { nodeId } = node.metadata.node
    const body = searchResponse({
      tookInMillis: Math.floor(performance.now() - started),
      timedOut: merged.timedOut,
      terminatedEarly: request.terminateAfter > 0 ? merged.terminatedEarly : null,
      shardCount,
      failures,
      total: merged.total,
      totalAsInt: call.options.restTotalHitsAsInt === true,
      maxScore: maxScoreOf(merged.maxScore, merged.hits.length, request, answers),
      hits,
      nodeId,
      profile: request.profile ? profilesOf(node, answers, request, call.human) : null,
    })
    return { body }
  } finally {
    charge.release()
    for (const { snapshot } of answers) snapshot.release()
  }
}

/** Counts the matches of a query over all shards of its indices. */
export async function count(
  node: Node,
  call: CountCall,
  context: CallContext,
): Promise<CountOutcome> {
  node.ensureOpen()
  const targets = targetsOf(node, call, context)
  const { minScore, terminateAfter, ...rest } = call.options
  const query = parseCountBody(call.body)
  const request: SearchRequest = {
    ...parseSearchRequest(null, {
      ...rest,
      size: 0,
      trackTotalHits: true,
      ...(minScore === undefined ? {} : { minScore }),
      ...(terminateAfter === undefined || terminateAfter === 0 ? {} : { terminateAfter }),
    }),
    query,
  }
  const charge = node.breakers.open('request', '<count>')
  const { answers, failures, shardCount } = await runQueryPhase(
    node,
    targets,
    request,
    call,
    context,
    charge,
  ).finally(() => charge.release())
  for (const { snapshot } of answers) snapshot.release()
  if (answers.length === 0 && failures.length > 0) throw searchPhaseError(failures)
  const results = answers.map(answer => answer.outcome.result)
  const total = results.reduce((sum, result) => sum + (result.total?.value ?? 0), 0)
  const failed = failures.length
  return {
    count: total,
    terminatedEarly:
      request.terminateAfter > 0 ? results.some(result => result.terminatedEarly) : null,
    shards: { total: shardCount, successful: shardCount - failed, failed, skipped: 0 },
  }
}

/** The indices that a call searches, in order of name. */
function targetsOf(
  node: Node,
  call: Pick<SearchCall, 'target'>,
  context: CallContext,
): SearchTarget[] {
  const targets = resolveOpen(node.metadata, call.target, context)
    .sort((a, b) => (a.index.name < b.index.name ? -1 : 1))
    .flatMap(view => {
      const index = node.index(view.index.name)
      return index === null ? [] : [{ view, index }]
    })
  for (const { index } of targets)
    if (index.metadata.settings.get('index.blocks.read') === 'true')
      throw new EngineError({
        type: 'cluster_block_exception',
        reason: `index [${index.name}] blocked by: [FORBIDDEN/7/index read (api)];`,
      })
  return targets
}

/** Searches every shard; snapshots of those that answered are held for the fetch. */
async function runQueryPhase(
  node: Node,
  targets: readonly SearchTarget[],
  request: SearchRequest,
  { options, slices }: Pick<SearchCall, 'slices'> & Pick<CountCall, 'options'>,
  signal: Cancellation,
  charge: Charge,
): Promise<{ answers: SearchedShard[]; failures: ShardFailure[]; shardCount: number }> {
  const cluster = node.effectiveSettings
  const nowInMillis = Date.now()
  const deadline = deadlineOf(request, cluster)
  const failures: ShardFailure[] = []
  const answers: SearchedShard[] = []
  let shardCount = 0
  const runs: Promise<SearchedShard | ShardFailure>[] = []
  for (const target of targets) {
    const { index, view } = target
    const shards = shardsOf(index, view.routing ?? options.routing)
    shardCount += shards.length
    let search: IndexSearch
    try {
      search = prepareIndex(target, request, cluster, nowInMillis)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      for (const shard of shards) failures.push(failureOf(node, shard, error))
      continue
    }
    for (const shard of shards)
      runs.push(
        shard instanceof DamagedShard
          ? Promise.resolve(failureOf(node, shard, shard.readError(`search [${index.name}]`)))
          : searchShard(node, search, shard, request, cluster, deadline, signal, slices, charge),
      )
  }
  for (const answer of await Promise.all(runs)) {
    if ('outcome' in answer) answers.push(answer)
    else failures.push(answer)
  }
  const cancelled = failures.find(({ reason }) => reason.type === 'task_cancelled_exception')
  if (cancelled !== undefined) {
    for (const { snapshot } of answers) snapshot.release()
    throw new EngineError(cancelled.reason)
  }
  return { answers, failures, shardCount }
}

/** The shards that a search looks at: all, or those that its routing values lead to. */
function shardsOf(
  index: IndexService,
  routing: readonly string[] | undefined,
): readonly OpenedShard[] {
  if (routing === undefined || routing.length === 0) return index.allShards
  const routed = new Set(routing.map(value => index.shardOf('', value)))
  return index.allShards.filter(shard => routed.has(shard))
}

function prepareIndex(
  { view, index }: SearchTarget,
  request: SearchRequest,
  cluster: Settings,
  nowInMillis: number,
): IndexSearch {
  const { metadata } = index
  const context = queryContextOf(view, cluster, nowInMillis)
  checkResultWindow(
    request,
    indexSettings.number(metadata.settings, 'index.max_result_window') ?? 10_000,
  )
  const asked: Query =
    request.query === null ? { kind: 'matchAll' } : buildQuery(request.query, context)
  const query = queryThrough(view, asked)
  const postFilter = request.postFilter === null ? null : buildQuery(request.postFilter, context)
  const sort = resolveSort(request.sort, context)
  const searchAfter =
    request.searchAfter === null
      ? null
      : resolveSearchAfter(request.searchAfter, request.sort, sort)
  return { index, query, postFilter, sort, searchAfter, context }
}

async function searchShard(
  node: Node,
  search: IndexSearch,
  shard: Shard,
  request: SearchRequest,
  cluster: Settings,
  deadline: number,
  signal: Cancellation,
  maxSlices: number | undefined,
  charge: Charge,
): Promise<SearchedShard | ShardFailure> {
  const snapshot = shard.snapshot.acquire()
  const tally = shard.stats.query
  const started = performance.now()
  const { settings } = search.index.metadata
  const concurrent =
    maxSlices === undefined
      ? isConcurrent(request, settings, cluster)
      : request.terminateAfter === 0
  const options: ShardSearchOptions = {
    concurrent,
    slices: sliceSettings(settings, cluster, node.searcher.threadCount, maxSlices),
    profile: request.profile ? profilerOptions(cluster, concurrent) : null,
    executor: 'auto',
    kernels: true,
    reports: false,
    filterCache: indexSettings.boolean(settings, 'index.queries.cache.enabled'),
    signal,
  }
  tally.current++
  try {
    // A queue holds no more than there is, however many are asked for.
    const most = Math.max(1, snapshot.maxDoc)
    const topCount = request.size === 0 ? 0 : Math.min(request.from + request.size, most)
    const slices = Math.max(options.slices.maxSliceCount, snapshot.leaves.length)
    const queues = concurrent ? 1 + slices : 1
    charge.add(topCount * queues * HIT_BYTES)
    const plan = {
      query: search.query,
      gather: gatherPlan(
        {
          kind: 'topHits',
          topCount,
          sort: search.sort?.map(level => level.key) ?? null,
          searchAfter: search.searchAfter,
          trackTotalHits: request.trackTotalHits,
          trackScores: request.trackScores,
          postFilter: search.postFilter,
        },
        [],
        { minScore: request.minScore, terminateAfter: request.terminateAfter, deadline },
      ),
      maxClauseCount: search.context.maxClauseCount,
    }
    const production = request.profileKernels
      ? await runAsProduction(node, snapshot, plan, options)
      : null
    const outcome = await node.searcher.search(snapshot, plan, options)
    const isFetchProfiled =
      request.profile && clusterSettings.boolean(cluster, 'lamella.profile.fetch')
    const fetchProfiler = isFetchProfiled ? new FetchProfiler() : null
    return { search, shard, snapshot, outcome, production, concurrent, fetchProfiler }
  } catch (error) {
    snapshot.release()
    return failureOf(node, shard, error)
  } finally {
    tally.current--
    tally.count++
    tally.timeInMillis += performance.now() - started
  }
}

async function runAsProduction(
  node: Node,
  snapshot: Snapshot,
  plan: SearchPlan,
  options: ShardSearchOptions,
): Promise<ProductionRun> {
  const started = nowInNanos()
  const unprofiled = { ...options, profile: null, reports: true }
  const { result, reports } = await node.searcher.search(snapshot, plan, unprofiled)
  return { started, slices: reports, result }
}

function failureOf(node: Node, shard: OpenedShard, error: unknown): ShardFailure {
  const { nodeId } = node.metadata.node
  return {
    shard: shard.name.shard,
    index: shard.name.index,
    node: nodeId,
    reason: toErrorRecord(error),
  }
}

/** Reads the hits shard by shard, then puts them in their order. */
function fetchAll(
  node: Node,
  answers: readonly SearchedShard[],
  hits: readonly MergedHit[],
  request: SearchRequest,
  charge: Charge,
): FetchedHit[] {
  const fetched = new Array<FetchedHit>(hits.length)
  answers.forEach((answer, place) => {
    const mine = hits.flatMap((hit, at) => (hit.shard === place ? [{ hit: hit.hit, at }] : []))
    if (mine.length === 0) return
    const tally = answer.shard.stats.fetch
    const started = performance.now()
    const { search, snapshot, shard } = answer
    const { searcher, memory, stored } = node
    const read = fetchHits(
      {
        searcher,
        memory,
        stored,
        snapshot,
        index: search.index.name,
        shard: shard.name.shard,
        charge,
      },
      mine.map(({ hit }) => hit),
      {
        source: request.source,
        version: request.version,
        seqNoPrimaryTerm: request.seqNoPrimaryTerm,
        sort: search.sort,
        withScores: search.sort === null || request.trackScores || sortsByScore(search.sort),
        explain: request.explain ? search.query : null,
      },
      answer.fetchProfiler,
    )
    read.forEach((hit, i) => {
      fetched[mine[i]!.at] = hit
    })
    tally.count++
    tally.timeInMillis += performance.now() - started
  })
  return fetched
}

function sortsByScore(sort: readonly ResolvedSort[]): boolean {
  return sort.some(({ key }) => key.kind === 'score')
}

/** The best score of all matches, where hits carry scores; null where nothing was scored. */
function maxScoreOf(
  maxScore: number,
  hitCount: number,
  request: SearchRequest,
  answers: readonly SearchedShard[],
): number | null {
  if (Number.isNaN(maxScore) || request.size === 0) return null
  const sort = answers[0]?.search.sort ?? null
  if (sort !== null && !request.trackScores && !sortsByScore(sort)) return null
  return hitCount === 0 && request.from === 0 ? null : maxScore
}

function profilesOf(
  node: Node,
  answers: readonly SearchedShard[],
  request: SearchRequest,
  human: boolean,
): JsonRecord[] {
  const { nodeId } = node.metadata.node
  const isNative =
    clusterSettings.text(node.effectiveSettings, 'lamella.profile.reasons') === 'native'
  const reasons = isNative ? 'native' : 'documented'
  return answers.flatMap(({ search, shard, outcome, production, concurrent, fetchProfiler }) => {
    const { prepared } = outcome
    if (prepared === null) return []
    const profile = shardProfile(
      {
        nodeId,
        index: search.index.name,
        shard: shard.name.shard,
        nodes: prepared.weight.nodes,
        rewriteTime: prepared.rewriteTime,
        slices: outcome.profiles,
        spec: prepared.spec,
        reduceTime: outcome.reduceTime,
        production,
        fetch: fetchProfiler,
      },
      { concurrent, human, reasons, perSlice: request.profileSlices },
    )
    return [profile]
  })
}

function profilerOptions(cluster: Settings, concurrent: boolean): ProfilerOptions {
  const text = clusterSettings.text(cluster, 'lamella.profile.sampling').toLowerCase()
  // A folder of before may keep a value that was not checked.
  const sampling = SAMPLING_MODES.find(mode => mode === text) ?? 'calibrated'
  return { sampling, perLeaf: concurrent }
}

function deadlineOf(request: SearchRequest, cluster: Settings): number {
  const byDefault = clusterSettings.nanos(cluster, 'search.default_search_timeout') ?? -1
  const nanos = request.timeoutInMillis === null ? byDefault : request.timeoutInMillis * 1e6
  return nanos < 0 ? 0 : nowInNanos() + nanos
}

function allowsPartial(node: Node, call: SearchCall): boolean {
  return (
    call.options.allowPartialSearchResults ??
    clusterSettings.boolean(node.effectiveSettings, 'search.default_allow_partial_results')
  )
}

/**
 * Whether a shard is searched in slices: never with `terminate_after`; else as the index's mode
 * says, then the cluster's, then the older switches; `all` when nobody says. `auto` asks for
 * aggregations.
 */
function isConcurrent(request: SearchRequest, index: Settings, cluster: Settings): boolean {
  if (request.terminateAfter > 0) return false
  const key = 'search.concurrent_segment_search'
  const mode = index.get(`index.${key}.mode`) ?? cluster.get(`${key}.mode`)
  if (mode !== null) return mode === 'all'
  const enabled = index.get(`index.${key}.enabled`) ?? cluster.get(`${key}.enabled`)
  return enabled === null || enabled === 'true'
}

/** Segments from this many documents on are cut into ranges for a call that asks for slices. */
const MIN_DOCS_TO_CUT_AS_ASKED = 4_096

/**
 * Slices as the call asks, then by the index's settings, then the cluster's; unset, as many as there
 * are threads, up to 4.
 */
function sliceSettings(
  index: Settings,
  cluster: Settings,
  threads: number,
  asked: number | undefined,
): SliceSettings {
  const read = (key: string): string | null => {
    const value = index.get(`index.${key}`) ?? cluster.get(key)
    return value === null ? null : String(value)
  }
  const count = read('search.concurrent.max_slice_count')
  const minDocs = Number(read('search.concurrent.intra_segment_min_docs') ?? 65_536)
  const intraSegment = read('search.concurrent.intra_segment') === 'none' ? 'none' : 'auto'
  if (asked !== undefined)
    return {
      maxSliceCount: asked,
      intraSegment,
      intraSegmentMinDocs: Math.min(minDocs, MIN_DOCS_TO_CUT_AS_ASKED),
    }
  return {
    maxSliceCount: count === null ? Math.max(1, Math.min(threads, 4)) : Number(count),
    intraSegment,
    intraSegmentMinDocs: minDocs,
  }
}
