/** Shards one by one: their segments, how they were opened, what they stand on, their caches. */
import type { ShardRecovery } from '../../shard/shard-recovery.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { ErrorRecord } from '../../util/errors.ts'
import type { HealthStatus } from './cluster.ts'
import type { ShardCounts, Target } from './target.ts'

/** A sealed segment. */
export interface SegmentView {
  /** `_0`, `_1`, … in base 36. */
  readonly name: string
  readonly generation: number
  readonly docCount: number
  readonly deletedDocCount: number
  readonly sizeInBytes: number
  readonly memoryInBytes: number
  /** Whether the last commit has it. */
  readonly isCommitted: boolean
  /** Whether searches see it. */
  readonly isSearchable: boolean
  /** Whether a merge reads it. */
  readonly isMerging: boolean
}

/** The segments of the shards of an index that could be opened. */
export interface IndexSegments {
  readonly index: string
  readonly shards: readonly { readonly shard: number; readonly segments: readonly SegmentView[] }[]
}

/** How the shards of an index were opened. */
export interface IndexRecoveries {
  readonly index: string
  readonly shards: readonly { readonly shard: number; readonly recovery: Readonly<ShardRecovery> }[]
}

/** Copies of the shards of an index on disk. */
export interface IndexStores {
  readonly index: string
  readonly shards: readonly {
    readonly shard: number
    readonly status: HealthStatus
    readonly allocationId: string
    /** Why it could not be opened; null: it could. */
    readonly damage: ErrorRecord | null
  }[]
}

/** A copy of a shard; replicas have no node to live on. */
export interface ShardCopy {
  readonly index: string
  readonly shard: number
  readonly isPrimary: boolean
  readonly isActive: boolean
  /** Null where it is not active. */
  readonly allocationId: string | null
  /** Why a primary could not be opened; null: it could, or it is a replica. */
  readonly damage: ErrorRecord | null
  /** When its index was created, milliseconds since 1970: since then a copy that is not active has waited. */
  readonly createdAt: number
  /** Of an active copy of an open index; else 0. */
  readonly storeInBytes: number
}

/** Calls on shards. */
export interface ShardsApi {
  /** Of open indices. */
  segments(target: Target, context: CallContext): Promise<readonly IndexSegments[]>
  /** Closed indices included: of these, reading their commits. */
  recoveries(target: Target, context: CallContext): Promise<readonly IndexRecoveries[]>
  /** In order of index, primaries before their replicas. */
  copies(target: Target, context: CallContext): readonly ShardCopy[]
  stores(target: Target, context: CallContext): Promise<readonly IndexStores[]>
  /**
   * Opens a primary that could not be opened once more: from the files that it has, or as an empty one.
   * It stays as it is where they cannot be opened still.
   * @param from `nothing` deletes its files
   * @throws {EngineError} `index_not_found_exception`
   */
  allocatePrimary(
    index: string,
    shard: number,
    from: 'files' | 'nothing',
    context: CallContext,
  ): Promise<void>
  /**
   * Closes a primary and opens it again from its files, as a cancelled allocation is: meanwhile it answers
   * as one that cannot be opened, and scrolls and points in time of its index are gone. Without effect on
   * one that is not open.
   * @throws {EngineError} `index_not_found_exception`
   */
  restartPrimary(index: string, shard: number, context: CallContext): Promise<void>
  /** Drops cached data, except what running searches use. */
  clearCaches(target: Target, caches: ClearedCaches, context: CallContext): Promise<ShardCounts>
}

/** The caches that a call clears. */
export interface ClearedCaches {
  readonly filters: boolean
  readonly fieldData: boolean
  /** Query phases. */
  readonly requests: boolean
  /** Names of the fields whose field data is cleared; null: of all. */
  readonly fields: readonly string[] | null
}
