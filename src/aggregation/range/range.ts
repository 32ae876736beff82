/** `range` and `date_range`: a bucket for each of several ranges of numbers. */

import type { GatherNotes } from '../../search/collector/gather.ts'
import { sectionBit } from '../../search/weight/section-use.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { AggregationPlan, AggregationType, Aggregator } from '../aggregation-type.ts'
import { NO_NOTES } from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { type FixedPartial, SliceFixed } from '../fixed-buckets.ts'
import { NumberColumn } from '../number-column.ts'
import type { NumberSource } from '../value-source.ts'
import { type NumberRange, RangeCounts } from './range-counts.ts'
import { ShardRange } from './shard-range.ts'

/** A bucket for each of several ranges. */
export interface Range extends AggregationPlan {
  readonly kind: 'range'
  readonly type: 'range' | 'date_range'
  readonly values: NumberSource
  /** By `from`, then `to`. */
  readonly ranges: readonly NumberRange[]
  readonly keyed: boolean
}

const NUMERIC_VALUES = sectionBit('numericValues')

/** Buckets of ranges of numbers. */
export const range: AggregationType<Range, null> = {
  readsScores: () => false,
  className: () => 'RangeAggregator',
  prepare({ values }, shard) {
    shard.use(values.field, NUMERIC_VALUES)
    return null
  },
  open: ({ values, ranges }, _ready, children) => new RangeAggregator(values, ranges, children),
  sliceReducer: ({ ranges }) => new SliceFixed(ranges.length),
  shardReducer([plan], children, shards) {
    const { type, ranges, keyed, values } = plan!
    const className = type === 'range' ? 'InternalRange' : 'InternalDateRange'
    const form = { typedName: type, className, ranges, keyed, format: values.format }
    return new ShardRange(form, children, shards)
  },
}

class RangeAggregator implements Aggregator {
  readonly #column: NumberColumn
  readonly #ranges: RangeCounts

  constructor(
    values: NumberSource,
    ranges: readonly NumberRange[],
    children: readonly Aggregator[],
  ) {
    this.#column = new NumberColumn(values)
    this.#ranges = new RangeCounts(ranges, children)
  }

  openLeaf(leaf: Leaf): void {
    this.#column.openLeaf(leaf)
  }

  collect(batch: BucketBatch): void {
    const column = this.#column
    if (column.isEmpty) return
    column.read(batch)
    this.#ranges.add(batch, column.doubles(), column.index, column.count)
  }

  finish(): FixedPartial {
    return this.#ranges.partial()
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}
