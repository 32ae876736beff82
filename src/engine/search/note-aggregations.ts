/** Counts the aggregations of searches, for `_nodes/usage`. */
import type { Aggregation } from '../../aggregation/aggregation.ts'
import type { ValueSource } from '../../aggregation/value-source.ts'
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
  if ('places' in plan) return 'geopoint'
  if (!('values' in plan) || plan.values === null) return 'other'
  return categoryOfValues(plan.values as ValueSource)
}

function categoryOfValues({ kind, format }: ValueSource): string {
  if (format.kind === 'date' || format.kind === 'boolean' || format.kind === 'ip')
    return format.kind
  return kind === 'numbers' ? 'numeric' : 'bytes'
}
