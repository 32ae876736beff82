import type { ShardStats } from '../../engine/api/stats.ts'
import { Float64, type JsonRecord, type JsonValue } from '../../util/json/json-value.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import { neverRun, operations, sum } from './shard-sums.ts'

/**
 * The `search` metric of some shards together.
 * @param groups names and patterns of the groups that are printed
 */
export function searchMetric(shards: readonly ShardStats[], groups: readonly string[]): JsonRecord {
  const concurrent = sum(shards, s => s.concurrentQuery.count)
  const slices = sum(shards, s => s.concurrentQuery.slices)
  return {
    open_contexts: sum(shards, s => s.openContexts),
    ...operations(
      'query',
      shards.map(s => s.query),
    ),
    query_failed: sum(shards, s => s.query.failed),
    ...operations(
      'concurrent_query',
      shards.map(s => s.concurrentQuery),
    ),
    concurrent_avg_slice_count: new Float64(concurrent === 0 ? 0 : slices / concurrent),
    ...neverRun('startree_query'),
    startree_query_failed: 0,
    ...operations(
      'fetch',
      shards.map(s => s.fetch),
    ),
    ...operations(
      'scroll',
      shards.map(s => s.scroll),
    ),
    ...operations(
      'point_in_time',
      shards.map(s => s.pointInTime),
    ),
    ...operations(
      'suggest',
      shards.map(s => s.suggest),
    ),
    search_idle_reactivate_count_total: 0,
    groups: printGroups(shards, groups),
  } as JsonRecord
}

function printGroups(
  shards: readonly ShardStats[],
  patterns: readonly string[],
): JsonValue | undefined {
  if (patterns.length === 0) return undefined
  const names = new Set(shards.flatMap(({ groups }) => [...groups.keys()]))
  const printed = new Map<string, JsonValue>()
  for (const name of [...names].sort()) {
    if (!patterns.some(pattern => matchesWildcard(pattern, name))) continue
    const own = shards.flatMap(({ groups }) => groups.get(name) ?? [])
    printed.set(name, {
      ...operations(
        'query',
        own.map(group => group.query),
      ),
      ...operations(
        'fetch',
        own.map(group => group.fetch),
      ),
      // Contexts and suggestions are of no group.
      ...neverRun('scroll'),
      ...neverRun('point_in_time'),
      ...neverRun('suggest'),
      search_idle_reactivate_count_total: 0,
    })
  }
  return printed.size === 0 ? undefined : printed
}
