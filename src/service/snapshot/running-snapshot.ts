/** A snapshot that is being taken, and how far each of its shards is. */
import type { StreamEntry } from '../../engine/api/snapshots.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import { type FileCount, NO_FILES } from './shard-record.ts'

/** Stages of a shard, in order; a failure may follow on each. */
export type ShardStage = 'INIT' | 'STARTED' | 'FINALIZE' | 'DONE' | 'FAILURE'

/** One shard on its way. */
export interface ShardProgress {
  stage: ShardStage
  total: FileCount
  /** Those of them that the repository does not have yet. */
  incremental: FileCount
  /** Those of these that it has by now. */
  processed: FileCount
  /** Milliseconds since 1970; 0 before it begins. */
  startInMillis: number
  /** 0 until it ends. */
  tookInMillis: number
  failure: string | null
}

/** A snapshot that is being taken. */
export interface RunningSnapshot {
  readonly name: string
  readonly uuid: string
  readonly includesGlobalState: boolean
  readonly metadata: JsonNode | null
  readonly startInMillis: number
  /** Known once its indices are held. */
  dataStreams: readonly StreamEntry[]
  /** The progress of shards by index; the same. */
  indices: ReadonlyMap<string, readonly ShardProgress[]>
  /** Has it end without a result. */
  abort(): void
  isAborted: boolean
  /** Resolves when it has ended, however that was. */
  ended: Promise<void>
}

/** A shard that has not begun. */
export function newProgress(): ShardProgress {
  return {
    stage: 'INIT',
    total: NO_FILES,
    incremental: NO_FILES,
    processed: NO_FILES,
    startInMillis: 0,
    tookInMillis: 0,
    failure: null,
  }
}
