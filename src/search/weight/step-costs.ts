/**
 * What clauses take in steps: a step is the time that iterating over one posting of a disjunction takes.
 * The figures were read off `npm run bench -- --only cost`, which holds them against what it measures.
 */
import type { Segment } from '../../segment/segment.ts'
import type { LeafStates } from './weight.ts'

/** Asking another clause about a document that the leading one has. */
export const STEPS_TO_ASK = 2
/** The same where the other one may be missing and scores are added up for it. */
export const STEPS_TO_ASK_OPTIONAL = 3
/** Reading one term's positions in a document, and comparing them with the others'. */
export const STEPS_OF_POSITIONS = 6
/** Adding a posting of one of many terms to a bit set; their dictionary is walked for it. */
export const STEPS_IN_SET = 1.5
/** Comparing a point. */
export const STEPS_OF_POINT = 0.1
/** Besides their postings, disjunctions take this for each document of the leaf: they run in windows. */
export const STEPS_OF_WINDOWS = 0.1
/** Passing a document where all match. */
export const STEPS_OF_ALL = 0.05

/** Documents of a term in the leaf. */
export function docFreqOf(states: LeafStates, termId: number): number {
  return states.terms[termId]?.docFreq ?? 0
}

/** Postings of some terms in the leaf. */
export function postingsOf(states: LeafStates, termIds: readonly number[]): number {
  let sum = 0
  for (const termId of termIds) sum += docFreqOf(states, termId)
  return sum
}

/** Documents of a segment that have a field. */
export function docCountOf(segment: Segment, field: string): number {
  return segment.fields.get(field)?.docCount ?? 0
}
