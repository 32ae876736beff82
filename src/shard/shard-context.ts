import type { ProposedField } from '../pool/messages.ts'
import type { SegmentMemory } from '../segment/segment-memory.ts'
import type { StoredCache } from '../segment/stored-cache.ts'
import type { Directory } from '../store/directory.ts'
import type { LogStart, Translog } from '../store/translog/translog.ts'
import type { ErrorRecord } from '../util/errors.ts'
import type { MergeSettings } from './merge-choice.ts'
import type { IndexSchema, WriteLanes } from './write-lanes.ts'
import type { IndexOperation, ShardName } from './write-operation.ts'

/** The environment of a shard. */
export interface ShardContext {
  readonly name: ShardName
  readonly directory: Directory
  /** Path of the directory, for the workers; null for a store in memory. */
  readonly folder: string | null
  readonly memory: SegmentMemory
  readonly stored: StoredCache
  readonly lanes: WriteLanes
  /**
   * Opens the shard's log.
   * @param start where the last commit continues it; null without a commit
   */
  openLog(start: LogStart | null): Translog
  /** The uid of the next segment in this process. */
  nextUid(): number
  /** The current schema. */
  schema(): IndexSchema
  /**
   * Merges new fields into the mapping durably; afterwards `schema` has them. A document's are merged
   * all or none.
   * @returns why those of the first document were refused; null when they were merged
   */
  proposeFields(fields: readonly ProposedField[]): Promise<ErrorRecord | null>
  settings(): ShardSettings
  /** A refresh would change something, or a flush is due: called once until it is done. */
  onDirty(): void
  /** The log has unsynced operations, and no caller waits for a sync. */
  onUnsynced(): void
  /** Documents of so many bytes were accepted. */
  onWritten(bytes: number): void
  /** A document took longer than `slowIndexingInNanos`. */
  onSlow(operation: IndexOperation, nanos: number): void
  /** A section is damaged that searches do without. */
  onMissed(error: Error): void
  /** A background step failed without losing data. */
  onFailure(error: unknown): void
}

/** The settings of one shard, read at each use. */
export interface ShardSettings {
  /** Verify all checksums of the commit when the shard opens. */
  readonly isCheckedOnStartup: boolean
  /** Several live documents may have one id: they came from several shards. */
  readonly mayHaveTwins: boolean
  /** Sync the log before acknowledging; else it is synced at intervals. */
  readonly isDurableOnRequest: boolean
  /** Log bytes at which the next generation starts. */
  readonly logGenerationInBytes: number
  /** How long deletes are remembered. */
  readonly gcDeletesInMillis: number
  /** Log bytes at which a commit follows. */
  readonly flushThresholdInBytes: number
  /** Buffer bytes at which it is sealed before the next chunk. */
  readonly bufferLimitInBytes: number
  /** Documents that take longer are told; Infinity: none. */
  readonly slowIndexingInNanos: number
  readonly merge: MergeSettings
  /** Document order of merges: the text of `index.lamella.reorder`. */
  readonly mergeOrder: string
  /** The sort of every segment's documents, as text; '' for none. */
  readonly indexSort: string
  /** The least number of vectors of which a segment gets a graph; Infinity: of none. */
  readonly graphFrom: number
}
