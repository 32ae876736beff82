import { gatherPlan, NO_LIMITS } from '../../search/collector/gather-plan.ts'
import type { ListedMatches, MatchRun } from '../../search/collector/listed-matches.ts'
import type { Query } from '../../search/query/query.ts'
import type { Node } from '../node/node.ts'
import { NO_HITS } from './gather-only.ts'
import type { JoinCall } from './join-call.ts'

/** Memory of a match. */
const MATCH_BYTES = 8

/** Where documents are listed. */
export type ListCall = Pick<JoinCall, 'snapshot' | 'options' | 'maxClauseCount' | 'charge'>

/**
 * The documents of a shard that match, in order.
 * @param query bound to the shard, narrowed to what the caller may see
 * @throws {EngineError} as a search; `circuit_breaking_exception`
 */
export async function listMatches(
  node: Node,
  query: Query,
  { snapshot, options, maxClauseCount, charge }: ListCall,
): Promise<readonly MatchRun[]> {
  charge.add(MATCH_BYTES * snapshot.maxDoc)
  const list: ListedMatches = { kind: 'listedMatches', withScores: false }
  const plan = {
    query,
    gather: gatherPlan(NO_HITS, [list], NO_LIMITS),
    maxClauseCount,
    statistics: null,
  }
  const { result } = await node.searcher.search(snapshot, plan, options)
  return result.parts[0] as readonly MatchRun[]
}
