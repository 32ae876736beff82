/** How the scores of a hybrid query's sub-queries become one score: plain data, read from a search pipeline. */

/** A bound of a sub-query's scores before `min_max` scales them. */
export interface ScoreBound {
  readonly mode: 'apply' | 'clip' | 'ignore'
  /** A float32, −10,000 to 10,000. */
  readonly score: number
}

/** Scores are scaled by their statistics over all shards, then combined by a weighted mean. */
export interface NormalizedScoring {
  readonly kind: 'normalization'
  readonly technique: 'min_max' | 'l2' | 'z_score'
  /** One for each sub-query, of `min_max` alone; null where none are given. */
  readonly lowerBounds: readonly ScoreBound[] | null
  readonly upperBounds: readonly ScoreBound[] | null
  readonly combination: 'arithmetic_mean' | 'geometric_mean' | 'harmonic_mean'
  /** One for each sub-query, each 0 to 1, together 1; null weighs all with 1. */
  readonly weights: readonly number[] | null
}

/** Documents score by their ranks in the sub-queries' lists. */
export interface RankedScoring {
  readonly kind: 'rank'
  /** 1 to 10,000. */
  readonly rankConstant: number
  readonly weights: readonly number[] | null
}

export type HybridScoring = NormalizedScoring | RankedScoring
