import type { AnyValueSource } from '../../../aggregation/value-source.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { readFields } from './object-fields.ts'
import {
  bindAnyValues,
  checkFieldGiven,
  newValueKeys,
  overValues,
  sourceOfType,
  valueReaders,
} from './value-keys.ts'

/** `value_count`. */
export const valueCount: AggregationParser = {
  takesChildren: false,
  sortable: 'metric',
  parse({ name, node }) {
    const keys = newValueKeys()
    readFields(node, 'value_count', valueReaders(keys))
    checkFieldGiven(keys)
    return {
      bind(context) {
        const taken = { aggregation: 'value_count', byDefault: 'string', takesTerms: true } as const
        const source = bindAnyValues(keys, taken, context)
        return overValues<AnyValueSource>(source, sourceOfType('', 'string'), values => ({
          kind: 'valueCount',
          name,
          children: [],
          values,
        }))
      },
    }
  },
}
