/**
 * Operations on weight nodes of any kind, dispatched by the table. Recursion depth is the query's.
 */
import type { ScorerSupplier } from '../scorer/scorer.ts'
import type { ScorerContext } from './scorer-context.ts'
import type { WeightNode } from './weight-node.ts'
import type { WeightOps } from './weight-type.ts'
import { typeOf, WEIGHT_KINDS } from './weight-types.ts'

/**
 * A supplier of scorers on one leaf for a node; null when the node matches nothing there. Its cost
 * is known before any scorer is opened, so that a parent can order its clauses.
 */
export function scorerSupplier(node: WeightNode, context: ScorerContext): ScorerSupplier | null {
  const type = typeOf(node.kind)
  if (context.wrap === null) return type.supplier(node, context, WEIGHT_OPS)
  return context.wrap(node.id, () => type.supplier(node, context, WEIGHT_OPS))
}

/** The operations of `WeightType`, each on a node of any kind. */
export const WEIGHT_OPS: WeightOps = {
  supplier: scorerSupplier,
  count: (node, weight, leaves) => typeOf(node.kind).count(node, weight, leaves, WEIGHT_OPS),
  steps: (node, states, segment) => typeOf(node.kind).steps(node, states, segment, WEIGHT_OPS),
  setSteps: (node, states, segment) =>
    typeOf(node.kind).setSteps(node, states, segment, WEIGHT_OPS),
  isOfAlternatives: node => typeOf(node.kind).isOfAlternatives(node, WEIGHT_OPS),
  matches: (node, states, leaf) => typeOf(node.kind).matches(node, states, leaf, WEIGHT_OPS),
  isDivisible: node => typeOf(node.kind).isDivisible(node, WEIGHT_OPS),
  scoreEstimate: (node, states) => typeOf(node.kind).scoreEstimate(node, states, WEIGHT_OPS),
  documentSet: (node, states, leaf) =>
    typeOf(node.kind).documentSet(node, states, leaf, WEIGHT_OPS),
  countScratch: (node, counts) => typeOf(node.kind).countScratch(node, counts, WEIGHT_OPS),
  cacheKey: node => typeOf(node.kind).cacheKey(node, WEIGHT_OPS),
  minUsesToCache: node => typeOf(node.kind).minUsesToCache(node, WEIGHT_OPS),
  writeRecord(to, node) {
    const { record } = typeOf(node.kind)
    to.number(WEIGHT_KINDS.indexOf(node.kind))
    if (record === 'serialised') to.plain(node)
    else record.write(to, node, WEIGHT_OPS)
  },
  readRecord(from) {
    const { record } = typeOf(WEIGHT_KINDS[from.number()]!)
    return record === 'serialised' ? (from.plain() as WeightNode) : record.read(from, WEIGHT_OPS)
  },
}
