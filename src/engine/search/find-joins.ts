/** Runs the joins of a request in one shard, ahead of its search: `seams.md` calls such a pass `before`. */
import { type ShardSearchOptions, throwIfAborted } from '../../parallel/search-options.ts'
import type { Settings } from '../../schema/settings.ts'
import { gatherPlan, NO_LIMITS } from '../../search/collector/gather-plan.ts'
import type { ListedMatches, MatchRun } from '../../search/collector/listed-matches.ts'
import { bindJoins, type FoundJoins, NO_JOINS } from '../../search/query/bind-joins.ts'
import type { JoinQuery, PriorQuery } from '../../search/query/query.ts'
import type { JoinedDocs } from '../../search/weight/weight-node.ts'
import type { Cancellation } from '../../util/cancellation.ts'
import { inTurns } from '../../util/turns.ts'
import { amongVisible } from '../dsl/visible-query.ts'
import type { Node } from '../node/node.ts'
import { findDerived } from './find-derived.ts'
import { findNearest } from './find-nearest.ts'
import { findSeen } from './find-seen.ts'
import { NO_HITS } from './gather-only.ts'
import type { JoinCall } from './join-call.ts'
import { joinedDocs } from './joined-docs.ts'
import { isConcurrent, sliceSettings } from './search-settings.ts'

/** Memory of a match while its join is found: the match, and the document it is tied to. */
const MATCH_BYTES = 32

/**
 * Finds the documents of joins in a held snapshot.
 * @param joins in the order in which they were made, those within others first
 * @throws {EngineError} as a search; `circuit_breaking_exception`
 */
export async function findJoins(
  node: Node,
  joins: readonly PriorQuery[],
  call: JoinCall,
): Promise<FoundJoins> {
  if (joins.length === 0) return NO_JOINS
  const found = new Map<PriorQuery, readonly JoinedDocs[]>()
  for (const join of joins) found.set(join, await findPrior(node, join, found, call))
  return found
}

function findPrior(
  node: Node,
  prior: PriorQuery,
  found: FoundJoins,
  call: JoinCall,
): Promise<readonly JoinedDocs[]> {
  switch (prior.kind) {
    case 'join':
      return findJoin(node, prior, found, call)
    case 'nearest':
      return findNearest(node, prior, found, call)
    case 'derived':
      return findDerived(node, prior, found, call)
    case 'seen':
      return findSeen(node, prior, call)
  }
}

async function findJoin(
  node: Node,
  join: JoinQuery,
  found: FoundJoins,
  { snapshot, options, maxClauseCount, visible, signal, charge }: JoinCall,
): Promise<readonly JoinedDocs[]> {
  charge.add(MATCH_BYTES * snapshot.maxDoc)
  const list: ListedMatches = { kind: 'listedMatches', withScores: join.scoreMode !== 'none' }
  const plan = {
    query: bindJoins(amongVisible(join.query, visible), found),
    gather: gatherPlan(NO_HITS, [list], NO_LIMITS),
    maxClauseCount,
    statistics: null,
  }
  const { result } = await node.searcher.search(snapshot, plan, options)
  const runs = result.parts[0] as readonly MatchRun[]
  const check = (): void => {
    throwIfAborted(signal)
    node.ensureOpen()
  }
  const pins = node.memory.newPins()
  try {
    const { searcher, memory } = node
    const place = { searcher, memory, snapshot }
    return await inTurns(turn => joinedDocs(place, pins, join, runs, turn), check, signal)
  } finally {
    pins.release()
  }
}

/** How the joins of a call other than a search run. */
export function joinOptions(
  node: Node,
  settings: Settings,
  signal: Cancellation,
): ShardSearchOptions {
  const cluster = node.effectiveSettings
  return {
    concurrent: isConcurrent(0, settings, cluster),
    slices: sliceSettings(settings, cluster, node.searcher.threadCount, undefined),
    profile: null,
    executor: 'auto',
    kernels: true,
    reports: false,
    filterCache: true,
    signal,
  }
}
