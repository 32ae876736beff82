/**
 * About how many steps a search takes, by the statistics that its weight holds: a step is what passing one
 * posting of alternatives takes, whoever passes it. `search-cost.ts` says how long steps are. The figures
 * here and there were read off `npm run bench -- --only cost`, which holds them against what it measures.
 */
import type { LeafStates, Weight, WeightNode } from '../search/weight/weight.ts'
import type { Segment } from '../segment/segment.ts'
import type { Snapshot } from '../segment/snapshot.ts'

/** Asking another clause about a document that the leading one has. */
const STEPS_TO_ASK = 2
/** The same where the other one may be missing and scores are added up for it. */
const STEPS_TO_ASK_OPTIONAL = 3
/** Reading one term's positions in a document, and holding them against the others'. */
const STEPS_OF_POSITIONS = 6
/** Adding a posting of one of many terms to a set of documents; their dictionary is walked for it. */
const STEPS_IN_SET = 1.5
/** Comparing a point. */
const STEPS_OF_POINT = 0.1
/** Passing a posting of a term that stands alone, where only the best are wanted. */
export const STEPS_OF_ONE_TERM = 0.2
/** What alternatives take besides, by document of the leaf: they are gone through in windows. */
const STEPS_OF_WINDOWS = 0.1
/** Passing a document where all match. */
const STEPS_OF_ALL = 0.05

/**
 * Of a whole search.
 * @param prunes whether what cannot compete may be passed over
 */
export function stepsOf({ root, leaves }: Weight, snapshot: Snapshot, prunes: boolean): number {
  let steps = 0
  for (const { segment, ord } of snapshot.leaves)
    steps += stepsOfNode(root, leaves[ord] ?? NO_STATES, segment)
  // One term's blocks are passed over by their bounds alone.
  return prunes && root.kind === 'term' ? STEPS_OF_ONE_TERM * steps : steps
}

/** Whether any clause makes a match, so that what cannot compete may be passed over. */
export function isOfAlternatives(node: WeightNode): boolean {
  if (node.kind === 'constant') return isOfAlternatives(node.child)
  if (node.kind !== 'boolean') return node.kind !== 'phrase'
  return node.clauses.every(({ occur }) => occur === 'should' || occur === 'must_not')
}

/** Of a set of documents that is made as a whole in one leaf; 0: it is read as it is needed. */
export function stepsOfSet(node: WeightNode, states: LeafStates, segment: Segment): number {
  switch (node.kind) {
    case 'constant':
      return stepsOfSet(node.child, states, segment)
    case 'multiTerm': {
      const postings = states.expansions[node.expansionId]?.postings
      return STEPS_IN_SET * (postings ?? docCountOf(segment, node.field))
    }
    case 'point':
      return STEPS_OF_POINT * segment.maxDoc
    default:
      return 0
  }
}

const NO_STATES: LeafStates = { terms: [], expansions: [] }

function stepsOfNode(node: WeightNode, states: LeafStates, segment: Segment): number {
  switch (node.kind) {
    case 'term':
      return docFreqOf(states, node.termId)
    case 'all':
      return STEPS_OF_ALL * segment.maxDoc
    case 'none':
      return 0
    case 'constant':
      return stepsOfNode(node.child, states, segment)
    case 'boolean':
      return stepsOfBoolean(node, states, segment)
    case 'disMax': {
      let steps = STEPS_OF_WINDOWS * segment.maxDoc
      for (const child of node.children) steps += stepsOfNode(child, states, segment)
      return steps
    }
    case 'boosting':
      return (
        stepsOfNode(node.positive, states, segment) + stepsOfNode(node.negative, states, segment)
      )
    case 'phrase': {
      let lead = Number.POSITIVE_INFINITY
      for (const termId of node.termIds) lead = Math.min(lead, docFreqOf(states, termId))
      return lead * (STEPS_TO_ASK + STEPS_OF_POSITIONS) * node.termIds.length
    }
    case 'synonym':
    case 'span':
      return STEPS_OF_POSITIONS * sumOf(node.termIds, states)
    case 'multiPhrase': {
      let steps = 0
      for (const termIds of node.termIds) steps += STEPS_OF_POSITIONS * sumOf(termIds, states)
      return steps
    }
    case 'exists':
      return docCountOf(segment, node.field)
    case 'ids':
      return node.ids.length
    case 'multiTerm':
    case 'point':
      return stepsOfSet(node, states, segment)
  }
}

/** Where clauses must match, the one with the fewest documents leads and the others are asked. */
function stepsOfBoolean(
  node: Extract<WeightNode, { kind: 'boolean' }>,
  states: LeafStates,
  segment: Segment,
): number {
  let lead = Number.POSITIVE_INFINITY
  // Of each document that the leading clause has; it needs not be asked itself.
  let asking = 1 - STEPS_TO_ASK
  let alternatives = 0
  let sets = 0
  for (const { occur, node: child } of node.clauses) {
    const set = stepsOfSet(child, states, segment)
    const steps = set > 0 ? 0 : stepsOfNode(child, states, segment)
    sets += set
    if (set > 0) continue
    const mustMatch = occur === 'must' || occur === 'filter'
    asking += mustMatch || occur === 'must_not' ? STEPS_TO_ASK : STEPS_TO_ASK_OPTIONAL
    if (mustMatch) lead = Math.min(lead, steps)
    else alternatives += steps
  }
  if (lead === Number.POSITIVE_INFINITY)
    return sets + alternatives + STEPS_OF_WINDOWS * segment.maxDoc
  return sets + lead * asking
}

function sumOf(termIds: readonly number[], states: LeafStates): number {
  let sum = 0
  for (const termId of termIds) sum += docFreqOf(states, termId)
  return sum
}

function docFreqOf(states: LeafStates, termId: number): number {
  return states.terms[termId]?.docFreq ?? 0
}

function docCountOf(segment: Segment, field: string): number {
  return segment.fields.get(field)?.docCount ?? 0
}
