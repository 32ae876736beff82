/** A model of searches for vectors, which compares every one of them in a plain loop. */

import type { VectorElement, VectorSpace } from '../../src/schema/knn-vector/vector-space.ts'
import type { VectorsQuery } from '../../src/search/query/query.ts'

const f = Math.fround

/** A sum of float32 in 16 parts, part i of terms i, i + 16, …, added up in pairs. */
function summed(terms: readonly number[]): number {
  const parts = new Array<number>(16).fill(0)
  for (const [i, term] of terms.entries()) parts[i % 16] = f(parts[i % 16]! + f(term))
  const lanes = [0, 1, 2, 3].map(i =>
    f(f(parts[i]! + parts[i + 4]!) + f(parts[i + 8]! + parts[i + 12]!)),
  )
  return f(f(lanes[0]! + lanes[1]!) + f(lanes[2]! + lanes[3]!))
}

const bitsOf = (value: number): number => (value & 0xff).toString(2).replaceAll('0', '').length

/** The score of a vector, float32. */
export function plainVectorScore(
  space: VectorSpace,
  element: VectorElement,
  query: readonly number[],
  vector: readonly number[],
): number {
  const products = (a: readonly number[], b: readonly number[]): number =>
    summed(a.map((value, i) => value * b[i]!))
  const distances = query.map((value, i) =>
    element === 'float' ? f(value - vector[i]!) : value - vector[i]!,
  )
  const inverse = (distance: number): number => f(1 / f(1 + distance))
  switch (space) {
    case 'l2':
      return inverse(summed(distances.map(distance => distance * distance)))
    case 'l1':
      return inverse(summed(distances.map(Math.abs)))
    case 'linf':
      return inverse(Math.max(...distances.map(Math.abs)))
    case 'hamming':
      return inverse(query.reduce((sum, value, i) => sum + bitsOf(value ^ vector[i]!), 0))
    case 'innerproduct': {
      const product = products(query, vector)
      return product > 0 ? f(product + 1) : f(1 / f(1 - product))
    }
    case 'cosinesimil': {
      const lengths = Math.sqrt(products(query, query) * products(vector, vector))
      return Math.max(f(f(2 - f(1 - f(products(query, vector) / lengths))) / 2), 0)
    }
  }
}

/** The score of a document's vector; null: it has none, or not a near enough one. */
export function plainNearness(
  { space, element, vector, minScore }: VectorsQuery,
  own: readonly number[] | undefined,
): number | null {
  if (own === undefined) return null
  const score = plainVectorScore(space, element, vector, own)
  return minScore !== null && score < minScore ? null : score
}
