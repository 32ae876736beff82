/** Vectors in memory, and what was asked about vectors. */
import type { CallContext } from '../../task/call-context.ts'
import type { FailedShard, ShardCounts, Target } from './target.ts'

/** Requests about vectors since the start. */
export interface VectorRequests {
  /** Queries `knn` by what they ask for, for each index that they were asked of: all of them, and those with a filter. */
  readonly queries: { readonly [K in VectorAim]: { all: number; filtered: number } }
  /** Graphs that were there for a search, one of a field in a segment each. */
  graphs: number
  /** Of searches that failed, as many as there were graphs. */
  failedGraphs: number
  /** Times that the scripts of vectors were compiled. */
  compilations: number
  failedCompilations: number
  /** Uses of these scripts, for each index. */
  scripts: number
  failedScripts: number
}

/** How a vector query limits its hits: to the k nearest, or by a minimum score or a maximum distance. */
export type VectorAim = 'k' | 'minScore' | 'maxDistance'

/** Vectors of an index in memory. */
export interface IndexVectors {
  readonly index: string
  /** Fields of segments whose vectors are in memory. */
  readonly count: number
  /** With their graphs. */
  readonly bytes: number
}

/** Vectors in memory, and how they came there. */
export interface VectorStats {
  readonly requests: Readonly<VectorRequests>
  /** Those that have any, in order of name. */
  readonly indices: readonly IndexVectors[]
  readonly limitInBytes: number
  /** Whether vectors were evicted for lack of memory, and memory is still short. */
  readonly isFull: boolean
  readonly hits: number
  readonly misses: number
  readonly loads: number
  readonly loadNanos: number
  readonly evictions: number
}

/** Calls on vectors. */
export interface VectorsApi {
  /**
   * Loads all vectors that searches see, and their graphs, as far as memory goes.
   * @throws {EngineError} `k_n_n_invalid_indices_exception` for an index without `index.knn`
   */
  warmUp(
    target: Target,
    context: CallContext,
  ): Promise<ShardCounts & { readonly failures: readonly FailedShard[] }>
  /**
   * Drops vectors and graphs from memory, except what running searches use.
   * @throws {EngineError} as `warmUp`
   */
  clear(target: Target, context: CallContext): Promise<ShardCounts>
  stats(): VectorStats
}
