import { explainConstant } from './explain-constant.ts'
import { missOfConstant } from './explain-miss.ts'
import { foundSupplier, stepsOfFound } from './found-docs.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import type { DerivedWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Documents that were found by values which a script emits for them. */
export const derivedWeight: WeightType<DerivedWeight> = {
  ...ON_ITERATORS,
  supplier: ({ found, score }, context) =>
    foundSupplier(found[context.leaf.ord]!, score, false, context),
  explainMiss: missOfConstant,
  explain: explainConstant,
  steps: ({ found }, _states, segment) => stepsOfFound(found, segment.maxDoc),
  clause: (node, scored) => ({ kind: 'set', node, constant: scored ? node.score : 0 }),
}
