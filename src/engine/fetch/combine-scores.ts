import type { RescoreQuery } from './fetch-part.ts'

/**
 * The score of a hit after a rescoring, float32 at each step.
 * @param second NaN: its query does not match, or the hit was not scored anew
 */
export function combineScores(
  { queryWeight, rescoreWeight, mode }: Omit<RescoreQuery, 'query' | 'windowSize'>,
  first: number,
  second: number,
): number {
  const primary = Math.fround(first * queryWeight)
  if (Number.isNaN(second)) return primary
  const secondary = Math.fround(second * rescoreWeight)
  switch (mode) {
    case 'total':
      return Math.fround(primary + secondary)
    case 'multiply':
      return Math.fround(primary * secondary)
    case 'avg':
      return Math.fround(Math.fround(primary + secondary) / 2)
    case 'max':
      return Math.max(primary, secondary)
    case 'min':
      return Math.min(primary, secondary)
  }
}
