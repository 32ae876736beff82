import type { IndexStats, RequestCacheStats } from '../../../engine/api/stats.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'

/** The level below which caches are printed one by one; null: all together alone. */
export type CacheLevel = 'indices' | 'shards' | null

/** Where cached answers lie. */
const STORE = 'opensearch_onheap'

/**
 * `caches`.
 * @param stats of all indices, for a level
 */
export function printCaches(
  total: RequestCacheStats,
  level: CacheLevel,
  stats: readonly IndexStats[],
): JsonRecord {
  return {
    request_cache: {
      ...printUse(total),
      store_name: STORE,
      ...(level === null ? {} : { [level]: printBelow(level, stats) }),
    },
  }
}

function printBelow(level: 'indices' | 'shards', stats: readonly IndexStats[]): JsonValue {
  const rows = stats.flatMap(({ index, shards }): [string, JsonValue][] =>
    level === 'indices'
      ? [[index, printUse(addUses(shards.map(({ requestCache }) => requestCache)))]]
      : shards.map(({ shard, requestCache }) => [`[${index}][${shard}]`, printUse(requestCache)]),
  )
  return new Map(rows)
}

function printUse({ bytes, evictions, hits, misses, count }: RequestCacheStats): JsonRecord {
  return {
    size_in_bytes: bytes,
    evictions,
    hit_count: hits,
    miss_count: misses,
    item_count: count,
  }
}

function addUses(uses: readonly RequestCacheStats[]): RequestCacheStats {
  const total = { hits: 0, misses: 0, evictions: 0, bytes: 0, count: 0 }
  for (const use of uses)
    for (const key of Object.keys(total) as (keyof RequestCacheStats)[]) total[key] += use[key]
  return total
}
