import type { Leaf } from '../../segment/leaf.ts'
import { floatText } from '../../util/json/float-text.ts'
import { ScriptScoreScorer } from '../scorer/script-score-scorer.ts'
import { stepsOfVector } from '../vector/scan-vectors.ts'
import { scriptFormula } from '../vector/script-similarity.ts'
import { VectorScores } from '../vector/vector-scores.ts'
import { type Explanation, step } from './explanation.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import type { VectorScoreWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** A node's documents, scored by how near their vectors are to one. */
export const vectorScoreWeight: WeightType<VectorScoreWeight> = {
  ...ON_ITERATORS,
  supplier(node, context, of) {
    const query = of.supplier(node.child, { ...context, prunes: false })
    if (query === null) return null
    return {
      cost: () => query.cost(),
      get: lead =>
        new ScriptScoreScorer(
          query.get(lead),
          scoresIn(node, context.leaf),
          node.minScore,
          node.boost,
        ),
    }
  },
  explainMiss(node, at) {
    // A match of the query is passed over for its score alone.
    if (at.explain(node.child) === null) return at.miss(node.child)
    const scored = explained(node, at.leaf, at.docId)
    const words =
      `Score value is too low, expected at least ${floatText(node.minScore ?? 0)} ` +
      `but got ${floatText(scored.value)}`
    return step(0, words, [scored])
  },
  explain(node, { score }, at) {
    const scored = explained(node, at.leaf, at.docId)
    if (node.boost === 1) return scored
    return step(score, 'Boosted score, product of:', [step(node.boost, 'boost'), scored])
  },
  steps: ({ child, vector }, states, segment, of) =>
    of.steps(child, states, segment) + stepsOfVector(vector.length) * segment.maxDoc,
  isOfAlternatives: () => false,
  isDivisible: ({ child }, of) => of.isDivisible(child),
  clause: () => 'vectors',
}

function explained(node: VectorScoreWeight, leaf: Leaf, docId: number): Explanation {
  const words = `script score function, computed with script:"${node.text}"`
  return step(scoresIn(node, leaf)(docId), words)
}

/** The score of each document of a leaf, in any order; 0 without a vector. */
function scoresIn(
  { field, space, vector }: VectorScoreWeight,
  leaf: Leaf,
): (docId: number) => number {
  const vectors = leaf.denseVectors(field)
  if (vectors === null) return () => 0
  const scores = new VectorScores(space, vector, vectors, leaf, scriptFormula(vector))
  return docId => {
    const ord = vectors.ordOf(docId)
    return ord < 0 ? 0 : scores.of(ord)
  }
}
