/** Components of vectors as documents and requests give them, and their refusals. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { VectorElement, VectorSpace } from './vector-space.ts'

/** The parts of a field that decide which vectors it takes. */
export interface VectorShape {
  readonly element: VectorElement
  /** Components; bits of a binary vector, which is given as bytes. */
  readonly dimension: number
  /** Null: any vector has a place. */
  readonly space: VectorSpace | null
}

/** Numbers that a vector of a shape is given as. */
export function givenLength({ element, dimension }: VectorShape): number {
  return element === 'binary' ? dimension / 8 : dimension
}

/**
 * Checks one component.
 * @param value float32
 * @throws {IllegalArgumentError} no number, infinite, or no integer of −128 … 127 where the vector has such
 */
export function checkComponent(value: number, element: VectorElement): void {
  if (Number.isNaN(value)) throw new IllegalArgumentError('KNN vector values cannot be NaN')
  if (!Number.isFinite(value))
    throw new IllegalArgumentError('KNN vector values cannot be infinity')
  if (element === 'float') return
  if (value % 1 !== 0)
    throw new IllegalArgumentError(
      `[data_type] field was set as [${element}] in index mapping. But, KNN vector values are ` +
        'floats instead of byte integers',
    )
  if (value < -128 || value > 127)
    throw new IllegalArgumentError(
      `[data_type] field was set as [${element}] in index mapping. But, KNN vector values are not ` +
        'within in the byte range [-128, 127]',
    )
}

/**
 * Checks the number of components of a document's vector.
 * @throws {IllegalArgumentError} there are more or fewer than the field has
 */
export function checkLength(length: number, shape: VectorShape): void {
  if (length === givenLength(shape)) return
  const isBinary = shape.element === 'binary'
  const words = isBinary
    ? 'The dimension of the binary vector must be 8 times the length of the provided vector.'
    : 'Vector dimension mismatch.'
  throw new IllegalArgumentError(
    `${words} Expected: ${shape.dimension}, Given: ${isBinary ? 8 * length : length}`,
  )
}

/**
 * Checks a whole vector.
 * @throws {IllegalArgumentError} all zeros where only its direction counts
 */
export function checkWhole(vector: ArrayLike<number>, space: VectorSpace | null): void {
  if (space !== 'cosinesimil') return
  for (let i = 0; i < vector.length; i++) if (vector[i] !== 0) return
  throw new IllegalArgumentError(`zero vector is not supported when space type is [${space}]`)
}

/** A vector's components as a segment keeps them, little-endian and without padding. */
export function encodeVector(vector: ArrayLike<number>, element: VectorElement): Uint8Array {
  if (element !== 'float') return Uint8Array.from(vector, value => value & 0xff)
  const bytes = new Uint8Array(4 * vector.length)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < vector.length; i++) view.setFloat32(4 * i, vector[i]!, true)
  return bytes
}
