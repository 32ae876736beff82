import type { Combination } from './combination.ts'

/** The weighted mean of inverses, over the lists with the document. */
export const harmonicMean: Combination = {
  combine(scores, start, weights) {
    let inverses = 0
    let total = 0
    for (let i = 0; i < weights.length; i++) {
      const score = scores[start + i]!
      if (!(score > 0)) continue
      inverses = Math.fround(inverses + Math.fround(weights[i]! / score))
      total = Math.fround(total + weights[i]!)
    }
    return inverses > 0 ? Math.fround(total / inverses) : 0
  },
}
