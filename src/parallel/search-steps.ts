/**
 * About how many steps a search takes, by the statistics that its weight holds; `step-costs.ts` says what
 * a step is, each kind of node how many it takes, and `search-cost.ts` how long one lasts.
 */
import type { LeafStates, Weight } from '../search/weight/weight.ts'
import { WEIGHT_OPS } from '../search/weight/weight-ops.ts'
import type { Snapshot } from '../segment/snapshot.ts'

/** Steps for each posting of a term that stands alone, where only the best hits are wanted. */
export const STEPS_OF_ONE_TERM = 0.2

const NO_STATES: LeafStates = { terms: [], expansions: [] }

/**
 * Of a whole search.
 * @param prunes whether documents that cannot compete may be skipped
 */
export function stepsOf({ root, leaves }: Weight, snapshot: Snapshot, prunes: boolean): number {
  let steps = 0
  for (const { segment, ord } of snapshot.leaves)
    steps += WEIGHT_OPS.steps(root, leaves[ord] ?? NO_STATES, segment)
  // The bounds of one term's blocks alone decide which are skipped.
  return prunes && root.kind === 'term' ? STEPS_OF_ONE_TERM * steps : steps
}
