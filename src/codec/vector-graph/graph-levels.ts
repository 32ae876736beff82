import type { VectorSpace } from '../../schema/knn-vector/vector-space.ts'
import type { ComparedParts } from './format.ts'

/** One level of a graph in memory. */
export interface GraphLevel {
  /** Vectors of the nodes, by rank; null on the lowest level, where ranks are ords. */
  readonly ords: Uint32Array | null
  /** Ranks of the nodes on the level below; null on the lowest level. */
  readonly below: Uint32Array | null
  /** Rows of the ranks of neighbours, ended by `NO_NEIGHBOUR` where there is room left. */
  readonly links: Uint32Array
}

/** A graph that was made. */
export interface GraphLevels {
  /** Vectors. */
  readonly count: number
  readonly compared: ComparedParts
  readonly space: VectorSpace
  readonly m: number
  readonly seed: number
  /** Rank of the node on the highest level at which walks begin. */
  readonly entry: number
  /** From the lowest on; min one. */
  readonly levels: readonly GraphLevel[]
}
