import type { Normalization } from './normalization.ts'

/** Divides scores by their Euclidean norm; all are 0 where that is. */
export const l2: Normalization = {
  normalize(scores) {
    let squares = 0
    for (const score of scores) squares = Math.fround(squares + Math.fround(score * score))
    const norm = Math.fround(Math.sqrt(squares))
    for (let i = 0; i < scores.length; i++) scores[i] = norm === 0 ? 0 : scores[i]! / norm
  },
  describe: () => 'l2',
}
