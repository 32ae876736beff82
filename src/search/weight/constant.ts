import { exactIterator } from '../scorer/scorer.ts'
import { explainConstant } from './explain-constant.ts'
import { missOfConstant } from './explain-miss.ts'
import { constantScorer } from './scorer-context.ts'
import type { ConstantWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Another node's documents with a constant score. */
export const constantWeight: WeightType<ConstantWeight> = {
  supplier(node, context, of) {
    const inner = of.supplier(node.child, context)
    if (inner === null) return null
    return {
      cost: () => inner.cost(),
      get: lead => {
        const scorer = inner.get(lead)
        const check = scorer.twoPhase()
        if (check !== null) return constantScorer(context, node.score, check.approximation, check)
        return constantScorer(context, node.score, exactIterator(scorer, context.watch))
      },
    }
  },
  explainMiss: missOfConstant,
  explain: explainConstant,
  count: (node, weight, leaves, of) => of.count(node.child, weight, leaves),
  steps: (node, states, segment, of) => of.steps(node.child, states, segment),
  setSteps: (node, states, segment, of) => of.setSteps(node.child, states, segment),
  isOfAlternatives: (node, of) => of.isOfAlternatives(node.child),
  matches: (node, states, leaf, of) => of.matches(node.child, states, leaf),
  isDivisible: (node, of) => of.isDivisible(node.child),
  scoreEstimate: node => node.score,
  clause({ child, score }, scored) {
    const constant = scored ? score : 0
    return child.kind === 'term'
      ? { kind: 'term', node: child, constant }
      : { kind: 'set', node: child, constant }
  },
  documentSet: (node, states, leaf, of) => of.documentSet(node.child, states, leaf),
  countScratch(node, counts, of) {
    // Any node but a term becomes a bit set.
    if (node.child.kind !== 'term') counts.sets++
    of.countScratch(node.child, counts)
  },
  cacheKey: (node, of) => of.cacheKey(node.child),
  minUsesToCache: (node, of) => of.minUsesToCache(node.child),
  record: {
    write(to, node, of) {
      to.number(node.id)
      to.number(node.score)
      of.writeRecord(to, node.child)
    },
    read: (from, of) => ({
      kind: 'constant',
      id: from.number(),
      score: from.number(),
      child: of.readRecord(from),
    }),
  },
}
