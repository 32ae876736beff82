/** Sums over shards, as the sections of statistics print them. */
import type { OperationStats, ShardStats } from '../../engine/api/stats.ts'

/** A number of each of some shards, added up and rounded. */
export function sum(shards: readonly ShardStats[], of: (shard: ShardStats) => number): number {
  let total = 0
  for (const shard of shards) total += of(shard)
  return Math.round(total)
}

/** Bytes of a shard's field data. */
export function fieldDataBytes({ fieldData }: ShardStats): number {
  let total = 0
  for (const bytes of fieldData.fields.values()) total += bytes
  return total
}

/** `⟨name⟩_total`, `⟨name⟩_time_in_millis` and `⟨name⟩_current` of an operation. */
export function operations(name: string, of: readonly OperationStats[]): Record<string, number> {
  let count = 0
  let millis = 0
  let current = 0
  for (const operation of of) {
    count += operation.count
    millis += Math.round(operation.timeInMillis)
    current += operation.current
  }
  return {
    [`${name}_total`]: count,
    [`${name}_time_in_millis`]: millis,
    [`${name}_current`]: current,
  }
}

/** Zeros of operations that are never run here. */
export function neverRun(name: string): Record<string, number> {
  return operations(name, [])
}
