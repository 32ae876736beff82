import type { MergedHit } from '../../parallel/reduce.ts'
import { throwIfAborted } from '../../parallel/search-options.ts'
import { beginInGroups, endInGroups, endTally } from '../../shard/tally.ts'
import type { Cancellation } from '../../util/cancellation.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { inTurns, type Turn } from '../../util/turns.ts'
import type { Charge } from '../api/memory-charge.ts'
import { fetchHits } from '../fetch/fetch-hits.ts'
import type { Node } from '../node/node.ts'
import type { PrintedHit } from '../response/printed-hit.ts'
import { searchPhaseError } from '../response/search-response.ts'
import { fetchPlace } from './fetch-place.ts'
import type { SearchedShard } from './searched-shard.ts'
import { failureOf } from './shard-failure.ts'
import { logSlowSearch } from './slow-search.ts'

/**
 * Reads the hits of the whole search, shard by shard, in as many turns of the event loop as that takes.
 * @param answers the shards, whose ords the hits name; their snapshots are held
 * @param groups  groups of statistics that it is counted in
 * @param charge  what is read is charged to it
 * @param signal  looked at between turns
 * @returns the hits in the order given; a promise where one turn was not enough
 * @throws {EngineError} `circuit_breaking_exception`; between turns `task_cancelled_exception`, or
 *   `illegal_state_exception` once the engine closes
 */
export function fetchPhase(
  node: Node,
  answers: readonly SearchedShard[],
  hits: readonly MergedHit[],
  groups: readonly string[],
  charge: Charge,
  signal: Cancellation,
): PrintedHit[] | Promise<PrintedHit[]> {
  if (hits.length === 0) return []
  const check = (): void => {
    throwIfAborted(signal)
    node.ensureOpen()
  }
  return inTurns(turn => fetchAll(node, answers, hits, groups, charge, turn), check, signal)
}

function* fetchAll(
  node: Node,
  answers: readonly SearchedShard[],
  hits: readonly MergedHit[],
  groups: readonly string[],
  charge: Charge,
  turn: Turn,
): Generator<void, PrintedHit[], void> {
  const read: PrintedHit[][] = []
  for (let ord = 0; ord < answers.length; ord++) {
    const mine = hits.filter(({ shard }) => shard === ord)
    read.push(
      mine.length === 0 ? [] : yield* fetchShard(node, answers[ord]!, mine, groups, charge, turn),
    )
  }
  const [first] = read
  if (read.length === 1 && first !== undefined) return first
  const taken = read.map(() => 0)
  return hits.map(({ shard }) => read[shard]![taken[shard]!++]!)
}

function* fetchShard(
  node: Node,
  answer: SearchedShard,
  hits: readonly MergedHit[],
  groups: readonly string[],
  charge: Charge,
  turn: Turn,
): Generator<void, PrintedHit[], void> {
  const { stats } = answer.held.shard
  const started = performance.now()
  stats.fetch.current++
  if (groups.length > 0) beginInGroups(stats, groups, 'fetch')
  try {
    const documents = hits.map(({ hit }) => hit)
    const place = fetchPlace(node, answer, charge)
    const read = yield* fetchHits(place, documents, answer.search.fetch, turn)
    logSlowSearch(node, 'fetch', answer, performance.now() - started)
    return read
  } catch (error) {
    // A hit that cannot be shown as asked for fails its shard, and the search with it.
    if (!(error instanceof IllegalArgumentError)) throw error
    const failure = failureOf(node, answer.held.shard.name, error)
    throw searchPhaseError([failure], 'all shards failed', 'fetch')
  } finally {
    const took = performance.now() - started
    endTally(stats.fetch, took)
    if (groups.length > 0) endInGroups(stats, groups, 'fetch', took)
  }
}
