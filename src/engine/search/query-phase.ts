import { CompilersNotLoadedError } from '../../script/compilers-not-loaded.ts'
import type { ShardName } from '../../shard/write-operation.ts'
import type { Cancellation } from '../../util/cancellation.ts'
import { EngineError } from '../../util/errors.ts'
import type { Charge } from '../api/memory-charge.ts'
import type { Answers } from '../dsl/lookup.ts'
import { withIndex } from '../dsl/query-context.ts'
import type { Node } from '../node/node.ts'
import type { ShardFailure } from '../response/search-response.ts'
import type { CacheWish } from './cached-query.ts'
import type { IndexBoosts } from './index-boosts.ts'
import { type IndexSearch, indexSearch } from './index-search.ts'
import { noteAggregations } from './note-aggregations.ts'
import type { SearchRequest } from './search-request.ts'
import { deadlineOf } from './search-settings.ts'
import type { SearchedTargets, TargetShard } from './search-targets.ts'
import type { LoggedSearch, SearchedShard } from './searched-shard.ts'
import { failureOf } from './shard-failure.ts'
import type { ShardQueries } from './shard-queries.ts'
import { queryShard } from './shard-query.ts'
import { sharedStatistics } from './shared-statistics.ts'

/** Parameters of the query phase beside the request. */
export interface QueryPhaseCall {
  /** Slices per shard; undefined: as the settings say. */
  readonly slices: number | undefined
  readonly signal: Cancellation
  /** Answers to the lookups of the request. */
  readonly lookups: Answers
  readonly boosts: IndexBoosts
  readonly charge: Charge
  /** Whether shards score by the statistics of all of them. */
  readonly sharesStatistics: boolean
  /** Null: nothing may be cached. */
  readonly caching: CacheWish | null
  /** Whether what a shard has found when its time is over is an answer. */
  readonly allowsPartial: boolean
  /** For the slow logs; null: it is in none. */
  readonly logged: LoggedSearch | null
}

/** Results by shard; each shard is in one of the lists. */
export interface QueryPhase {
  /** In order of index and shard. */
  readonly answers: readonly SearchedShard[]
  readonly failures: readonly ShardFailure[]
  /** Milliseconds that gathering shared statistics took, and all of it. */
  readonly statisticsTook: number
  readonly took: number
}

/** Makes a search at once, or when the compilers of its scripts are loaded. */
function searchOf(node: Node, make: () => IndexSearch): IndexSearch | Promise<IndexSearch> {
  try {
    return make()
  } catch (error) {
    if (error instanceof CompilersNotLoadedError) return node.scripts.load().then(make)
    throw error
  }
}

/**
 * Searches every shard.
 * @throws {EngineError} `task_cancelled_exception` once the caller has given up; any other error is the
 *   failure of the shards that it concerns
 */
export async function runQueryPhase(
  node: Node,
  targets: SearchedTargets,
  request: SearchRequest,
  call: QueryPhaseCall,
): Promise<QueryPhase> {
  const { slices, signal, charge, lookups, boosts, sharesStatistics, caching, logged } = call
  const started = performance.now()
  const cluster = node.effectiveSettings
  const nowInMillis = Date.now()
  const searchedShards = targets.indices.reduce((sum, { shards }) => sum + shards.length, 0)
  const { scripts } = node
  const facts = { node, cluster, nowInMillis, answers: lookups, boosts, scripts, searchedShards }
  const deadline = deadlineOf(request.coupled.timeoutInMillis, cluster)
  const { coupled, fetch, innerHits, parts } = request
  const asks = {
    coupled,
    fetch,
    innerHits,
    suggest: parts.suggest,
    aggregations: parts.aggregations,
    derived: parts.derived,
  }
  const failures: ShardFailure[] = []
  const asked: { readonly search: IndexSearch; readonly held: TargetShard }[] = []
  for (const target of targets.indices) {
    const { shards } = target
    try {
      const made = searchOf(node, () => indexSearch(target, asks, facts))
      const search = made instanceof Promise ? await made : made
      noteAggregations(node.aggregationUse, parts.aggregations, search.aggregations)
      for (const held of shards) asked.push({ search, held })
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      const { name, metadata } = target.index
      const told = withIndex(error, { index: name, indexUuid: metadata.uuid })
      for (const held of shards) failures.push(failureOf(node, nameOf(held), told))
    }
  }
  const held = asked.flatMap(each =>
    'snapshot' in each.held ? [{ ...each, held: each.held }] : [],
  )
  const { searchActivity } = node
  const endStatistics = sharesStatistics ? searchActivity.begin('dfs_pre_query') : null
  const statistics = sharesStatistics ? sharedStatistics(node, held) : null
  endStatistics?.()
  const statisticsTook = sharesStatistics ? performance.now() - started : 0
  const endQuery = searchActivity.begin('query')
  const common: ShardQueries = {
    node,
    request,
    cluster,
    deadline,
    signal,
    slices,
    charge,
    statistics,
    caching,
    allowsPartial: call.allowsPartial,
    logged,
  }
  const runs = asked.map(({ search, held }) =>
    'snapshot' in held
      ? queryShard(common, search, held)
      : failureOf(node, held.name, held.readError(`search [${search.index.name}]`)),
  )
  const answers: SearchedShard[] = []
  for (const answer of await Promise.all(runs)) {
    if ('outcome' in answer) answers.push(answer)
    else failures.push(answer)
  }
  endQuery()
  searchActivity.noteResponse(performance.now() - started)
  const cancelled = failures.find(({ reason }) => reason.type === 'task_cancelled_exception')
  if (cancelled !== undefined) throw new EngineError(cancelled.reason)
  return { answers, failures, statisticsTook, took: performance.now() - started }
}

function nameOf(held: TargetShard): ShardName {
  return 'snapshot' in held ? held.shard.name : held.name
}
