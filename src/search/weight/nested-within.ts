import { BitSet } from '../../util/bit-set.ts'
import { exactIterator, type TwoPhase } from '../scorer/scorer.ts'
import { addPostings } from './add-postings.ts'
import { explainConstant } from './explain-constant.ts'
import { missOfConstant } from './explain-miss.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import { constantScorer, openPostings } from './scorer-context.ts'
import type { NestedWithinWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Steps of finding the document around a nested one. */
const STEPS_TO_OUTER = 4

/** Nested documents by the nested documents that they lie in, which come behind them. */
export const nestedWithinWeight: WeightType<NestedWithinWeight> = {
  ...ON_ITERATORS,
  supplier({ outer, termId, outerId, score }, context, of) {
    const state = context.states.terms[termId] ?? null
    const outerState = context.states.terms[outerId] ?? null
    const supplier = of.supplier(outer, { ...context, prunes: false })
    if (state === null || outerState === null || supplier === null) return null
    return {
      cost: () => state.docFreq,
      get(lead) {
        const outers = new BitSet(context.leaf.maxDoc)
        addPostings(outers, '_nested_path', outerState, context)
        const accepted = exactIterator(supplier.get(lead), context.watch)
        const approximation = openPostings('_nested_path', state, context)
        const check: TwoPhase = {
          approximation,
          matches() {
            const around = outers.next(approximation.docId() + 1)
            if (accepted.docId() < around) accepted.advance(around)
            return accepted.docId() === around
          },
          matchCost: () => STEPS_TO_OUTER,
        }
        return constantScorer(context, score, approximation, check)
      },
    }
  },
  explainMiss: missOfConstant,
  explain: explainConstant,
  steps: (node, states, segment, of) =>
    of.steps(node.outer, states, segment) + (states.terms[node.termId]?.docFreq ?? 0),
  clause: (node, scored) => ({ kind: 'set', node, constant: scored ? node.score : 0 }),
}
