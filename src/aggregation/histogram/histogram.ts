/** `histogram`: buckets of equal width. */
import { sectionBit } from '../../search/weight/section-use.ts'
import type { AggregationPlan, AggregationType } from '../aggregation-type.ts'
import type { BucketOrder } from '../bucket-order.ts'
import type { NumberSource } from '../value-source.ts'
import { numberText } from '../value-text.ts'
import { BucketCollector } from './bucket-collector.ts'
import { SliceKeyed } from './keyed-buckets.ts'
import { printDouble, ShardHistogram } from './shard-histogram.ts'

/** Ends of an interval; null: open. */
export interface Bounds {
  readonly min: number | null
  readonly max: number | null
}

/** Buckets of equal width. */
export interface Histogram extends AggregationPlan {
  readonly kind: 'histogram'
  readonly values: NumberSource
  /** Above 0. */
  readonly interval: number
  readonly offset: number
  readonly minDocCount: number
  readonly order: readonly BucketOrder[]
  readonly keyed: boolean
  readonly extendedBounds: Bounds | null
  readonly hardBounds: Bounds | null
}

const NUMERIC_VALUES = sectionBit('numericValues')

/** Buckets of equal width. */
export const histogram: AggregationType<Histogram, null> = {
  readsScores: () => false,
  className: () => 'NumericHistogramAggregator',
  prepare({ values }, shard) {
    shard.use(values.field, NUMERIC_VALUES)
    return null
  },
  open: (plan, _ready, children, slice) =>
    new BucketCollector(
      plan.values,
      value => withinBounds(startOf(value, plan), plan),
      children,
      slice,
    ),
  sliceReducer: () => new SliceKeyed(),
  shardReducer([plan], children, shards) {
    const { interval, extendedBounds, minDocCount, order, keyed, values } = plan!
    const { min = null, max = null } = extendedBounds ?? {}
    const form = {
      typedName: 'histogram',
      className: 'InternalHistogram',
      minDocCount,
      order,
      keyed,
      bounds: {
        first: min === null ? null : startOf(min, plan!),
        last: max === null ? null : startOf(max, plan!),
      },
      next: (key: number) => startOf(key + 1.5 * interval, plan!),
      text: numberText(values.format),
      printKey: printDouble,
    }
    return new ShardHistogram(form, children, shards)
  },
}

function startOf(value: number, { interval, offset }: Histogram): number {
  return Math.floor((value - offset) / interval) * interval + offset
}

/** The key of a bucket, NaN outside of the hard bounds. */
function withinBounds(key: number, { hardBounds }: Histogram): number {
  if (hardBounds === null) return key
  const { min, max } = hardBounds
  return (min !== null && key < min) || (max !== null && key > max) ? Number.NaN : key
}
