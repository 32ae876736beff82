import { LOWEST_SCORE, type Normalization } from './normalization.ts'

/**
 * The distance of scores from their mean in standard deviations of the whole list. A score at the mean
 * takes the list's highest; below the mean all take the lowest score there is.
 */
export const zScore: Normalization = {
  normalize(scores) {
    const { mean, deviation, min, max } = statisticsOf(scores)
    for (let i = 0; i < scores.length; i++) {
      const score = scores[i]!
      if (score === mean) scores[i] = max
      else if (deviation === 0) scores[i] = min
      else {
        const normalized = Math.fround(Math.fround(score - mean) / deviation)
        scores[i] = normalized <= 0 ? LOWEST_SCORE : normalized
      }
    }
  },
  describe: () => 'z_score',
}

interface ScoreStatistics {
  readonly mean: number
  readonly deviation: number
  readonly min: number
  readonly max: number
}

function statisticsOf(scores: Float32Array): ScoreStatistics {
  let sum = 0
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const score of scores) {
    sum = Math.fround(sum + score)
    if (score < min) min = score
    if (score > max) max = score
  }
  const mean = Math.fround(sum / scores.length)
  let squares = 0
  for (const score of scores) {
    const distance = Math.fround(score - mean)
    squares = Math.fround(squares + Math.fround(distance * distance))
  }
  return { mean, deviation: Math.fround(Math.sqrt(Math.fround(squares / scores.length))), min, max }
}
