/** How the scores of matching clauses are combined. */
export type Combination =
  | { readonly kind: 'sum' }
  | { readonly kind: 'max'; readonly tieBreaker: number }

/** Scores are added up. */
export const SUM: Combination = { kind: 'sum' }

/**
 * Combines scores, or bounds, in double without rounding.
 * @param sum of all of them, in clause order
 * @param max of all of them
 */
export function combined(combination: Combination, sum: number, max: number): number {
  return combination.kind === 'sum' ? sum : max + combination.tieBreaker * (sum - max)
}
