import type { GraphMethod } from '../../schema/knn-vector/graph-method.ts'
import type { VectorElement } from '../../schema/knn-vector/vector-space.ts'
import type { ByteColumn } from '../bytes/byte-column.ts'

/** The vectors of one field. */
export interface DenseVectorColumn {
  readonly element: VectorElement
  /** Components; bits of a binary vector. */
  readonly dimension: number
  /** How a graph of them is made; null: none ever is. */
  readonly method: GraphMethod | null
  /** Components as `encodeVector` writes them; documents ascend, each once. Min one. */
  readonly vectors: ByteColumn
}
