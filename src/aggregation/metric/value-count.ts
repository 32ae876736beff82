/** `value_count`: the number of values of a field. */

import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type {
  AggregationPlan,
  AggregationType,
  Aggregator,
  ShardReducer,
} from '../aggregation-type.ts'
import { NO_NOTES } from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { Doubles, ownerLimit } from '../columns.ts'
import { FixedCounts, type FixedPartial, SliceFixed } from '../fixed-buckets.ts'
import type { MetricResult } from '../result.ts'
import type { CountedSource } from '../value-source.ts'
import { useValues, type ValuesColumn, valuesColumn } from '../values-column.ts'

/** The number of values of a field. */
export interface ValueCount extends AggregationPlan {
  readonly kind: 'valueCount'
  readonly values: CountedSource
}

/** Counts values. */
export const valueCount: AggregationType<ValueCount, null> = {
  readsScores: () => false,
  className: () => 'ValueCountAggregator',
  prepare({ values }, shard) {
    useValues(values, shard)
    return null
  },
  open: ({ values }) => new CountAggregator(values),
  sliceReducer: () => new SliceFixed(1),
  shardReducer: () => new ShardCount(),
}

class CountAggregator implements Aggregator {
  /** Null: each document has one value. */
  readonly #column: ValuesColumn | null
  readonly #counts = new Doubles()

  constructor(values: CountedSource) {
    this.#column = valuesColumn(values)
  }

  openLeaf(leaf: Leaf): void {
    this.#column?.openLeaf(leaf)
  }

  collect(batch: BucketBatch): void {
    const { owners } = batch
    const counts = this.#counts.ensure(ownerLimit(owners, batch.count))
    const column = this.#column
    column?.read(batch)
    const count = column?.count ?? batch.count
    for (let i = 0; i < count; i++) {
      const owner = owners === null ? 0 : owners[column === null ? i : column.index[i]!]!
      counts[owner] = counts[owner]! + 1
    }
  }

  finish(): FixedPartial {
    return { counts: this.#counts.values }
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}

class ShardCount implements ShardReducer {
  readonly #counts = new FixedCounts(1)

  add(own: unknown, owners: Int32Array): Int32Array {
    return this.#counts.add(own as FixedPartial, owners)
  }

  value(owner: number, metric: string | null): number {
    return metric === null || metric === 'value' ? this.#counts.count(owner, 0) : Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  result(owner: number): MetricResult {
    const value = this.#counts.count(owner, 0)
    return {
      kind: 'metric',
      typedName: 'value_count',
      value: metric => (metric === null || metric === 'value' ? value : undefined),
      print: () => ({ value }),
    }
  }
}
