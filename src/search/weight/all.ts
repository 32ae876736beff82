import { AllDocsIterator } from '../scorer/doc-set-iterators.ts'
import { explainConstant } from './explain-constant.ts'
import { missOfConstant } from './explain-miss.ts'
import { constantScorer, supplier } from './scorer-context.ts'
import { STEPS_OF_ALL } from './step-costs.ts'
import type { AllWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Every document. */
export const allWeight: WeightType<AllWeight> = {
  supplier(node, context) {
    const { maxDoc } = context.leaf
    return supplier(maxDoc, () => constantScorer(context, node.score, new AllDocsIterator(maxDoc)))
  },
  explainMiss: missOfConstant,
  explain: explainConstant,
  count: (_node, _weight, leaves) => leaves.reduce((sum, leaf) => sum + leaf.numDocs, 0),
  steps: (_node, _states, segment) => STEPS_OF_ALL * segment.maxDoc,
  setSteps: () => 0,
  isOfAlternatives: () => true,
  matches: (_node, _states, leaf) => leaf.maxDoc,
  isDivisible: () => true,
  scoreEstimate: node => node.score,
  clause: (node, scored) => ({ kind: 'set', node, constant: scored ? node.score : 0 }),
  documentSet: () => ({ kind: 'all' }),
  countScratch(_node, counts) {
    counts.sets++
  },
  cacheKey: () => 'a',
  minUsesToCache: () => null,
  record: {
    write(to, node) {
      to.number(node.id)
      to.number(node.score)
    },
    read: from => ({ kind: 'all', id: from.number(), score: from.number() }),
  },
}
