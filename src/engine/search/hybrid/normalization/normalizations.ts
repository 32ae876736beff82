import type { NormalizedScoring } from '../hybrid-scoring.ts'
import { l2 } from './l2.ts'
import { minMax } from './min-max.ts'
import type { Normalization } from './normalization.ts'
import { zScore } from './z-score.ts'

/** The total table of techniques. */
export const NORMALIZATIONS: { readonly [K in NormalizedScoring['technique']]: Normalization } = {
  min_max: minMax,
  l2,
  z_score: zScore,
}
