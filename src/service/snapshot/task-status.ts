/** How far a snapshot or a restore is, as its task shows it. */
import type { JsonRecord } from '../../util/json/json-value.ts'
import type { ShardProgress } from './running-snapshot.ts'
import { type FileCount, sumOf } from './shard-record.ts'

/** Shards and files of a snapshot that is being taken: files are those that have to be copied. */
export function statusOfShards(shards: readonly ShardProgress[]): JsonRecord {
  const ended = shards.filter(({ stage }) => stage === 'DONE' || stage === 'FAILURE')
  return printStatus(
    { total: shards.length, done: ended.length },
    sumOf(shards.map(({ incremental }) => incremental)),
    sumOf(shards.map(({ processed }) => processed)),
  )
}

/** The form of all of them. */
export function printStatus(
  shards: { readonly total: number; readonly done: number },
  all: FileCount,
  copied: FileCount,
): JsonRecord {
  return {
    shards: { total: shards.total, done: shards.done },
    files: { total: all.count, copied: copied.count },
    size_in_bytes: { total: all.bytes, copied: copied.bytes },
  }
}
