import { hasMoment, type MomentMetric } from '../../../aggregation/metric/moments.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { doubleText } from '../../../util/json/float-text.ts'
import { readNumber } from '../json-scalars.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { bindNumbers, overValues } from './bind-values.ts'
import { readFields } from './object-fields.ts'
import { noNumbers } from './typed-source.ts'
import { checkFieldGiven, newValueKeys, valueReaders } from './value-keys.ts'

const DEFAULT_SIGMA = 2

/** avg, sum, min, max, stats and extended_stats. */
export function numberMetric(metric: MomentMetric): AggregationParser {
  return {
    takesChildren: false,
    sortable: metric.endsWith('stats') ? 'stats' : 'metric',
    parse({ name, node }) {
      const keys = newValueKeys()
      let sigma = DEFAULT_SIGMA
      const readers = valueReaders(keys)
      readFields(
        node,
        metric,
        metric === 'extended_stats'
          ? {
              ...readers,
              sigma: value => {
                sigma = readNumber(value)
                if (sigma < 0)
                  throw new IllegalArgumentError(
                    `[sigma] must be greater than or equal to 0. Found [${doubleText(sigma)}] in [${name}]`,
                  )
              },
            }
          : readers,
      )
      checkFieldGiven(keys)
      return {
        hasMetric: asked => hasMoment(metric, asked),
        bind(context) {
          const taken = { aggregation: metric, byDefault: 'number' } as const
          const source = bindNumbers(keys, taken, context)
          return overValues(source, noNumbers(keys, 'number'), values => ({
            kind: 'numberMetric',
            name,
            children: [],
            metric,
            values,
            sigma,
          }))
        },
      }
    },
  }
}
