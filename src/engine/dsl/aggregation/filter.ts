import { parseQuery } from '../query/parse-query.ts'
import { buildQuery } from '../query-context.ts'
import type { AggregationParser } from './aggregation-parser.ts'

/** `filter`: its object is the query. */
export const filter: AggregationParser = {
  takesChildren: true,
  sortable: 'single',
  parse({ name, node }) {
    const query = parseQuery(node)
    return {
      queries: [query],
      bind: (context, children) => ({
        kind: 'filter',
        name,
        children,
        query: buildQuery(query, context),
      }),
    }
  },
}
