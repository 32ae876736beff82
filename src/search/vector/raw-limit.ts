/** What a comparison must exceed for its score to reach another one. */
import type { VectorSpace } from '../../schema/knn-vector/vector-space.ts'
import { scoreOf } from './comparison.ts'

/** More than the steps of `scoreOf` round, relative. */
const MARGIN = 2 ** -20

/**
 * What `scoreOf` makes a score of that is lower than one, near to the last that does; null: none is known.
 * @param score float32
 */
export function rawBelow(space: VectorSpace, score: number): number | null {
  if (!(score > 0)) return null
  const more = 1 + 2 * MARGIN
  let raw: number
  // With the margin few scores below are taken for higher ones, and none above for a lower one.
  if (space === 'cosinesimil') raw = 2 * score - more
  else if (space === 'innerproduct') raw = score > 1 ? score / more - 1 : 1 - more / score
  else raw = more / score - 1
  raw = Math.fround(raw)
  return scoreOf(space, raw) < score ? raw : null
}

/** Tells of results of comparisons which are out of question. */
export interface RawLimit {
  readonly kind: 'distance' | 'product' | 'cosine'
  /** Distances from it on, products up to it; of cosines the square of that, with the query's square. */
  readonly value: number
}

/**
 * The limit of results whose scores are below one; null: none is known.
 * @param score  float32
 * @param square of the query, which angles are made of
 */
export function rawLimit(space: VectorSpace, score: number, square: number): RawLimit | null {
  const raw = rawBelow(space, score)
  if (raw === null) return null
  if (space === 'innerproduct') return { kind: 'product', value: raw }
  if (space !== 'cosinesimil') return { kind: 'distance', value: raw }
  // Of an obtuse angle the square tells nothing.
  return raw < 0 ? null : { kind: 'cosine', value: raw * raw * square * (1 - MARGIN) }
}
