/** The state of a snapshot as the API prints it. */
import type { JsonMap, JsonRecord } from '../../util/json/json-value.ts'
import type { ShardProgress } from './running-snapshot.ts'
import { type FileCount, sumOf } from './shard-record.ts'

/** A shard as it is printed. */
export interface PrintedShard extends ShardProgress {
  /** Whether its snapshot is still being taken. */
  readonly isRunning: boolean
}

/** A snapshot as it is printed. */
export interface PrintedStatus {
  readonly repository: string
  readonly name: string
  readonly uuid: string
  readonly state: string
  readonly includesGlobalState: boolean
  readonly startInMillis: number
  readonly endInMillis: number
  readonly indices: ReadonlyMap<string, readonly PrintedShard[]>
}

/** A snapshot with its indices and their shards. */
export function printStatus(status: PrintedStatus): JsonRecord {
  const { startInMillis, endInMillis, indices } = status
  const all = [...indices.values()].flat()
  const tookInMillis = Math.max(0, endInMillis - startInMillis)
  return {
    snapshot: status.name,
    repository: status.repository,
    uuid: status.uuid,
    state: status.state,
    include_global_state: status.includesGlobalState,
    shards_stats: shardCounts(all),
    stats: fileCounts(all, startInMillis, tookInMillis),
    indices: printIndices(indices),
  }
}

function printIndices(indices: PrintedStatus['indices']): JsonMap {
  return new Map(
    Array.from(indices, ([name, shards]) => {
      const began = shards.filter(({ startInMillis }) => startInMillis > 0)
      const start = began.length === 0 ? 0 : Math.min(...began.map(each => each.startInMillis))
      const end = Math.max(start, ...began.map(each => each.startInMillis + tookOf(each)))
      return [
        name,
        {
          shards_stats: shardCounts(shards),
          stats: fileCounts(shards, start, end - start),
          shards: new Map(shards.map((shard, number) => [String(number), printShard(shard)])),
        },
      ]
    }),
  )
}

function printShard(shard: PrintedShard): JsonRecord {
  return {
    stage: shard.stage,
    stats: fileCounts([shard], shard.startInMillis, tookOf(shard)),
    reason: shard.failure ?? undefined,
  }
}

function tookOf({ startInMillis, tookInMillis, stage, isRunning }: PrintedShard): number {
  const isUnderWay = isRunning && stage !== 'DONE' && stage !== 'FAILURE' && startInMillis > 0
  return isUnderWay ? Math.max(0, Date.now() - startInMillis) : tookInMillis
}

function shardCounts(shards: readonly PrintedShard[]): JsonRecord {
  const count = (stage: ShardProgress['stage']): number =>
    shards.filter(shard => shard.stage === stage).length
  return {
    initializing: count('INIT'),
    started: count('STARTED'),
    finalizing: count('FINALIZE'),
    done: count('DONE'),
    failed: count('FAILURE'),
    total: shards.length,
  }
}

function fileCounts(
  shards: readonly PrintedShard[],
  startInMillis: number,
  tookInMillis: number,
): JsonRecord {
  const incremental = sumOf(shards.map(shard => shard.incremental))
  const processed = sumOf(shards.map(shard => shard.processed))
  const isDone = processed.count === incremental.count && processed.bytes === incremental.bytes
  return {
    incremental: printCount(incremental),
    processed: isDone ? undefined : printCount(processed),
    total: printCount(sumOf(shards.map(shard => shard.total))),
    start_time_in_millis: startInMillis,
    time_in_millis: tookInMillis,
  }
}

function printCount({ count, bytes }: FileCount): JsonRecord {
  return { file_count: count, size_in_bytes: bytes }
}
