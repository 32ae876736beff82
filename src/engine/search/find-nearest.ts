/** Runs the search for the nearest vectors of one shard, ahead of the search that asks for them. */
import { gatherPlan, NO_LIMITS } from '../../search/collector/gather-plan.ts'
import { bindJoins, type FoundJoins } from '../../search/query/bind-joins.ts'
import type { NearestQuery, Query } from '../../search/query/query.ts'
import type { JoinedDocs } from '../../search/weight/weight-node.ts'
import { restrictedError } from '../../task/access.ts'
import type { Node } from '../node/node.ts'
import { NO_HITS } from './gather-only.ts'
import type { JoinCall } from './join-call.ts'

/** Memory of a hit in a queue. */
const HIT_BYTES = 48

/**
 * Finds the nearest documents in a held snapshot: each leaf's best, and of these the best.
 * @throws {EngineError} as a search; `circuit_breaking_exception`
 */
export async function findNearest(
  node: Node,
  nearest: NearestQuery,
  found: FoundJoins,
  call: JoinCall,
): Promise<readonly JoinedDocs[]> {
  const bound = bindJoins(nearest, found) as NearestQuery
  const { k, isNested } = bound
  const query = call.visible === null ? bound.query : among(bound, call.visible)
  const { vectorRequests } = node
  const graphs = graphsOf(bound, call)
  vectorRequests.graphs += graphs
  try {
    // Whole documents alone are hits: of nested ones it is these that are found.
    return await topHits(
      node,
      isNested ? { kind: 'blockJoin', query, parentPath: null, scoreMode: 'max' } : query,
      k,
      call,
    )
  } catch (error) {
    vectorRequests.failedGraphs += graphs
    throw error
  }
}

/** How many segments have a graph that such a search may walk. */
function graphsOf({ query: { field, candidates } }: NearestQuery, { snapshot }: JoinCall): number {
  if (candidates === null) return 0
  let count = 0
  for (const { segment } of snapshot.leaves) {
    const number = segment.fields.get(field)?.number
    if (number !== undefined && segment.section('vectorGraph', number) !== null) count++
  }
  return count
}

/**
 * Finds the nearest among some documents, so that others do not take their places.
 * @param visible matches whole documents
 * @throws {EngineError} 403 `security_exception`: the filter is one of nested documents
 */
function among({ query, isNested }: NearestQuery, visible: Query): Query {
  const { filter, filtersWhole } = query
  if (isNested && filter !== null && !filtersWhole)
    throw restrictedError('Filtering nested vectors is not supported when DLS is activated')
  const clauses = [visible, ...(filter === null ? [] : [filter])].map(each => ({
    occur: 'filter' as const,
    query: each,
  }))
  return {
    ...query,
    filter: { kind: 'boolean', clauses, minimumShouldMatch: 0 },
    filtersWhole: isNested,
  }
}

async function topHits(
  node: Node,
  query: Query,
  wanted: number,
  { snapshot, options, maxClauseCount, charge }: JoinCall,
): Promise<readonly JoinedDocs[]> {
  const topCount = Math.max(1, Math.min(wanted, snapshot.maxDoc))
  charge.add(HIT_BYTES * topCount * (1 + snapshot.leaves.length))
  const plan = {
    query,
    gather: gatherPlan({ ...NO_HITS, topCount }, [], NO_LIMITS),
    maxClauseCount,
    statistics: null,
  }
  const { result } = await node.searcher.search(snapshot, plan, options)
  const hits = [...result.hits].sort((a, b) => a.globalDoc - b.globalDoc)
  let from = 0
  return snapshot.leaves.map(({ docBase, segment }) => {
    let end = from
    while (end < hits.length && hits[end]!.globalDoc < docBase + segment.maxDoc) end++
    const docs = new Int32Array(end - from)
    const scores = new Float32Array(end - from)
    for (let i = from; i < end; i++) {
      docs[i - from] = hits[i]!.globalDoc - docBase
      scores[i - from] = hits[i]!.score
    }
    from = end
    return { docs, scores }
  })
}
