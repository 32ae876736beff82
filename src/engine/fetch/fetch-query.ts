import { createWeight } from '../../search/query/create-weight.ts'
import type { Query } from '../../search/query/query.ts'
import { onShard, rewrite } from '../../search/query/query-ops.ts'
import type { Weight } from '../../search/weight/weight.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { SnapshotLeaf } from '../../segment/snapshot.ts'
import type { ShardReader } from './shard-reader.ts'

/** Scratch of one run: a few iterators for each clause, rounded up generously. */
const SCRATCH_PER_ITERATOR = 8192
const SCRATCH_BASE = 65_536

/** A query that runs over documents of the hits, on the thread that fetches them. */
export class FetchQuery {
  readonly #query: Query
  readonly #scored: boolean
  /** Made with the first leaf. */
  #weight: Weight | null = null

  constructor(query: Query, scored: boolean) {
    this.#query = query
    this.#scored = scored
  }

  /** Runs with the query's weight and a leaf that has scratch for its iterators while it runs. */
  on<T>(shard: ShardReader, snapshotLeaf: SnapshotLeaf, run: (weight: Weight, leaf: Leaf) => T): T {
    const { searcher, memory } = shard.place
    this.#weight ??= this.#weightOf(shard)
    const weight = this.#weight
    const bytes = SCRATCH_BASE + 2 * weight.openPostings * SCRATCH_PER_ITERATOR
    const range = memory.allocate(snapshotLeaf.segment, bytes)
    try {
      return run(weight, searcher.openLeaf(snapshotLeaf, shard.pins, range))
    } finally {
      memory.free(range)
    }
  }

  #weightOf(shard: ShardReader): Weight {
    const leaves = shard.place.snapshot.leaves.map(each => shard.leaf(each))
    // Rewritten as the shard's search was, so that sums are grouped alike.
    const decided = onShard(rewrite(this.#query, this.#scored), leaves)
    return createWeight(rewrite(decided, this.#scored), leaves, this.#scored)
  }
}
