import type { ProposedField } from '../pool/messages.ts'
import type { SegmentMemory } from '../segment/segment-memory.ts'
import type { StoredCache } from '../segment/stored-cache.ts'
import type { Directory } from '../store/directory.ts'
import type { LogStart, Translog } from '../store/translog/translog.ts'
import type { MergeSettings } from './merge-choice.ts'
import type { IndexSchema, WriteLanes } from './write-lanes.ts'
import type { ShardName } from './write-operation.ts'

/** What a shard stands on. */
export interface ShardContext {
  readonly name: ShardName
  readonly directory: Directory
  /** Path of the directory for the workers; null where it lies in memory. */
  readonly folder: string | null
  readonly memory: SegmentMemory
  readonly stored: StoredCache
  readonly lanes: WriteLanes
  /**
   * Opens the shard's log.
   * @param start where the last commit says that it goes on; null without a commit
   */
  openLog(start: LogStart | null): Translog
  /** The next number for a segment of this process. */
  nextUid(): number
  /** The schema as it is now. */
  schema(): IndexSchema
  /** Merges new fields into the mapping and makes it durable; then `schema` has them. */
  proposeFields(fields: readonly ProposedField[]): Promise<void>
  settings(): ShardSettings
  /** A refresh would change something, or a flush is due: called once until it was done. */
  onDirty(): void
  /** The log holds what no sync has covered, and nobody waits for one. */
  onUnsynced(): void
  /** Something failed that no caller waits for, and that loses nothing. */
  onFailure(error: unknown): void
}

/** What settings say for one shard, read at each use. */
export interface ShardSettings {
  /** Every byte of the commit is held against its checksums when the shard opens. */
  readonly isCheckedOnStartup: boolean
  /** Acknowledgements wait for the log to be durable; else it is synced every so often. */
  readonly isDurableOnRequest: boolean
  /** A generation of the log that has grown so large is followed by the next. */
  readonly logGenerationInBytes: number
  /** How long deletes are remembered. */
  readonly gcDeletesInMillis: number
  /** A commit follows when the log has grown so large. */
  readonly flushThresholdInBytes: number
  /** A buffer this large is sealed before the next chunk. */
  readonly bufferLimitInBytes: number
  readonly merge: MergeSettings
  /** How merges order documents: the text of `index.lamella.reorder`. */
  readonly mergeOrder: string
}
