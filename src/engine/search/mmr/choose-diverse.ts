/**
 * Maximal marginal relevance (Carbonell and Goldstein, 1998): hits are chosen one by one, each by its score less
 * its greatest similarity to those that are chosen already.
 */
import type { VectorElement, VectorSpace } from '../../../schema/knn-vector/vector-space.ts'
import type { Turn } from '../../../util/turns.ts'
import {
  angleSimilarity,
  bitSimilarity,
  distanceSimilarity,
  productSimilarity,
} from '../../../util/vector-similarity.ts'
import {
  differingBits,
  dotBytes,
  dotFloats,
  squaredBytes,
  squaredFloats,
} from '../../../util/vector-sums.ts'

/** Components that are compared in about a microsecond. */
const COMPONENTS_OF_UNIT = 500

/** A hit with its vector. */
export interface DiverseCandidate {
  /** Float32; NaN: it has none. */
  readonly score: number
  readonly vector: readonly number[]
}

/** How candidates are weighed. */
export interface DiverseChoice {
  readonly element: VectorElement
  readonly space: VectorSpace
  /** 0 to 1, float32. */
  readonly diversity: number
  /** How many are chosen at most. */
  readonly wanted: number
}

/**
 * Chooses among candidates; of equally good ones the first. What has no score is never chosen.
 * @returns their places, in the order in which they are chosen
 */
export function* chooseDiverse(
  candidates: readonly DiverseCandidate[],
  { element, space, diversity, wanted }: DiverseChoice,
  turn: Turn,
): Generator<void, readonly number[], void> {
  const compare = comparison(element, space, candidates)
  const units = Math.ceil((candidates[0]?.vector.length ?? 0) / COMPONENTS_OF_UNIT)
  const nearest = new Float32Array(candidates.length)
  const left = new Set(candidates.keys())
  const chosen: number[] = []
  const share = Math.fround(1 - diversity)
  while (chosen.length < wanted && left.size > 0) {
    const last = chosen.at(-1)
    let best = -1
    let most = Number.NEGATIVE_INFINITY
    for (const place of left) {
      if (last !== undefined) {
        nearest[place] = Math.max(nearest[place]!, compare(place, last))
        if (turn.isOver(units)) yield
      }
      const score = Math.fround(
        Math.fround(share * candidates[place]!.score) - Math.fround(diversity * nearest[place]!),
      )
      if (score <= most || Number.isNaN(score)) continue
      most = score
      best = place
    }
    if (best < 0) break
    chosen.push(best)
    left.delete(best)
  }
  return chosen
}

/** The similarity of two candidates. */
function comparison(
  element: VectorElement,
  space: VectorSpace,
  candidates: readonly DiverseCandidate[],
): (one: number, other: number) => number {
  if (element === 'float') {
    const rows = candidates.map(({ vector }) => Float32Array.from(vector))
    return compareRows(space, rows, dotFloats, squaredFloats, () => Number.NaN)
  }
  const rows = candidates.map(({ vector }) => Int8Array.from(vector))
  return compareRows(space, rows, dotBytes, squaredBytes, differingBits)
}

function compareRows<Row>(
  space: VectorSpace,
  rows: readonly Row[],
  dot: (a: Row, b: Row) => number,
  squared: (a: Row, b: Row) => number,
  bits: (a: Row, b: Row) => number,
): (one: number, other: number) => number {
  const squares = space === 'cosinesimil' ? rows.map(row => dot(row, row)) : []
  return (one, other) => {
    const [a, b] = [rows[one]!, rows[other]!]
    switch (space) {
      case 'l2':
        return distanceSimilarity(squared(a, b))
      case 'cosinesimil':
        return angleSimilarity(dot(a, b), squares[one]! * squares[other]!)
      case 'innerproduct':
        return productSimilarity(dot(a, b))
      case 'hamming':
        return bitSimilarity(bits(a, b))
      // No field has them.
      case 'l1':
      case 'linf':
        return Number.NaN
    }
  }
}
