/** `global`: all documents, whatever the query matches. It is gathered by a search of its own. */

import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { AggregationPlan, AggregationType, Aggregator } from '../aggregation-type.ts'
import { NO_NOTES } from '../aggregation-type.ts'
import { type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { type FixedPartial, SliceFixed } from '../fixed-buckets.ts'
import { ShardSingle } from '../single-bucket.ts'

/** All documents that the search's own query hands over. */
export interface Global extends AggregationPlan {
  readonly kind: 'global'
}

/** One bucket of all documents. */
export const global: AggregationType<Global, null> = {
  readsScores: () => false,
  className: () => 'GlobalAggregator',
  prepare: () => null,
  open: (_plan, _ready, children) => new GlobalAggregator(children),
  sliceReducer: () => new SliceFixed(1),
  shardReducer: (_plans, children) => new ShardSingle('global', children),
}

class GlobalAggregator implements Aggregator {
  readonly #below: ChildBatch
  #count = 0

  constructor(children: readonly Aggregator[]) {
    this.#below = new ChildBatch(children)
  }

  openLeaf(_leaf: Leaf): void {}

  collect(batch: BucketBatch): void {
    const { count, weights } = batch
    this.#below.begin(batch)
    for (let i = 0; i < count; i++) {
      this.#count += weights === null ? 1 : weights[i]!
      this.#below.add(i, 0)
    }
    this.#below.flush()
  }

  finish(): FixedPartial {
    return { counts: Float64Array.of(this.#count) }
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}
