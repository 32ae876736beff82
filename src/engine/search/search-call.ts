import { reduceShards } from '../../parallel/reduce.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import type { Charge } from '../api/memory-charge.ts'
import type { SearchCall, SearchOutcome } from '../api/searches.ts'
import { parseSearchRequest, type SearchRequest } from '../dsl/search-request.ts'
import type { Node } from '../node/node.ts'
import { searchPhaseError, searchResponse } from '../response/search-response.ts'
import { fetchPhase } from './fetch-phase.ts'
import { checkSameHits } from './production-run.ts'
import { profilePhase } from './profile-phase.ts'
import { type QueryPhase, runQueryPhase } from './query-phase.ts'
import { allowsPartial } from './search-settings.ts'
import { resolveSearch, SearchTargets } from './search-targets.ts'
import type { SearchedShard } from './shard-query.ts'

/**
 * Runs a search: targets, query phase in all their shards, reduce, fetch of the best hits, answer.
 * @throws {EngineError} a target or a request that is none; `task_cancelled_exception`;
 *   `circuit_breaking_exception`; `search_phase_execution_exception` where shards that must not fail do
 */
export async function search(
  node: Node,
  call: SearchCall,
  context: CallContext,
): Promise<SearchOutcome> {
  node.ensureOpen()
  const started = performance.now()
  const found = resolveSearch(node, call.target, context)
  const request = parseSearchRequest(call.body, call.options)
  const charge = node.breakers.open('request', '<search>')
  const targets = new SearchTargets(found, call.options.routing)
  try {
    const { slices } = call
    const queries = { slices, signal: context, charge }
    const phase = await runQueryPhase(node, targets, request, queries)
    checkAnswered(node, call, phase)
    return { body: answerOf(node, call, request, targets, phase, charge, started) }
  } finally {
    charge.release()
    targets.release()
  }
}

/** Shards may fail where others answer and the call allows it; a run beside the profile may not differ. */
function checkAnswered(
  node: Node,
  { options }: SearchCall,
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

function answerOf(
  node: Node,
  call: SearchCall,
  request: SearchRequest,
  targets: SearchTargets,
  { answers, failures }: QueryPhase,
  charge: Charge,
  started: number,
): JsonRecord {
  const merged = reduceShards(
    answers.map(answer => answer.outcome.result),
    request.from,
    request.size,
    request.trackTotalHits,
  )
  const hits = fetchPhase(node, answers, merged.hits, request, charge)
  return searchResponse({
    tookInMillis: Math.floor(performance.now() - started),
    timedOut: merged.timedOut,
    terminatedEarly: request.terminateAfter > 0 ? merged.terminatedEarly : null,
    shardCount: targets.shardCount,
    failures,
    total: merged.total,
    totalAsInt: call.options.restTotalHitsAsInt === true,
    maxScore: maxScoreOf(merged.maxScore, merged.hits.length, request, answers),
    hits,
    nodeId: node.metadata.node.nodeId,
    profile: request.profile ? profilePhase(node, answers, request, call.human) : null,
  })
}

/** The best score of all matches, where hits carry scores; null where nothing was scored. */
function maxScoreOf(
  maxScore: number,
  hitCount: number,
  request: SearchRequest,
  answers: readonly SearchedShard[],
): number | null {
  if (Number.isNaN(maxScore) || request.size === 0) return null
  if (answers[0]?.search.withScores === false) return null
  return hitCount === 0 && request.from === 0 ? null : maxScore
}
