/** Scores by rank: reciprocal rank fusion (Cormack, Clarke & Buettcher 2009). */
import type { Combination } from './combination/combination.ts'

/** Decimals that a rank's score is rounded to. */
const SCALE = 1e10

/**
 * The score of a rank: `1 / (constant + rank + 1)`, rounded half up to 10 decimals.
 * @param rank     from 0
 * @param constant 1 to 10,000
 * @returns float32
 */
export function rankScore(rank: number, constant: number): number {
  const divisor = constant + rank + 1
  // Whole numbers below 2^53: the quotient is rounded exactly.
  const whole = Math.floor(SCALE / divisor)
  const rest = SCALE - whole * divisor
  return Math.fround((whole + (2 * rest >= divisor ? 1 : 0)) / SCALE)
}

/** The weighted sum, which the weights do not divide. */
export const rankSum: Combination = {
  combine(scores, start, weights) {
    let sum = 0
    for (let i = 0; i < weights.length; i++)
      sum = Math.fround(sum + Math.fround(scores[start + i]! * weights[i]!))
    return sum
  },
}
