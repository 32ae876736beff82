import { step } from './explanation.ts'
import { foundSupplier, stepsOfFound } from './found-docs.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import type { NearestWeight } from './weight.ts'
import type { WeightType } from './weight-type.ts'

/** The nearest documents of a shard, which a search before this one has found. */
export const nearestWeight: WeightType<NearestWeight> = {
  ...ON_ITERATORS,
  supplier: ({ found, boost }, context) =>
    foundSupplier(found[context.leaf.ord]!, boost, true, context),
  explainMiss: ({ k }) => step(0, `not in top ${k} docs`),
  explain: ({ k }, { score }) => step(score, `within top ${k} docs`),
  steps: ({ found }, _states, segment) => stepsOfFound(found, segment.maxDoc),
  clause: (node, scored) => (scored ? 'vectors' : { kind: 'set', node, constant: 0 }),
}
