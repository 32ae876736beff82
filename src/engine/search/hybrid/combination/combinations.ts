import type { NormalizedScoring } from '../hybrid-scoring.ts'
import { arithmeticMean } from './arithmetic-mean.ts'
import type { Combination } from './combination.ts'
import { geometricMean } from './geometric-mean.ts'
import { harmonicMean } from './harmonic-mean.ts'

/** The total table of combinations. */
export const COMBINATIONS: { readonly [K in NormalizedScoring['combination']]: Combination } = {
  arithmetic_mean: arithmeticMean,
  geometric_mean: geometricMean,
  harmonic_mean: harmonicMean,
}
