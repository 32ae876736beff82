/** The ways to compare two vectors, and what their numbers mean for scores. */
import type { DenseVectorsReader } from '../../codec/dense-vectors/reader.ts'
import type { VectorElement, VectorSpace } from '../../schema/knn-vector/vector-space.ts'
import {
  absoluteBytes,
  absoluteFloats,
  differingBits,
  dotBytes,
  dotFloats,
  largestBytes,
  largestFloats,
  squaredBytes,
  squaredFloats,
} from '../../util/vector-sums.ts'

/** Comparisons of vectors of numbers, in the order of the kernel's numbers. */
const OF_NUMBERS = ['dot', 'squared', 'absolute', 'largest'] as const

/** The number that is made of the components of two vectors. */
export type Comparison = (typeof OF_NUMBERS)[number] | 'bits'

/** The comparison of each space. */
export const COMPARISON_OF_SPACE: { readonly [S in VectorSpace]: Comparison } = {
  l2: 'squared',
  cosinesimil: 'dot',
  innerproduct: 'dot',
  l1: 'absolute',
  linf: 'largest',
  hamming: 'bits',
}

/** The kernel's number of a comparison. */
export function kernelKind(comparison: Comparison, element: VectorElement): number {
  if (comparison === 'bits') return 8
  return OF_NUMBERS.indexOf(comparison) + (element === 'float' ? 0 : 4)
}

type OfFloats = (a: Float32Array, b: Float32Array) => number
type OfBytes = (a: Int8Array, b: Int8Array) => number

const FLOAT_TWINS: { readonly [C in Comparison]: OfFloats | null } = {
  dot: dotFloats,
  squared: squaredFloats,
  absolute: absoluteFloats,
  largest: largestFloats,
  bits: null,
}
const BYTE_TWINS: { readonly [C in Comparison]: OfBytes } = {
  dot: dotBytes,
  squared: squaredBytes,
  absolute: absoluteBytes,
  largest: largestBytes,
  bits: differingBits,
}

/** A query's vector in the form of a field's. */
export type QueryVector = Float32Array | Int8Array

/** A query's vector, of numbers that the field's element takes. */
export function queryVector(vector: ArrayLike<number>, element: VectorElement): QueryVector {
  return element === 'float' ? Float32Array.from(vector) : Int8Array.from(vector)
}

/** Compares a query with one vector of a leaf, without kernels: float32. */
export function compareOne(
  comparison: Comparison,
  query: QueryVector,
  vectors: DenseVectorsReader,
  ord: number,
): number {
  if (query instanceof Float32Array)
    return FLOAT_TWINS[comparison]?.(query, vectors.floats(ord)) ?? Number.NaN
  return Math.fround(BYTE_TWINS[comparison](query, vectors.signedBytes(ord)))
}

/** The sum of the squares of a query's components, float32. */
export function squareOf(query: QueryVector): number {
  return query instanceof Float32Array ? dotFloats(query, query) : dotBytes(query, query)
}

/**
 * The cosine of the angle between two vectors, float32; 0 where one has no direction.
 * @param dot     of their components
 * @param squares of each one's components
 */
export function cosineOf(dot: number, squareOfOne: number, squareOfOther: number): number {
  const product = squareOfOne * squareOfOther
  return product > 0 ? Math.fround(dot / Math.sqrt(product)) : 0
}

/**
 * The score of a similarity or a distance, as release 3.6 makes it of each space; all steps in float32. It
 * never falls with a similarity, nor rises with a distance.
 * @param raw of `cosinesimil` the cosine, of `innerproduct` the product, else the distance; NaN, of sums past
 *   the range of float32, scores 0
 */
export function scoreOf(space: VectorSpace, raw: number): number {
  if (Number.isNaN(raw)) return 0
  if (space === 'cosinesimil')
    return Math.max(Math.fround(Math.fround(2 - Math.fround(1 - raw)) / 2), 0)
  if (space === 'innerproduct')
    return Math.min(raw > 0 ? Math.fround(raw + 1) : inverse(Math.fround(1 - raw)), MAX_FLOAT)
  return inverse(Math.fround(1 + raw))
}

/** Scores are finite. */
const MAX_FLOAT = 3.4028234663852886e38

function inverse(value: number): number {
  return Math.fround(1 / value)
}
