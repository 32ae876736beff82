import { createWeight } from '../../search/query/create-weight.ts'
import type { Query } from '../../search/query/query.ts'
import { onShard, rewrite } from '../../search/query/query-ops.ts'
import type { Weight } from '../../search/weight/weight.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Pins } from '../../segment/pins.ts'
import type { Snapshot } from '../../segment/snapshot.ts'
import type { Node } from '../node/node.ts'

/** Leaves of one shard, open on this thread without scratch: for looking, not for searching. */
export interface ShardLeaves {
  /** In the snapshot's order. */
  readonly leaves: readonly Leaf[]
  /** Memory that is held until the look is over. */
  readonly pins: Pins
}

/** Opens all leaves of a held snapshot for the time of one synchronous look. */
export function lookInto<T>(node: Node, snapshot: Snapshot, look: (at: ShardLeaves) => T): T {
  const pins = node.memory.newPins()
  try {
    const leaves = snapshot.leaves.map(leaf => node.searcher.openLeaf(leaf, pins, null))
    return look({ leaves, pins })
  } finally {
    pins.release()
  }
}

/** A query as a shard's search that reads scores rewrites it, its values resolved. */
export function rewrittenOn(query: Query, leaves: readonly Leaf[]): Query {
  return rewrite(onShard(rewrite(query, true), leaves), true)
}

/** Its weight, with scores and the nodes' descriptions. */
export function scoringWeight(query: Query, leaves: readonly Leaf[]): Weight {
  return createWeight(rewrittenOn(query, leaves), leaves, true)
}
