import type { Leaf } from '../../segment/leaf.ts'
import { columnOf, pointsOf, pointsWithin } from '../weight/point-estimates.ts'
import type { LeafStates } from '../weight/weight.ts'
import type { WeightNode } from '../weight/weight-node.ts'
import { WEIGHT_OPS } from '../weight/weight-ops.ts'

/** Postings that are noted in the time of a point. */
const POSTINGS_OF_POINT = 2

/**
 * Estimated cost, in postings that are read, to note a node's documents in a leaf as bits; Infinity where it is not
 * known, 0 where to look single documents up would read as many.
 */
export function setCost(node: WeightNode, states: LeafStates, leaf: Leaf): number {
  const plan = WEIGHT_OPS.documentSet(node, states, leaf)
  switch (plan.kind) {
    case 'all':
    case 'presence':
      return 0
    case 'terms':
      return plan.states.reduce((sum, { docFreq }) => sum + docFreq, 0)
    case 'union':
      return plan.nodes.reduce((sum, each) => sum + setCost(each, states, leaf), 0)
    case 'points': {
      const points = pointsOf(leaf, plan.node)
      const hasValues = plan.node.docValues && columnOf(leaf, plan.node.field) !== null
      return points === null || !hasValues ? 0 : POSTINGS_OF_POINT * pointsWithin(points, plan.node)
    }
    case 'ranges':
    case 'boxes':
      return 0
    case 'iterators':
      return Number.POSITIVE_INFINITY
  }
}
