/** The vector of the document at hand, and the functions that compare it with another one. */
import { illegalArgument } from '../java-faults.ts'
import { ScriptFault } from '../script-fault.ts'
import { toDouble } from '../value/java-numbers.ts'
import type { ScriptList } from '../value/script-value.ts'
import type { DocValues } from './doc-values.ts'

/** Java's name of such values. */
export const VECTOR_VALUES = 'org.opensearch.knn.index.KNNVectorScriptDocValues'

/** Functions of two vectors, by their names in scripts. */
export type VectorFunction =
  | 'l2Squared'
  | 'l1Norm'
  | 'lInfNorm'
  | 'innerProduct'
  | 'cosineSimilarity'
  | 'hamming'

/** Values of a field of vectors: one, or none. */
export interface VectorValues extends DocValues {
  readonly field: string
  readonly element: 'float' | 'byte' | 'binary'
  /** Numbers that a vector is given as. */
  readonly length: number
  /**
   * A function of a vector and the document's; float32.
   * @param vector as long as the field's
   * @param square in place of the sum of the vector's squares; null: that itself
   */
  compare(name: VectorFunction, vector: readonly number[], square: number | null): number
}

/**
 * Calls a function on a script's list and the document's vector.
 * @throws {ScriptFault} no such vector, no numbers, or another length
 */
export function compareVectors(
  name: VectorFunction,
  list: ScriptList,
  values: VectorValues,
  square: number | null,
): number {
  const { element, length, field } = values
  if ((element === 'binary') !== (name === 'hamming'))
    throw illegalArgument(
      `Incompatible field_type for ${name} space. The data type should be ` +
        `${name === 'hamming' ? 'binary' : 'either float or byte'} but got ${element}`,
    )
  if (values.size === 0)
    throw new ScriptFault(
      'illegal_state_exception',
      'java.lang.IllegalStateException',
      `One of the document doesn't have a value for field '${field}'. This can be avoided by checking ` +
        `if a document has a value for the field or not by doc['${field}'].size() == 0 ? 0 : {your script}`,
    )
  const vector = list.map(each => Math.fround(toDouble(each) ?? Number.NaN))
  const isByte = element !== 'float'
  if (vector.some(each => !Number.isFinite(each) || (isByte && (each | 0) !== each)))
    throw illegalArgument(`[${name}] takes a list of ${isByte ? 'bytes' : 'numbers'}`)
  if (isByte && vector.some(each => each < -128 || each > 127))
    throw illegalArgument(
      `[data_type] field was set as [${element}] in index mapping. But, KNN vector values are not ` +
        'within in the byte range [-128, 127]',
    )
  if (vector.length !== length)
    throw illegalArgument(
      `query vector dimension mismatch. Expected: ${length}, Given: ${vector.length}`,
    )
  return values.compare(name, vector, square)
}
