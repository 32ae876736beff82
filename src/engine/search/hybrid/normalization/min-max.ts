import { IllegalArgumentError } from '../../../../util/errors.ts'
import { floatText } from '../../../../util/json/float-text.ts'
import type { NormalizedScoring, ScoreBound } from '../hybrid-scoring.ts'
import { LOWEST_SCORE, type Normalization } from './normalization.ts'

/** Scales scores from their lowest, 0, to their highest, 1; bounds take the place of either. */
export const minMax: Normalization = {
  normalize(scores, list, { lowerBounds, upperBounds }) {
    const lower = lowerBounds?.[list] ?? null
    const upper = upperBounds?.[list] ?? null
    let min = Number.POSITIVE_INFINITY
    let max = Number.NEGATIVE_INFINITY
    for (const score of scores) {
      if (score < min) min = score
      if (score > max) max = score
    }
    for (let i = 0; i < scores.length; i++) scores[i] = scaled(scores[i]!, min, max, lower, upper)
  },
  describe: ({ lowerBounds, upperBounds }) =>
    `min_max${boundsText('lower', lowerBounds)}${boundsText('upper', upperBounds)}`,
}

function scaled(
  score: number,
  min: number,
  max: number,
  lower: ScoreBound | null,
  upper: ScoreBound | null,
): number {
  if (max === min) return 1
  const low = lower === null ? min : lowOf(lower, score, min, max)
  const high = upper === null ? max : highOf(upper, score, min, max)
  if (lower?.mode === 'clip' && score < low) return LOWEST_SCORE
  if (upper?.mode === 'clip' && score > high) return 1
  if (high === low) return 1
  const ratio = Math.fround(Math.fround(score - low) / Math.fround(high - low))
  return ratio === 0 ? LOWEST_SCORE : ratio
}

/** The score that stands for 0. */
function lowOf(
  { mode, score: bound }: ScoreBound,
  score: number,
  min: number,
  max: number,
): number {
  switch (mode) {
    case 'apply':
      return max > bound && score > bound ? bound : min
    case 'clip':
      return max < bound ? min : bound
    case 'ignore':
      return min
  }
}

/** The score that stands for 1. */
function highOf(
  { mode, score: bound }: ScoreBound,
  score: number,
  min: number,
  max: number,
): number {
  switch (mode) {
    case 'apply':
      return min < bound && score < bound ? bound : max
    case 'clip':
      return min > bound ? max : bound
    case 'ignore':
      return max
  }
}

function boundsText(side: 'lower' | 'upper', bounds: readonly ScoreBound[] | null): string {
  if (bounds === null) return ''
  const texts = bounds.map(({ mode, score }) => `(${mode}, ${floatText(score)})`)
  return `, ${side} bounds [${texts.join(', ')}]`
}

/**
 * Holds bounds against the number of sub-queries.
 * @throws {IllegalArgumentError} there are fewer or more
 */
export function checkBounds({ lowerBounds, upperBounds }: NormalizedScoring, lists: number): void {
  for (const bounds of [lowerBounds, upperBounds])
    if (bounds !== null && bounds.length !== lists)
      throw new IllegalArgumentError(
        `expected bounds array to contain ${lists} elements matching the number of sub-queries, ` +
          'but found a mismatch',
      )
}
