import { explainNative } from './explain-vectors.ts'
import { step } from './explanation.ts'
import { foundSupplier, stepsOfFound } from './found-docs.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import type { NearestWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** The nearest documents of a shard, which a search before this one has found. */
export const nearestWeight: WeightType<NearestWeight> = {
  ...ON_ITERATORS,
  supplier: ({ found, boost }, context) =>
    foundSupplier(found[context.leaf.ord]!, boost, true, context),
  explainMiss: node =>
    step(0, node.search.engine === 'faiss' ? `not in top ${node.k}` : `not in ${topOf(node)}`),
  explain(node, { score }, { leaf }) {
    const { search, boost } = node
    if (search.engine !== 'faiss') return step(score, `within ${topOf(node)}`)
    return explainNative(search, leaf, score, { unboosted: score / boost, minScore: null })
  },
  steps: ({ found }, _states, segment) => stepsOfFound(found, segment.maxDoc),
  clause: (node, scored) => (scored ? 'vectors' : { kind: 'set', node, constant: 0 }),
}

/** As Lucene's engine counts: the documents that were found, which may be fewer than asked for. */
function topOf({ found }: NearestWeight): string {
  return `top ${found.reduce((sum, { docs }) => sum + docs.length, 0)} docs`
}
