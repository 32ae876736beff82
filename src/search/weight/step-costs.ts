/**
 * Costs of clauses in steps; a step is the time to iterate over one posting of a disjunction. The
 * figures come from `npm run bench -- --only cost`, which compares them with its measurements.
 */
import type { Segment } from '../../segment/segment.ts'
import type { LeafStates } from './weight.ts'
import type { WeightNode } from './weight-node.ts'
import type { WeightOps } from './weight-type.ts'

/** Advancing another clause to a document of the leading one. */
export const STEPS_TO_ASK = 2
/** The same for an optional clause, with scores added up. */
export const STEPS_TO_ASK_OPTIONAL = 3
/** Reading one term's positions in a document and comparing them with the others'. */
export const STEPS_OF_POSITIONS = 6
/** Adding a posting of a multi-term query to a bit set, its dictionary walk included. */
export const STEPS_IN_SET = 1.5
/** Copying a document's bit. */
export const STEPS_OF_BIT = 0.005
/** Comparing a point. */
export const STEPS_OF_POINT = 0.1
/** Added to a disjunction's postings for each document of the leaf: it runs in windows. */
export const STEPS_OF_WINDOWS = 0.1
/** Passing a document of a match-all. */
export const STEPS_OF_ALL = 0.05

/** Running a script on a document. */
export const STEPS_OF_SCRIPT = 1000

/** A term's document frequency in the leaf. */
export function docFreqOf(states: LeafStates, termId: number): number {
  return states.terms[termId]?.docFreq ?? 0
}

/** The sum of terms' document frequencies in the leaf. */
export function postingsOf(states: LeafStates, termIds: readonly number[]): number {
  let sum = 0
  for (const termId of termIds) sum += docFreqOf(states, termId)
  return sum
}

/** Documents of a segment that have a field. */
export function docCountOf(segment: Segment, field: string): number {
  return segment.fields.get(field)?.docCount ?? 0
}

/** Steps of a node's bit set, whether or not it is made as a whole. */
export function setStepsOf(
  node: WeightNode,
  states: LeafStates,
  segment: Segment,
  of: WeightOps,
): number {
  return of.setSteps(node, states, segment) || of.steps(node, states, segment)
}
