import { LADDER_UNITS } from '../../../aggregation/histogram/unit-ladder.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { readInteger, readText } from '../json-scalars.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { bindNumbers, overValues } from './bind-values.ts'
import { readFields } from './object-fields.ts'
import { noNumbers } from './typed-source.ts'
import { checkFieldGiven, newValueKeys, valueReaders } from './value-keys.ts'

/** `auto_date_histogram`. */
export const autoDateHistogram: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    const keys = newValueKeys()
    let target = 10
    let finest = 0
    readFields(node, 'auto_date_histogram', valueReaders(keys, { zone: true }), {
      buckets: value => {
        target = readInteger(value)
        if (target <= 0)
          throw new IllegalArgumentError(`buckets must be greater than 0 for [${name}]`)
      },
      minimum_interval: value => {
        finest = LADDER_UNITS.indexOf(readText(value))
        if (finest < 0)
          throw new IllegalArgumentError(
            `minimum_interval must be one of [${[...LADDER_UNITS].reverse().join(', ')}]`,
          )
      },
    })
    checkFieldGiven(keys)
    return {
      minDocCount: 0,
      bind(context, children) {
        const taken = { aggregation: 'auto_date_histogram', byDefault: 'date' } as const
        const source = bindNumbers(keys, taken, context)
        return overValues(source, noNumbers(keys, 'date'), values => ({
          kind: 'autoDateHistogram',
          name,
          children,
          values,
          target,
          finest,
          zone: keys.timeZone,
        }))
      },
    }
  },
}
