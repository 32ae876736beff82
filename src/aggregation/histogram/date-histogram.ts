/** `date_histogram`: buckets of a unit of the calendar, or of equal length. */
import { sectionBit } from '../../search/weight/section-use.ts'
import type { AggregationPlan, AggregationType } from '../aggregation-type.ts'
import type { BucketOrder } from '../bucket-order.ts'
import { STEPPED_BYTES, type StepKeys } from '../kernel/key-steps.ts'
import { matchedPoints, stepsOfPoints } from '../kernel/point-counts.ts'
import type { NumberSource, RangeSource } from '../value-source.ts'
import { numberText } from '../value-text.ts'
import type { Bounds } from './bounds.ts'
import { BucketCollector } from './bucket-collector.ts'
import { SliceKeyed } from './keyed-buckets.ts'
import { RangeCollector, type RangeSteps } from './range-collector.ts'
import { maxLength, type Rounding, type RoundingPlan, roundingOf } from './rounding.ts'
import { ShardHistogram } from './shard-histogram.ts'
import { tabled } from './tabled-rounding.ts'

/** Buckets of time. */
export interface DateHistogram extends AggregationPlan {
  readonly kind: 'dateHistogram'
  readonly values: NumberSource | RangeSource
  readonly rounding: RoundingPlan
  readonly minDocCount: number
  readonly order: readonly BucketOrder[]
  readonly keyed: boolean
  /** Milliseconds since 1970. */
  readonly extendedBounds: Bounds | null
  readonly hardBounds: Bounds | null
}

const NUMERIC_VALUES = sectionBit('numericValues')
const BYTES = sectionBit('bytes')

/** Buckets of time. */
export const dateHistogram: AggregationType<DateHistogram, null> = {
  countsBy: ({ values }) => (values.kind === 'numbers' ? values.field : null),
  pointSteps(plan, leaf, scope, maxRuns) {
    const { values, rounding } = plan
    const matched = values.kind === 'numbers' ? matchedPoints(leaf, values, scope) : null
    if (matched === null) return null
    const keys = keysOf(plan, tabled(roundingOf(rounding)))
    return stepsOfPoints(matched, keys, maxRuns)?.keys.length ?? null
  },
  readsScores: () => false,
  className: ({ values }) =>
    values.kind === 'ranges' ? 'DateRangeHistogramAggregator' : 'DateHistogramAggregator',
  prepare({ values }, shard) {
    shard.use(values.field, values.kind === 'ranges' ? BYTES : NUMERIC_VALUES)
    if (values.kind === 'numbers') shard.reserve(STEPPED_BYTES)
    return null
  },
  open(plan, _ready, children, slice) {
    const { values, rounding, hardBounds } = plan
    const starts = tabled(roundingOf(rounding))
    if (values.kind === 'ranges') {
      const bounds = withinCalendar(hardBounds)
      return new RangeCollector(values, stepsOf(rounding, starts), bounds, children, slice)
    }
    return new BucketCollector(values, keysOf(plan, starts), children, slice)
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
      next: (key: number) => nextStart(starts, key),
      text: numberText(values.format),
      printKey: (key: number) => key,
    }
    return new ShardHistogram(form, children, shards)
  },
}

/** The buckets of instants, NaN outside of the hard bounds. */
function keysOf({ rounding, hardBounds }: DateHistogram, starts: Rounding): StepKeys {
  const min = hardBounds?.min ?? null
  const max = hardBounds?.max ?? null
  const longest = maxLength(rounding)
  return {
    name: `date ${JSON.stringify(rounding)} ${min} ${max}`,
    of(millis) {
      const start = starts.round(millis)
      return (min !== null && start < min) || (max !== null && start >= max) ? Number.NaN : start
    },
    next: start => nextStart(starts, start),
    minCount: (first, last) => Math.floor((last - first) / longest),
  }
}

function nextStart(starts: Rounding, start: number): number {
  const following = starts.next(start)
  // A change of the zone's offset must not bring a bucket twice.
  return following > start ? following : starts.round(start + 2 * (start - following) + 3_600_000)
}

/** The years that calendars know whole: open ranges end there. */
const FIRST_MILLIS = Date.UTC(-271_819, 0, 1)
const LAST_MILLIS = Date.UTC(275_759, 11, 31)

function withinCalendar(bounds: Bounds | null): Bounds {
  return {
    min: Math.max(FIRST_MILLIS, bounds?.min ?? FIRST_MILLIS),
    max: Math.min(LAST_MILLIS, bounds?.max ?? LAST_MILLIS),
  }
}

/** Buckets by their start. */
function stepsOf(rounding: RoundingPlan, starts: Rounding): RangeSteps {
  const longest = maxLength(rounding)
  return {
    of: millis => starts.round(millis),
    next: start => nextStart(starts, start),
    key: start => start,
    minCount: (first, last) => Math.floor((last - first) / longest) + 1,
  }
}
