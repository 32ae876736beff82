/** `missing`: the documents without a value. */

import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { AggregationPlan, AggregationType, Aggregator } from '../aggregation-type.ts'
import { NO_NOTES } from '../aggregation-type.ts'
import { type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { Doubles, ownerLimit } from '../columns.ts'
import { type FixedPartial, SliceFixed } from '../fixed-buckets.ts'
import { ShardSingle } from '../single-bucket.ts'
import type { CountedSource } from '../value-source.ts'
import { useValues, type ValuesColumn, valuesColumn } from '../values-column.ts'

/** The documents without a value of a field. */
export interface Missing extends AggregationPlan {
  readonly kind: 'missing'
  /** Null: the index lacks the field, so that no document has a value. */
  readonly values: CountedSource | null
}

/** One bucket of the documents without a value. */
export const missing: AggregationType<Missing, null> = {
  readsScores: () => false,
  className: () => 'MissingAggregator',
  prepare({ values }, shard) {
    if (values !== null) useValues(values, shard)
    return null
  },
  open: ({ values }, _ready, children) => new MissingAggregator(values, children),
  sliceReducer: () => new SliceFixed(1),
  shardReducer: (_plans, children) => new ShardSingle('missing', children),
}

class MissingAggregator implements Aggregator {
  /** Null: no document has a value; a constant: all have one. */
  readonly #column: ValuesColumn | null
  readonly #isConstant: boolean
  readonly #counts = new Doubles()
  readonly #below: ChildBatch | null

  constructor(values: CountedSource | null, children: readonly Aggregator[]) {
    this.#isConstant = values?.kind === 'constant'
    this.#column = values === null ? null : valuesColumn(values)
    this.#below = children.length === 0 ? null : new ChildBatch(children)
  }

  openLeaf(leaf: Leaf): void {
    this.#column?.openLeaf(leaf)
  }

  collect(batch: BucketBatch): void {
    if (this.#isConstant) return
    const { owners, weights, count } = batch
    const counts = this.#counts.ensure(ownerLimit(owners, count))
    const column = this.#column
    column?.read(batch)
    let next = 0
    this.#below?.begin(batch)
    for (let i = 0; i < count; i++) {
      if (column !== null && next < column.count && column.index[next] === i) {
        while (next < column.count && column.index[next] === i) next++
        continue
      }
      const owner = owners === null ? 0 : owners[i]!
      counts[owner] = counts[owner]! + (weights === null ? 1 : weights[i]!)
      this.#below?.add(i, owner)
    }
    this.#below?.flush()
  }

  finish(): FixedPartial {
    return { counts: this.#counts.values }
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}
