import type { Bounds } from '../../../aggregation/histogram/bounds.ts'
import type { NumberSource, RangeSource } from '../../../aggregation/value-source.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { doubleText } from '../../../util/json/float-text.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readNumber } from '../json-scalars.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { bindNumbers, overValues } from './bind-values.ts'
import type { ParsedBounds } from './bounds.ts'
import { histogramReaders, newHistogramKeys } from './histogram-keys.ts'
import { readFields } from './object-fields.ts'
import { bucketOrders } from './orders.ts'
import { bindRanges } from './range-values.ts'
import { plainNumber } from './request-number.ts'
import { noNumbers } from './typed-source.ts'
import { checkFieldGiven, newValueKeys, valueReaders } from './value-keys.ts'

/** `histogram`. */
export const histogram: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    const keys = newValueKeys()
    let interval = 0
    let offset = 0
    const shared = newHistogramKeys()
    readFields(node, 'histogram', valueReaders(keys), {
      interval: value => {
        interval = readFinite(value, 'interval', name)
      },
      offset: value => {
        offset = readFinite(value, 'offset', name)
      },
      ...histogramReaders(shared, name),
    })
    if (!(interval > 0))
      throw new IllegalArgumentError(`[interval] must be >0 for histogram aggregation [${name}]`)
    checkFieldGiven(keys)
    const { minDocCount, order, keyed } = shared
    const extended = numbersOf(shared.extendedBounds)
    const hard = numbersOf(shared.hardBounds)
    checkBounds(extended, hard)
    return {
      order,
      minDocCount,
      bind(context, children) {
        const taken = { aggregation: 'histogram', byDefault: 'number' } as const
        const source = bindRanges(keys, true, context) ?? bindNumbers(keys, taken, context)
        return overValues<NumberSource | RangeSource>(
          source,
          noNumbers(keys, 'number'),
          values => ({
            kind: 'histogram',
            name,
            children,
            values,
            interval,
            offset,
            minDocCount,
            order: bucketOrders(order),
            keyed,
            extendedBounds: extended,
            hardBounds: hard,
          }),
        )
      },
    }
  },
}

/** @throws {IllegalArgumentError} the number is too large for a double */
function readFinite(node: JsonNode, key: string, name: string): number {
  const value = readNumber(node)
  if (Number.isFinite(value)) return value
  throw new IllegalArgumentError(
    `[${key}] must be a finite number for histogram aggregation [${name}]`,
  )
}

function numbersOf(given: ParsedBounds | null): Bounds | null {
  if (given === null) return null
  const { min, max } = given
  return {
    min: min === null ? null : plainNumber(min),
    max: max === null ? null : plainNumber(max),
  }
}

/** @throws {IllegalArgumentError} extended bounds reach out of the hard ones */
function checkBounds(extended: Bounds | null, hard: Bounds | null): void {
  if (extended === null || hard === null) return
  const low = hard.min ?? Number.NEGATIVE_INFINITY
  const high = hard.max ?? Number.POSITIVE_INFINITY
  const isInside = (extended.min ?? low) >= low && (extended.max ?? high) <= high
  if (isInside) return
  throw new IllegalArgumentError(
    'Extended bounds have to be inside hard bounds, hard bounds: ' +
      `[${boundsText(hard)}], extended bounds: [${boundsText(extended)}]`,
  )
}

function boundsText({ min, max }: Bounds): string {
  return `${min === null ? '' : doubleText(min)}--${max === null ? '' : doubleText(max)}`
}
