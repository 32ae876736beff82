import { type MergedResult, reduceShards } from '../../parallel/reduce.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { SearchCall, SearchOutcome } from '../api/searches.ts'
import type { Node } from '../node/node.ts'
import type { PrintedHit } from '../response/printed-hit.ts'
import {
  type PrintedAnswer,
  printHits,
  reduceError,
  searchPhaseError,
  searchResponse,
} from '../response/search-response.ts'
import { cancelAfter } from './cancel-after.ts'
import { expandGroups } from './expand-groups.ts'
import { fetchPhase } from './fetch-phase.ts'
import { answersFor } from './lookup-calls.ts'
import { checkSameHits } from './production-run.ts'
import { type QueryPhase, type QueryPhaseCall, runQueryPhase } from './query-phase.ts'
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
  return await runSearch(node, call, parseSearchRequest(call.body, call.options), context)
}

/** Runs a search whose request has been read. */
export async function runSearch(
  node: Node,
  call: SearchCall,
  request: SearchRequest,
  context: CallContext,
): Promise<SearchOutcome> {
  const started = performance.now()
  const found = resolveSearch(node, call.target, context)
  const charge = node.breakers.open('request', '<search>')
  const targets = new SearchTargets(found, call.options)
  const inTime = cancelAfter(
    call.options.cancelAfterTimeIntervalInMillis,
    node.effectiveSettings,
    context,
  )
  try {
    const { slices } = call
    const totalAsInt = call.options.restTotalHitsAsInt === true
    const asked = answersFor(node, request, context, search)
    const lookups = asked instanceof Promise ? await asked : asked
    const queries = { slices, signal: context, charge, lookups }
    const run = (asked: SearchRequest): Promise<HitsRun> =>
      runHits(node, call, targets, asked, queries, context)
    const { answers, failures, merged, maxScore, hits } = await run(request)
    const { collapse } = request.coupled
    if (collapse !== null && collapse.innerHits.length > 0)
      await expandGroups(request, collapse, hits, async inner => {
        const found = await run(inner)
        return printHits({ ...found, total: found.merged.total }, totalAsInt)
      })
    const body = searchResponse({
      tookInMillis: Math.floor(performance.now() - started),
      timedOut: merged.timedOut,
      terminatedEarly: request.coupled.terminateAfter > 0 ? merged.terminatedEarly : null,
      shardCount: targets.shardCount,
      failures,
      total: merged.total,
      totalAsInt,
      maxScore,
      hits,
    })
    const searched = { node, answers, human: call.human }
    for (const name of SEARCH_PART_NAMES) printPart(name, request.parts, searched, body)
    return { body }
  } finally {
    inTime()
    charge.release()
    targets.release()
  }
}

/** The hits of a request, and all that is known of how they were found. */
interface HitsRun extends QueryPhase {
  readonly merged: MergedResult
  readonly maxScore: number | null
  readonly hits: readonly PrintedHit[]
}

/** Finds and fetches the hits of a request in the targets that the search holds. */
async function runHits(
  node: Node,
  call: SearchCall,
  targets: SearchTargets,
  request: SearchRequest,
  queries: QueryPhaseCall,
  context: CallContext,
): Promise<HitsRun> {
  const phase = await runQueryPhase(node, targets, request, queries)
  checkAnswered(node, call, phase)
  const { answers } = phase
  const { from, size, trackTotalHits } = request.coupled
  const results = answers.map(({ outcome }) => outcome.result)
  const merged = mergeShards(results, from, size, trackTotalHits)
  const { groups } = request.parts
  const fetching = fetchPhase(node, answers, merged.hits, groups, queries.charge, context)
  // Hits that are read already are not awaited: a search of one turn stays in it.
  const hits = fetching instanceof Promise ? await fetching : fetching
  return { ...phase, merged, maxScore: maxScoreOf(merged, request, answers), hits }
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

/** The best score of all matches; null where nothing was scored, or another order goes first. */
function maxScoreOf(
  { maxScore, hits }: MergedResult,
  { coupled }: SearchRequest,
  answers: readonly SearchedShard[],
): number | null {
  if (Number.isNaN(maxScore) || coupled.size === 0) return null
  const { sort = null } = answers[0]?.search ?? {}
  const [first] = sort ?? []
  const isByScore = first === undefined || (first.key.kind === 'score' && first.key.descending)
  if (!isByScore && !coupled.trackScores) return null
  return hits.length === 0 && coupled.from === 0 ? null : maxScore
}
