/** How the graph of a field's vectors is made. */
import type { VectorSpace } from './vector-space.ts'

/** The part of a field's method that segments keep. */
export interface GraphMethod {
  readonly space: VectorSpace
  /** Neighbours that a vector is given on each level, 1 or more; rows of the lowest have room for twice as many. */
  readonly m: number
  /** Candidates that are looked at for each vector, 1 or more. */
  readonly efConstruction: number
}

/** Max neighbours and candidates; a method that asks for more gets these. */
export const MAX_GRAPH_M = 512
export const MAX_GRAPH_CANDIDATES = 10_000
