/** How vectors came into memory and left it, since the start: those of a field in a segment, with their graph, are one. */
export class VectorLoads {
  /** Uses by searches of vectors that were in memory. */
  hits = 0
  /** Uses of vectors that were not. */
  misses = 0
  /** Misses that were loaded; the others failed. */
  loads = 0
  /** Time of all loads, those of graphs included. */
  nanos = 0
  /** For want of room. */
  evictions = 0
  /** Set by an eviction; whoever reads it may take it back once there is room again. */
  isFull = false
}

/** Vectors in memory. */
export interface VectorUse {
  /** Fields of segments whose vectors are in memory. */
  readonly count: number
  /** With their graphs. */
  readonly bytes: number
}
