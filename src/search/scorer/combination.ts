/** How the scores of the clauses that match become one. */
export type Combination =
  | { readonly kind: 'sum' }
  | { readonly kind: 'max'; readonly tieBreaker: number }

/** Scores are added up. */
export const SUM: Combination = { kind: 'sum' }

/**
 * One score, or one bound, of several; in double, not rounded.
 * @param sum of all of them, in clause order
 * @param most the greatest of them
 */
export function combined(combination: Combination, sum: number, most: number): number {
  return combination.kind === 'sum' ? sum : most + combination.tieBreaker * (sum - most)
}
