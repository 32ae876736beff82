import type { AggregationParser } from './aggregation-parser.ts'
import { readFields } from './object-fields.ts'

/** `global`. */
export const global: AggregationParser = {
  takesChildren: true,
  sortable: 'single',
  parse({ name, node }) {
    readFields(node, 'global', {})
    return { seesAll: true, bind: (_context, children) => ({ kind: 'global', name, children }) }
  },
}
