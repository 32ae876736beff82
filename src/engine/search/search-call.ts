import { type MergedResult, reduceShards } from '../../parallel/reduce.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { SearchCall, SearchOutcome } from '../api/searches.ts'
import type { Node } from '../node/node.ts'
import {
  type PrintedAnswer,
  reduceError,
  searchPhaseError,
  searchResponse,
} from '../response/search-response.ts'
import { fetchPhase } from './fetch-phase.ts'
import { answersFor } from './lookup-calls.ts'
import { checkSameHits } from './production-run.ts'
import { type QueryPhase, runQueryPhase } from './query-phase.ts'
import type { SearchedCall, SearchPartName, SearchPartValues } from './search-part.ts'
import { SEARCH_PART_NAMES, SEARCH_PARTS } from './search-parts.ts'
import { parseSearchRequest, type SearchRequest } from './search-request.ts'
import { allowsPartial } from './search-settings.ts'
import { resolveSearch, SearchTargets } from './search-targets.ts'
import type { SearchedShard } from './searched-shard.ts'

/**
 * Runs a search: targets, query phase in all their shards, reduce, fetch of the best hits, answer.
 * @throws {EngineError} invalid target or request; `task_cancelled_exception`;
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
    const asked = answersFor(node, request, targets, context, search)
    const lookups = asked instanceof Promise ? await asked : asked
    const queries = { slices, signal: context, charge, lookups }
    const phase = await runQueryPhase(node, targets, request, queries)
    checkAnswered(node, call, phase)
    const { answers, failures } = phase
    const { from, size, trackTotalHits } = request.coupled
    const results = answers.map(({ outcome }) => outcome.result)
    const merged = mergeShards(results, from, size, trackTotalHits)
    const fetching = fetchPhase(
      node,
      answers,
      merged.hits,
      request.fetch,
      request.parts.groups,
      charge,
      context,
    )
    // Hits that are read already are not awaited: a search of one turn stays in it.
    const hits = fetching instanceof Promise ? await fetching : fetching
    const body = searchResponse({
      tookInMillis: Math.floor(performance.now() - started),
      timedOut: merged.timedOut,
      terminatedEarly: request.coupled.terminateAfter > 0 ? merged.terminatedEarly : null,
      shardCount: targets.shardCount,
      failures,
      total: merged.total,
      totalAsInt: call.options.restTotalHitsAsInt === true,
      maxScore: maxScoreOf(merged, request, answers),
      hits,
    })
    const searched = { node, answers, human: call.human }
    for (const name of SEARCH_PART_NAMES) printPart(name, request.parts, searched, body)
    return { body }
  } finally {
    charge.release()
    targets.release()
  }
}

/** Puts the shards' hits together; what hinders it is an error of the whole search. */
function mergeShards(...merged: Parameters<typeof reduceShards>): MergedResult {
  try {
    return reduceShards(...merged)
  } catch (error) {
    throw reduceError(error)
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

function printPart<N extends SearchPartName>(
  name: N,
  parts: SearchPartValues,
  searched: SearchedCall,
  to: PrintedAnswer,
): void {
  SEARCH_PARTS[name].print(parts[name], searched, to)
}

/** The best score of all matches, where hits carry scores; null where nothing was scored. */
function maxScoreOf(
  { maxScore, hits }: MergedResult,
  { coupled }: SearchRequest,
  answers: readonly SearchedShard[],
): number | null {
  if (Number.isNaN(maxScore) || coupled.size === 0) return null
  if (answers[0]?.search.withScores === false) return null
  return hits.length === 0 && coupled.from === 0 ? null : maxScore
}
