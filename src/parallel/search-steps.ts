/**
 * Estimated steps of a search, from the statistics of its weight: `step-costs.ts` defines a step,
 * each kind of node counts its own, and `search-cost.ts` has the time of one.
 */
import type { LeafStates, Weight } from '../search/weight/weight.ts'
import { WEIGHT_OPS } from '../search/weight/weight-ops.ts'
import type { Snapshot } from '../segment/snapshot.ts'

/** Steps per posting of a search for one term, when only the best hits are wanted. */
export const STEPS_OF_ONE_TERM = 0.2

const NO_STATES: LeafStates = { terms: [], expansions: [] }

/**
 * Estimated steps of a whole search.
 * @param prunes whether non-competitive documents may be skipped
 */
export function stepsOf({ root, leaves }: Weight, snapshot: Snapshot, prunes: boolean): number {
  let steps = 0
  for (const { segment, ord } of snapshot.leaves)
    steps += WEIGHT_OPS.steps(root, leaves[ord] ?? NO_STATES, segment)
  // For a single term, block bounds alone decide what is skipped.
  return prunes && root.kind === 'term' ? STEPS_OF_ONE_TERM * steps : steps
}
