/** The spaces that vectors lie in: how near two of them are. */
import { IllegalArgumentError } from '../../util/errors.ts'

/** Names of spaces, in the order in which errors list them. */
export const VECTOR_SPACES = ['l2', 'cosinesimil', 'l1', 'linf', 'innerproduct', 'hamming'] as const

/** The name of a space. */
export type VectorSpace = (typeof VECTOR_SPACES)[number]

/** Components of vectors: float32, integers of −128 … 127, or bits. */
export type VectorElement = 'float' | 'byte' | 'binary'

/** The space of a name in any case; null: there is none of it. */
export function vectorSpace(name: string): VectorSpace | null {
  return VECTOR_SPACES.find(space => space === name.toLowerCase()) ?? null
}

/**
 * The space of a name in any case; null for `undefined`, which stands for none.
 * @throws {IllegalArgumentError} there is no space of the name
 */
export function readVectorSpace(name: string): VectorSpace | null {
  const space = vectorSpace(name)
  if (space !== null || name.toLowerCase() === 'undefined') return space
  throw new IllegalArgumentError(
    `Unable to find space: ${name} . Valid values are: [${VECTOR_SPACES.join(', ')}]`,
  )
}

/** Bytes of a vector's components, without padding. @param dimension of `binary`, a multiple of 8 */
export function vectorBytes(element: VectorElement, dimension: number): number {
  if (element === 'float') return 4 * dimension
  return element === 'byte' ? dimension : dimension / 8
}
