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
  const counts = { [`${name}_total`]: 0, [`${name}_time_in_millis`]: 0, [`${name}_current`]: 0 }
  for (const { count, timeInMillis, current } of of) {
    counts[`${name}_total`]! += count
    counts[`${name}_time_in_millis`]! += Math.round(timeInMillis)
    counts[`${name}_current`]! += current
  }
  return counts
}

/** Zeros of operations that are never run here. */
export function neverRun(name: string): Record<string, number> {
  return operations(name, [])
}
