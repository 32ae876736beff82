/** `date_histogram`: buckets of a unit of the calendar, or of equal length. */
import { sectionBit } from '../../search/weight/section-use.ts'
import type { AggregationPlan, AggregationType } from '../aggregation-type.ts'
import type { BucketOrder } from '../bucket-order.ts'
import type { NumberSource } from '../value-source.ts'
import { numberText } from '../value-text.ts'
import { BucketCollector } from './bucket-collector.ts'
import type { Bounds } from './histogram.ts'
import { SliceKeyed } from './keyed-buckets.ts'
import { type RoundingPlan, roundingOf } from './rounding.ts'
import { ShardHistogram } from './shard-histogram.ts'
import { tabled } from './tabled-rounding.ts'

/** Buckets of time. */
export interface DateHistogram extends AggregationPlan {
  readonly kind: 'dateHistogram'
  readonly values: NumberSource
  readonly rounding: RoundingPlan
  readonly minDocCount: number
  readonly order: readonly BucketOrder[]
  readonly keyed: boolean
  /** Milliseconds since 1970. */
  readonly extendedBounds: Bounds | null
  readonly hardBounds: Bounds | null
}

const NUMERIC_VALUES = sectionBit('numericValues')

/** Buckets of time. */
export const dateHistogram: AggregationType<DateHistogram, null> = {
  readsScores: () => false,
  className: () => 'DateHistogramAggregator',
  prepare({ values }, shard) {
    shard.use(values.field, NUMERIC_VALUES)
    return null
  },
  open({ values, rounding, hardBounds }, _ready, children, slice) {
    const starts = tabled(roundingOf(rounding))
    const min = hardBounds?.min ?? null
    const max = hardBounds?.max ?? null
    const keyOf = (millis: number): number => {
      const start = starts.round(millis)
      return (min !== null && start < min) || (max !== null && start >= max) ? Number.NaN : start
    }
    return new BucketCollector(values, keyOf, children, slice)
  },
  sliceReducer: () => new SliceKeyed(),
  shardReducer([plan], children, shards) {
    const { rounding, extendedBounds, minDocCount, order, keyed, values } = plan!
    const starts = roundingOf(rounding)
    const { offset } = rounding
    const boundOf = (millis: number | null | undefined): number | null =>
      millis == null ? null : roundingOf({ ...rounding, offset: 0 }).round(millis) + offset
    const form = {
      typedName: 'date_histogram',
      className: 'InternalDateHistogram',
      minDocCount,
      order,
      keyed,
      bounds: { first: boundOf(extendedBounds?.min), last: boundOf(extendedBounds?.max) },
      next: (key: number) => {
        const following = starts.next(key)
        // A change of the zone's offset must not bring a bucket twice.
        return following > key ? following : starts.round(key + 2 * (key - following) + 3_600_000)
      },
      text: numberText(values.format),
      printKey: (key: number) => key,
    }
    return new ShardHistogram(form, children, shards)
  },
}
