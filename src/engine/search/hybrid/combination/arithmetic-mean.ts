import type { Combination } from './combination.ts'

/** The weighted mean; a list without the document counts with 0. */
export const arithmeticMean: Combination = {
  combine(scores, start, weights) {
    let sum = 0
    let total = 0
    for (let i = 0; i < weights.length; i++) {
      const score = scores[start + i]!
      // Bounds of a pipeline may make negative scores, which do not count.
      if (!(score >= 0)) continue
      sum = Math.fround(sum + Math.fround(score * weights[i]!))
      total = Math.fround(total + weights[i]!)
    }
    return total === 0 ? 0 : Math.fround(sum / total)
  },
}
