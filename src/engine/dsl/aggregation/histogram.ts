import type { Bounds } from '../../../aggregation/histogram/bounds.ts'
import type { NumberSource, RangeSource } from '../../../aggregation/value-source.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { doubleText } from '../../../util/json/float-text.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readBoolean, readNumber } from '../json-scalars.ts'
import type { AggregationParser, ParsedOrders } from './aggregation-parser.ts'
import { type ParsedBounds, readBounds } from './bounds.ts'
import { readMinDocCount } from './counts.ts'
import { readFields } from './object-fields.ts'
import { BY_KEY, bucketOrders, readOrders } from './orders.ts'
import { bindRanges } from './range-values.ts'
import {
  bindNumbers,
  checkFieldGiven,
  newValueKeys,
  noNumbers,
  overValues,
  plainNumber,
  valueReaders,
} from './value-keys.ts'

/** `histogram`. */
export const histogram: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    const keys = newValueKeys()
    let interval = 0
    let offset = 0
    let minDocCount = 0
    let order: ParsedOrders = BY_KEY
    let keyed = false
    let extended: Bounds | null = null
    let hard: Bounds | null = null
    readFields(node, 'histogram', {
      ...valueReaders(keys),
      interval: value => {
        interval = readFinite(value, 'interval', name)
      },
      offset: value => {
        offset = readFinite(value, 'offset', name)
      },
      min_doc_count: value => {
        minDocCount = readMinDocCount(value, 'minDocCount', name)
      },
      order: value => {
        order = readOrders(value)
      },
      keyed: value => {
        keyed = readBoolean(value)
      },
      extended_bounds: value => {
        extended = numbersOf(readBounds(value))
      },
      hard_bounds: value => {
        hard = numbersOf(readBounds(value))
      },
    })
    if (!(interval > 0))
      throw new IllegalArgumentError(`[interval] must be >0 for histogram aggregation [${name}]`)
    checkFieldGiven(keys)
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

function numbersOf({ min, max }: ParsedBounds): Bounds {
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
