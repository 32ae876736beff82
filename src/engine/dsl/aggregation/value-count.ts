import type { CountedSource } from '../../../aggregation/value-source.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { overValues } from './bind-values.ts'
import { bindCounted } from './counted-values.ts'
import { readFields } from './object-fields.ts'
import { sourceOfType } from './typed-source.ts'
import { checkFieldGiven, newValueKeys, valueReaders } from './value-keys.ts'

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
        const source = bindCounted(keys, taken, context)
        return overValues<CountedSource>(source, sourceOfType('', 'string'), values => ({
          kind: 'valueCount',
          name,
          children: [],
          values,
        }))
      },
    }
  },
}
