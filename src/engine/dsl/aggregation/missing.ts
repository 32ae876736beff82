import type { AggregationParser } from './aggregation-parser.ts'
import { bindCounted } from './counted-values.ts'
import { readFields } from './object-fields.ts'
import { checkFieldGiven, newValueKeys, valueReaders } from './value-keys.ts'

/** `missing`. */
export const missing: AggregationParser = {
  takesChildren: true,
  sortable: 'single',
  parse({ name, node }) {
    const keys = newValueKeys()
    readFields(node, 'missing', valueReaders(keys))
    checkFieldGiven(keys)
    return {
      bind(context, children) {
        const taken = { aggregation: 'missing', byDefault: 'string', takesTerms: true } as const
        return { kind: 'missing', name, children, values: bindCounted(keys, taken, context) }
      },
    }
  },
}
