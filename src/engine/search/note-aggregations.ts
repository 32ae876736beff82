/** Counts the aggregations of searches, for `_nodes/usage`. */
import type { Aggregation } from '../../aggregation/aggregation.ts'
import type { CountedSource, RangeSource } from '../../aggregation/value-source.ts'
import type { ParsedAggregations } from '../dsl/aggregation/aggregation-parser.ts'
import type { AggregationUse } from '../node/aggregation-use.ts'

/**
 * Counts the aggregations of a request, those below others too, as they were made for one index.
 * @param made for the parsed ones, in their order
 */
export function noteAggregations(
  use: AggregationUse,
  { nodes }: ParsedAggregations,
  made: readonly Aggregation[],
): void {
  for (const [i, { type, below }] of nodes.entries()) {
    const plan = made[i]
    // An index without the field has nothing to count, and none below that was made.
    if (plan === undefined || plan.kind === 'unmapped') continue
    use.note(type, categoryOf(plan))
    noteAggregations(use, below, plan.children as readonly Aggregation[])
  }
}

/** The category of the values that an aggregation reads; `other`: it reads none of one field. */
function categoryOf(plan: Aggregation): string {
  if ('places' in plan) return plan.places.kind === 'shapes' ? 'geo_shape' : 'geopoint'
  if (!('values' in plan) || plan.values === null) return 'other'
  return categoryOfValues(plan.values)
}

type NotedSource = CountedSource | RangeSource

const CATEGORIES: { readonly [K in NotedSource['kind']]: string } = {
  numbers: 'numeric',
  terms: 'bytes',
  texts: 'bytes',
  constant: 'bytes',
  bytes: 'bytes',
  ranges: 'range',
  shapes: 'geo_shape',
}

function categoryOfValues(values: NotedSource): string {
  if (values.kind === 'numbers' && values.isPlace === true) return 'geopoint'
  if (values.kind === 'bytes' && values.isJoined) return 'range'
  const format = 'format' in values ? values.format.kind : 'raw'
  const isOwn = values.kind !== 'ranges' && ['date', 'boolean', 'ip'].includes(format)
  return isOwn ? format : CATEGORIES[values.kind]
}
