import { COMPARISON_OF_SPACE, compareOne, cosineOf, squareOf } from '../../vector/comparison.ts'
import { scriptFormula } from '../../vector/script-similarity.ts'
import { step } from '../explanation.ts'
import { nameBehind } from './named.ts'
import type { VectorFunction } from './score-function.ts'
import type { ScoreFunctionType } from './score-function-type.ts'

/** How near a document's vector is to one; 0 without a vector. */
export const vectorFunction: ScoreFunctionType<VectorFunction> = {
  text: ({ text }) => `script${text}`,
  sections: ({ field }) => [[field, 'denseVectors']],
  open({ field, space, vector, text }, leaf) {
    const vectors = leaf.denseVectors(field)
    const comparison = COMPARISON_OF_SPACE[space]
    const formula = scriptFormula(vector)
    const square = space === 'cosinesimil' ? squareOf(vector) : 0
    const score = (docId: number): number => {
      const ord = vectors?.ordOf(docId) ?? -1
      if (vectors === null || ord < 0) return 0
      // One at a time, as functions are asked: without kernels, with the bits that they give.
      const raw = compareOne(comparison, vector, vectors, ord)
      const similarity = space === 'cosinesimil' ? cosineOf(raw, square, vectors.square(ord)) : raw
      return formula(space, similarity)
    }
    return {
      score,
      maxScore: Number.POSITIVE_INFINITY,
      explain(docId, query, name) {
        const words = `script score function${nameBehind(name)}, computed with script:"${text}"`
        return step(score(docId), words, [step(query.value, '_score: ', [query])])
      },
    }
  },
}
