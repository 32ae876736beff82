/** Statistics of shards and kernels. */
import type { CommitSummary } from '../../shard/commit-summary.ts'

/** Counters of one shard since it was opened; times in milliseconds. */
export interface ShardStats {
  readonly shard: number
  readonly docCount: number
  readonly deletedDocCount: number
  readonly storeInBytes: number
  readonly segmentCount: number
  readonly segmentMemoryInBytes: number
  readonly indexing: OperationStats & { readonly failed: number; readonly noop: number }
  readonly deletes: OperationStats
  readonly get: { readonly exists: OperationStats; readonly missing: OperationStats }
  readonly query: OperationStats
  readonly filterCache: FilterCacheStats
  readonly fetch: OperationStats
  readonly merge: OperationStats & { readonly docs: number; readonly sizeInBytes: number }
  readonly refresh: OperationStats
  readonly flush: OperationStats
  readonly translogOperations: number
  readonly translogInBytes: number
  readonly maxSeqNo: number
  readonly primaryTerm: number
  /** The last one. */
  readonly commit: CommitSummary
}

/** Kernel counters: cheap integers, always counted. */
export interface KernelCounts {
  readonly blocksDecoded: number
  readonly blocksSkipped: number
  /** Windows of disjunctions and stretches of conjunctions that were passed over by their bound. */
  readonly runsSkipped: number
  /** All of these, the ones that were passed over included. */
  readonly windows: number
  readonly postingsScored: number
  readonly positionsChecked: number
  readonly candidates: number
}

/** Hot filters of a shard's segments. */
export interface FilterCacheStats {
  readonly hits: number
  readonly misses: number
  /** Filters ever kept, each for one segment; and those that are kept now, with what they take. */
  readonly made: number
  readonly kept: number
  readonly bytes: number
}

/** Count and total time of an operation. */
export interface OperationStats {
  readonly count: number
  readonly timeInMillis: number
  /** Running now. */
  readonly current: number
}

/** Statistics of the shards of one index. */
export interface IndexStats {
  readonly index: string
  readonly uuid: string
  readonly numberOfShards: number
  readonly numberOfReplicas: number
  /** Of those shards that could be opened. */
  readonly shards: readonly ShardStats[]
}
