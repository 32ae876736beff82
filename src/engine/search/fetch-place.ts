import type { Charge } from '../api/memory-charge.ts'
import type { FetchPlace } from '../fetch/shard-reader.ts'
import { storedThrough } from '../fetch/visible-documents.ts'
import type { Node } from '../node/node.ts'
import type { SearchedShard } from './searched-shard.ts'

/**
 * Where documents of a shard that answered are read from.
 * @param charge what is read is charged to it
 */
export function fetchPlace(node: Node, answer: SearchedShard, charge: Charge): FetchPlace {
  const { searcher, memory, stored } = node
  const { shard, snapshot } = answer.held
  const { fields } = answer.search.view
  return {
    searcher,
    memory,
    stored: storedThrough(stored, fields),
    fields,
    snapshot,
    joins: answer.joins,
    statistics: answer.statistics,
    rescored: answer.rescored,
    combined: answer.combined,
    nodeId: node.metadata.node.nodeId,
    index: answer.search.index.name,
    shard: shard.name.shard,
    charge,
    profiler: answer.fetchProfiler,
  }
}
