import type { NormalizedScoring } from '../hybrid-scoring.ts'

/**
 * One technique that brings the scores of a sub-query to a scale of their own. Each has a file beside this
 * one and a line in `normalizations.ts`. Every step is in float32.
 */
export interface Normalization {
  /**
   * Replaces the scores of one sub-query.
   * @param scores of all hits in its lists, shard by shard, best first within each
   * @param list   which sub-query it is, from 0
   */
  normalize(scores: Float32Array, list: number, scoring: NormalizedScoring): void
  /** The technique with its parameters, as explanations name it. */
  describe(scoring: NormalizedScoring): string
}

/** Takes the place of a normalized score of 0, so that a hit does not stand like a document outside the list. */
export const LOWEST_SCORE: number = Math.fround(0.001)
