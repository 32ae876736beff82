/** Lucene's similarities of two vectors, out of what is made of their components; each step in float32. */

/** Of the square of the distance. */
export function distanceSimilarity(square: number): number {
  return Math.fround(1 / Math.fround(1 + square))
}

/**
 * Of the cosine of the angle.
 * @param squares the product of the sums of each one's squares; 0: the result is no number
 */
export function angleSimilarity(dot: number, squares: number): number {
  const cosine = Math.fround(dot / Math.sqrt(squares))
  return Math.max(Math.fround(Math.fround(1 + cosine) / 2), 0)
}

/** Of the product. */
export function productSimilarity(dot: number): number {
  return Math.fround(dot < 0 ? 1 / Math.fround(1 - dot) : dot + 1)
}

/** Of the number of bits that differ. */
export function bitSimilarity(bits: number): number {
  return Math.fround(1 / (1 + bits))
}
