import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { ParsedSort } from '../field/sort-level.ts'
import { readBoolean, readInteger } from '../json-scalars.ts'
import { filtersOf } from '../nested-sort.ts'
import { parseSort, resolveSort } from '../sort.ts'
import type { AggregationParser } from './aggregation-parser.ts'

const DEFAULT_SIZE = 3
const OWN_KEYS: readonly string[] = ['from', 'size', 'sort', 'track_scores']

/** `top_hits`; what its documents carry is read with the fetch. */
export const topHits: AggregationParser = {
  takesChildren: false,
  sortable: 'no',
  parse({ name, node }) {
    let from = 0
    let size = DEFAULT_SIZE
    let sort: readonly ParsedSort[] = []
    let trackScores = false
    for (const { key, value } of node.entries) {
      if (key === 'from') from = notNegative(key, value, name)
      else if (key === 'size') size = notNegative(key, value, name)
      else if (key === 'sort') sort = parseSort(value)
      else if (key === 'track_scores') trackScores = readBoolean(value)
    }
    return {
      queries: sort.flatMap(({ nested }) => filtersOf(nested)),
      shows: { node, otherKeys: OWN_KEYS, from, size, sort, trackScores },
      bind(context) {
        const resolved = resolveSort(sort, context)
        return {
          kind: 'topHits',
          name,
          children: [],
          from,
          size,
          sort: resolved?.map(({ key }) => key) ?? null,
          withScores: resolved === null || trackScores,
        }
      },
    }
  },
}

function notNegative(key: string, node: JsonNode, name: string): number {
  const value = readInteger(node)
  if (value >= 0) return value
  throw new IllegalArgumentError(
    `[${key}] must be greater than or equal to 0. Found [${value}] in [${name}]`,
  )
}
