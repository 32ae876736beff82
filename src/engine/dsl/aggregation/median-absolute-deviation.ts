import { IllegalArgumentError } from '../../../util/errors.ts'
import { doubleText } from '../../../util/json/float-text.ts'
import { readNumber } from '../json-scalars.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { bindNumbers, overValues } from './bind-values.ts'
import { readFields } from './object-fields.ts'
import { noNumbers } from './typed-source.ts'
import { checkFieldGiven, newValueKeys, valueReaders } from './value-keys.ts'

const TYPE = 'median_absolute_deviation'
const DEFAULT_COMPRESSION = 1000

/** `median_absolute_deviation`. */
export const medianAbsoluteDeviation: AggregationParser = {
  takesChildren: false,
  sortable: 'metric',
  parse({ name, node }) {
    const keys = newValueKeys()
    let compression = DEFAULT_COMPRESSION
    readFields(node, TYPE, valueReaders(keys), {
      compression: value => {
        compression = readNumber(value)
        if (compression <= 0)
          throw new IllegalArgumentError(
            `[compression] must be greater than 0. Found [${doubleText(compression)}] in [${name}]`,
          )
      },
    })
    checkFieldGiven(keys)
    return {
      bind(context) {
        const source = bindNumbers(keys, { aggregation: TYPE, byDefault: 'number' }, context)
        return overValues(source, noNumbers(keys, 'number'), values => ({
          kind: 'medianAbsoluteDeviation',
          name,
          children: [],
          values,
          compression,
        }))
      },
    }
  },
}
