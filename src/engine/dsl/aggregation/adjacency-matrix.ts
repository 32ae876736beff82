import { IllegalArgumentError } from '../../../util/errors.ts'
import { readBoolean, readText } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import { parseQuery } from '../query/parse-query.ts'
import { buildQuery, type ParsedQuery } from '../query-context.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { readFields } from './object-fields.ts'

const DEFAULT_SEPARATOR = '&'

/** `adjacency_matrix`. */
export const adjacencyMatrix: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    let separator = DEFAULT_SEPARATOR
    let showsPairsOnly = false
    let queries: readonly { readonly name: string; readonly query: ParsedQuery }[] = []
    readFields(node, 'adjacency_matrix', {
      filters: value => {
        if (value.kind !== 'object')
          throw parsingError(
            value,
            `[filters] expected an object but found [${tokenName(value.kind)}]`,
          )
        queries = value.entries
          .map(entry => ({ name: entry.key, query: parseQuery(entry.value) }))
          .sort((a, b) => (a.name < b.name ? -1 : 1))
      },
      separator: value => {
        separator = readText(value)
      },
      show_only_intersecting: value => {
        showsPairsOnly = readBoolean(value)
      },
    })
    if (queries.length === 0)
      throw new IllegalArgumentError(`[filters] is missing for [adjacency_matrix] [${name}]`)
    return {
      queries: queries.map(({ query }) => query),
      bind(context, children) {
        const max = context.maxAdjacencyMatrixFilters
        if (queries.length > max)
          throw new IllegalArgumentError(
            `Number of filters is too large, must be less than or equal to: [${max}] but was ` +
              `[${queries.length}]. This limit can be set by changing the ` +
              '[index.max_adjacency_matrix_filters] index level setting.',
          )
        return {
          kind: 'adjacencyMatrix',
          name,
          children,
          queries: queries.map(each => ({
            name: each.name,
            query: buildQuery(each.query, context),
          })),
          separator,
          showsPairsOnly,
        }
      },
    }
  },
}
