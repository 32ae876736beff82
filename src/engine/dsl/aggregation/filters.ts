import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readBoolean, readText } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import { parseQuery } from '../query/parse-query.ts'
import { buildQuery, type ParsedQuery } from '../query-context.ts'
import type { AggregationParser } from './aggregation-parser.ts'

const DEFAULT_OTHER = '_other_'

interface NamedFilter {
  /** Null: the filters are a list. */
  readonly name: string | null
  readonly query: ParsedQuery
}

/** `filters`. */
export const filters: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    let given: readonly NamedFilter[] | null = null
    let hasOther: boolean | null = null
    let other: string | null = null
    for (const { key, value } of node.entries) {
      if (key === 'filters' && (value.kind === 'object' || value.kind === 'array'))
        given = readFilters(value)
      else if (key === 'other_bucket' && value.kind === 'boolean') hasOther = readBoolean(value)
      else if (key === 'other_bucket_key' && value.kind === 'string') other = readText(value)
      else
        throw parsingError(
          value,
          `Unknown key for a ${tokenName(value.kind)} in [${name}]: [${key}].`,
        )
    }
    if (given === null || given.length === 0)
      throw new IllegalArgumentError('[filters] cannot be empty.')
    const all = given
    const hasNames = all[0]!.name !== null
    const otherName = (hasOther ?? other !== null) ? (other ?? DEFAULT_OTHER) : null
    return {
      queries: all.map(({ query }) => query),
      bind: (context, children) => ({
        kind: 'filters',
        name,
        children,
        queries: all.map(({ query }) => buildQuery(query, context)),
        names: hasNames ? all.map(each => each.name ?? '') : null,
        other: otherName,
      }),
    }
  },
}

/** Named filters are sorted by name. */
function readFilters(node: JsonNode): readonly NamedFilter[] {
  if (node.kind === 'array')
    return node.items.map(item => ({ name: null, query: parseQuery(item) }))
  if (node.kind !== 'object') return []
  return node.entries
    .map(({ key, value }) => ({ name: key, query: parseQuery(value) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
