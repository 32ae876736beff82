/** Statistics of shards and kernels. */
import type { CommitSummary } from '../../shard/commit-summary.ts'

/** Counters of one shard since it was opened; times in milliseconds. */
export interface ShardStats {
  readonly shard: number
  /** As the last refresh or flush has left them, nested ones included. */
  readonly docCount: number
  readonly deletedDocCount: number
  readonly storeInBytes: number
  /** Sealed segments, searchable or not; of a closed shard those of its commit. */
  readonly segmentCount: number
  /** False for the shard of a closed index: nothing of it is in memory, and it counts nothing. */
  readonly isLoaded: boolean
  /** All sections in memory. */
  readonly segmentMemoryInBytes: number
  readonly memory: SegmentMemoryStats
  /** Estimated bytes of documents that no segment holds yet. */
  readonly writerInBytes: number
  readonly versionMapInBytes: number
  /** Bytes of segment files by their extension. */
  readonly fileSizes: ReadonlyMap<string, number>
  /** Bytes of completion fields in segment files, by field. */
  readonly completions: ReadonlyMap<string, number>
  readonly indexing: OperationStats & {
    readonly failed: number
    readonly noop: number
    /** Milliseconds since 1970 of the last one; 0 before it. */
    readonly lastAt: number
  }
  readonly deletes: OperationStats
  readonly get: { readonly exists: OperationStats; readonly missing: OperationStats }
  /** Searches, scrolls and points in time that hold a snapshot. */
  readonly openContexts: number
  /** Those that have ended, with the time that they were open, and those that are. */
  readonly scroll: OperationStats
  readonly pointInTime: OperationStats
  readonly query: OperationStats & { readonly failed: number }
  /** Query phases in slices, among those of `query`. */
  readonly concurrentQuery: OperationStats & { readonly slices: number }
  readonly filterCache: FilterCacheStats
  readonly fieldData: FieldDataStats
  readonly requestCache: RequestCacheStats
  readonly fetch: OperationStats
  /** Searches for suggestions alone. */
  readonly suggest: OperationStats
  /** By the groups that searches name. */
  readonly groups: ReadonlyMap<string, GroupStats>
  /** Documents and bytes are those of the sources. */
  readonly merge: OperationStats & {
    readonly docs: number
    readonly sizeInBytes: number
    readonly currentDocs: number
    readonly currentSizeInBytes: number
  }
  readonly refresh: OperationStats & { readonly listeners: number }
  /** `periodic`: those that the size of the log asked for. */
  readonly flush: OperationStats & { readonly periodic: number }
  readonly translogOperations: number
  readonly translogInBytes: number
  /** Since its oldest file was written to, milliseconds. */
  readonly translogAgeInMillis: number
  readonly maxSeqNo: number
  readonly primaryTerm: number
  /** The last one. */
  readonly commit: CommitSummary
}

/** Bytes of segments in memory, by what they are for. */
export interface SegmentMemoryStats {
  readonly terms: number
  readonly termVectors: number
  readonly norms: number
  readonly points: number
  readonly docValues: number
  readonly bitSets: number
}

/** The searches of one group. */
export interface GroupStats {
  readonly query: OperationStats
  readonly fetch: OperationStats
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

/** Counters of the cached query phases of a shard, or of a node. */
export interface RequestCacheStats {
  readonly hits: number
  readonly misses: number
  readonly evictions: number
  readonly bytes: number
  /** Answers that are cached now. */
  readonly count: number
}

/** Terms of text fields that searches have loaded by document. */
export interface FieldDataStats {
  /** Bytes by field. */
  readonly fields: ReadonlyMap<string, number>
  /** Those of segments that were given up because other data needed their memory. */
  readonly evictions: number
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
  readonly isOpen: boolean
  readonly numberOfShards: number
  readonly numberOfReplicas: number
  /** Of those shards that could be opened. */
  readonly shards: readonly ShardStats[]
}
