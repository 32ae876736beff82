/** `histogram`: buckets of equal width. */
import { sectionBit } from '../../search/weight/section-use.ts'
import type { AggregationPlan, AggregationType } from '../aggregation-type.ts'
import type { BucketOrder } from '../bucket-order.ts'
import { STEPPED_BYTES } from '../kernel/key-steps.ts'
import type { NumberSource, RangeSource } from '../value-source.ts'
import { numberText } from '../value-text.ts'
import type { Bounds } from './bounds.ts'
import { BucketCollector } from './bucket-collector.ts'
import { SliceKeyed } from './keyed-buckets.ts'
import { RangeCollector, type RangeSteps } from './range-collector.ts'
import { printDouble, ShardHistogram } from './shard-histogram.ts'

/** Buckets of equal width. */
export interface Histogram extends AggregationPlan {
  readonly kind: 'histogram'
  readonly values: NumberSource | RangeSource
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
const BYTES = sectionBit('bytes')

/** Buckets of equal width. */
export const histogram: AggregationType<Histogram, null> = {
  readsScores: () => false,
  className: ({ values }) =>
    values.kind === 'ranges' ? 'RangeHistogramAggregator' : 'NumericHistogramAggregator',
  prepare({ values }, shard) {
    shard.use(values.field, values.kind === 'ranges' ? BYTES : NUMERIC_VALUES)
    if (values.kind === 'numbers') shard.reserve(STEPPED_BYTES)
    return null
  },
  open(plan, _ready, children, slice) {
    const { values, hardBounds } = plan
    if (values.kind === 'ranges')
      return new RangeCollector(values, stepsOf(plan), hardBounds, children, slice)
    return new BucketCollector(
      values,
      {
        name: `number ${plan.interval} ${plan.offset} ${hardBounds?.min} ${hardBounds?.max}`,
        of: value => withinBounds(startOf(value, plan), plan),
        next: key => key + plan.interval,
      },
      children,
      slice,
    )
  },
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

/** Buckets by their number. */
function stepsOf({ interval, offset }: Histogram): RangeSteps {
  return {
    of: value => Math.floor((value - offset) / interval),
    next: step => step + 1,
    key: step => step * interval + offset,
    minCount: (first, last) => last - first + 1,
  }
}

/** The key of a bucket, NaN outside of the hard bounds. */
function withinBounds(key: number, { hardBounds }: Histogram): number {
  if (hardBounds === null) return key
  const { min, max } = hardBounds
  return (min !== null && key < min) || (max !== null && key > max) ? Number.NaN : key
}
