import type { Combination } from './combination.ts'

/** The weighted mean of logarithms, over the lists with the document. Logarithms are made in double. */
export const geometricMean: Combination = {
  combine(scores, start, weights) {
    let sum = 0
    let total = 0
    for (let i = 0; i < weights.length; i++) {
      const score = scores[start + i]!
      if (!(score > 0)) continue
      sum = Math.fround(sum + weights[i]! * Math.log(score))
      total = Math.fround(total + weights[i]!)
    }
    return total === 0 ? 0 : Math.fround(Math.exp(Math.fround(sum / total)))
  },
}
