import type { RoundingPlan } from '../../../aggregation/histogram/rounding.ts'
import type { NumberSource, RangeSource } from '../../../aggregation/value-source.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { QueryContext } from '../query-context.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { bindNumbers, overValues } from './bind-values.ts'
import type { ParsedBounds } from './bounds.ts'
import { Intervals, readOffset } from './date-intervals.ts'
import { histogramReaders, newHistogramKeys } from './histogram-keys.ts'
import { readFields } from './object-fields.ts'
import { bucketOrders } from './orders.ts'
import { bindRanges } from './range-values.ts'
import { numberOf } from './request-number.ts'
import { noNumbers } from './typed-source.ts'
import { checkFieldGiven, newValueKeys, valueReaders } from './value-keys.ts'

/** `date_histogram`. */
export const dateHistogram: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    const keys = newValueKeys()
    const intervals = new Intervals()
    let offset = 0
    const shared = newHistogramKeys()
    readFields(node, 'date_histogram', valueReaders(keys, { zone: true }), {
      calendar_interval: value => intervals.calendar(value),
      fixed_interval: value => intervals.fixed(value),
      interval: value => intervals.either(value),
      offset: value => {
        offset = readOffset(value)
      },
      ...histogramReaders(shared, name),
    })
    checkFieldGiven(keys)
    const { minDocCount, order, keyed, extendedBounds, hardBounds } = shared
    const rounding: RoundingPlan = { interval: intervals.chosen(), zone: keys.timeZone, offset }
    return {
      order,
      minDocCount,
      warnings: intervals.warnings,
      bind(context, children) {
        const taken = { aggregation: 'date_histogram', byDefault: 'date' } as const
        const source = bindRanges(keys, false, context) ?? bindNumbers(keys, taken, context)
        return overValues<NumberSource | RangeSource>(source, noNumbers(keys, 'date'), values => ({
          kind: 'dateHistogram',
          name,
          children,
          values,
          rounding,
          minDocCount,
          order: bucketOrders(order),
          keyed,
          extendedBounds: boundsOf(extendedBounds, 'extended_bounds', values, context),
          hardBounds: boundsOf(hardBounds, 'hard_bounds', values, context),
        }))
      },
    }
  },
}

function boundsOf(
  given: ParsedBounds | null,
  key: string,
  values: NumberSource | RangeSource,
  context: QueryContext,
): { readonly min: number | null; readonly max: number | null } | null {
  if (given === null) return null
  const read = (text: string | null): number | null =>
    text === null ? null : /^-?\d{5,}$/.test(text) ? Number(text) : numberOf(values, text, context)
  const min = read(given.min)
  const max = read(given.max)
  if (min !== null && max !== null && min > max)
    throw new IllegalArgumentError(
      `[${key}.min][${given.min}] cannot be greater than [${key}.max][${given.max}] for histogram ` +
        'aggregation',
    )
  return { min, max }
}
