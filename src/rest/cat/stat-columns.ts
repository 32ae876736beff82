/** Statistics of shards as columns, which the tables of indices and of shards share. */
import type { OperationStats, ShardStats } from '../../engine/api/stats.ts'
import { type Cell, type Column, column } from './column.ts'

/** A row that stands for some shards. */
interface ShardsRow {
  readonly shards: readonly ShardStats[]
}

type ShardsCell = (shards: readonly ShardStats[]) => Cell

const ROWS: readonly (readonly [
  name: string,
  alias: string,
  description: string,
  cell: ShardsCell,
])[] = [
  ['completion.size', 'cs', 'size of completion data', () => ({ bytes: 0 })],
  ['fielddata.memory_size', 'fm', 'memory of field data', () => ({ bytes: 0 })],
  ['fielddata.evictions', 'fe', 'evictions of field data', () => 0],
  [
    'query_cache.memory_size',
    'qcm',
    'memory of cached filters',
    shards => ({ bytes: sum(shards, s => s.filterCache.bytes) }),
  ],
  [
    'query_cache.evictions',
    'qce',
    'evictions of cached filters',
    shards => sum(shards, s => s.filterCache.made - s.filterCache.kept),
  ],
  ['request_cache.memory_size', 'rcm', 'memory of cached answers', () => ({ bytes: 0 })],
  ['request_cache.evictions', 'rce', 'evictions of cached answers', () => 0],
  ['request_cache.hit_count', 'rchc', 'hits in cached answers', () => 0],
  ['request_cache.miss_count', 'rcmc', 'misses in cached answers', () => 0],
  ['flush.total', 'ft', 'number of flushes', shards => sum(shards, s => s.flush.count)],
  ['flush.total_time', 'ftt', 'time spent in flushes', time(s => s.flush)],
  [
    'get.current',
    'gc',
    'gets that run',
    shards => sum(shards, s => s.get.exists.current + s.get.missing.current),
  ],
  [
    'get.time',
    'gti',
    'time spent in gets',
    shards => millis(sum(shards, s => s.get.exists.timeInMillis + s.get.missing.timeInMillis)),
  ],
  [
    'get.total',
    'gto',
    'number of gets',
    shards => sum(shards, s => s.get.exists.count + s.get.missing.count),
  ],
  ['get.exists_time', 'geti', 'time spent in gets that found', time(s => s.get.exists)],
  ['get.exists_total', 'geto', 'number of gets that found', count(s => s.get.exists)],
  ['get.missing_time', 'gmti', 'time spent in gets that missed', time(s => s.get.missing)],
  ['get.missing_total', 'gmto', 'number of gets that missed', count(s => s.get.missing)],
  ['indexing.delete_current', 'idc', 'deletions that run', current(s => s.deletes)],
  ['indexing.delete_time', 'idti', 'time spent in deletions', time(s => s.deletes)],
  ['indexing.delete_total', 'idto', 'number of deletions', count(s => s.deletes)],
  ['indexing.index_current', 'iic', 'index operations that run', current(s => s.indexing)],
  ['indexing.index_time', 'iiti', 'time spent in index operations', time(s => s.indexing)],
  ['indexing.index_total', 'iito', 'number of index operations', count(s => s.indexing)],
  [
    'indexing.index_failed',
    'iif',
    'number of index operations that failed',
    shards => sum(shards, s => s.indexing.failed),
  ],
  ['merges.current', 'mc', 'merges that run', current(s => s.merge)],
  ['merges.current_docs', 'mcd', 'documents of merges that run', () => 0],
  ['merges.current_size', 'mcs', 'size of merges that run', () => ({ bytes: 0 })],
  ['merges.total', 'mt', 'number of merges', count(s => s.merge)],
  ['merges.total_docs', 'mtd', 'documents merged', shards => sum(shards, s => s.merge.docs)],
  [
    'merges.total_size',
    'mts',
    'size merged',
    shards => ({ bytes: sum(shards, s => s.merge.sizeInBytes) }),
  ],
  ['merges.total_time', 'mtt', 'time spent in merges', time(s => s.merge)],
  ['refresh.total', 'rto', 'number of refreshes', count(s => s.refresh)],
  ['refresh.time', 'rti', 'time spent in refreshes', time(s => s.refresh)],
  ['refresh.external_total', 'reto', 'number of refreshes for searches', count(s => s.refresh)],
  ['refresh.external_time', 'reti', 'time spent in refreshes for searches', time(s => s.refresh)],
  ['refresh.listeners', 'rli', 'writes that wait for a refresh', () => 0],
  ['search.fetch_current', 'sfc', 'fetch phases that run', current(s => s.fetch)],
  ['search.fetch_time', 'sfti', 'time spent in fetch phases', time(s => s.fetch)],
  ['search.fetch_total', 'sfto', 'number of fetch phases', count(s => s.fetch)],
  ['search.open_contexts', 'so', 'searches that are held open', () => 0],
  ['search.query_current', 'sqc', 'query phases that run', current(s => s.query)],
  ['search.query_time', 'sqti', 'time spent in query phases', time(s => s.query)],
  ['search.query_total', 'sqto', 'number of query phases', count(s => s.query)],
  ['search.scroll_current', 'scc', 'scrolls that are open', () => 0],
  ['search.scroll_time', 'scti', 'time that scrolls were open', () => millis(0)],
  ['search.scroll_total', 'scto', 'number of scrolls', () => 0],
  ['search.point_in_time_current', 'spc', 'points in time that are open', () => 0],
  ['search.point_in_time_time', 'spti', 'time that points in time were open', () => millis(0)],
  ['search.point_in_time_total', 'spto', 'number of points in time', () => 0],
  ['segments.count', 'sc', 'number of segments', shards => sum(shards, s => s.segmentCount)],
  [
    'segments.memory',
    'sm',
    'memory of segments',
    shards => ({ bytes: sum(shards, s => s.segmentMemoryInBytes) }),
  ],
  ['segments.index_writer_memory', 'siwm', 'memory of writers', () => ({ bytes: 0 })],
  ['segments.version_map_memory', 'svmm', 'memory of version maps', () => ({ bytes: 0 })],
  ['segments.fixed_bitset_memory', 'sfbm', 'memory of bit sets', () => ({ bytes: 0 })],
  ['warmer.current', 'wc', 'warmers that run', () => 0],
  ['warmer.total', 'wto', 'number of warmers', () => 0],
  ['warmer.total_time', 'wtt', 'time spent in warmers', () => millis(0)],
  ['suggest.current', 'suc', 'suggestions that run', () => 0],
  ['suggest.time', 'suti', 'time spent in suggestions', () => millis(0)],
  ['suggest.total', 'suto', 'number of suggestions', () => 0],
]

/** The columns of statistics, none of them shown unless `h` names it. */
export const STAT_COLUMNS: readonly Column<ShardsRow>[] = ROWS.map(
  ([name, alias, description, cell]) =>
    column(name, `${alias},${camelCase(name)}`, description, row => cell(row.shards), {
      isRight: true,
      isDefault: false,
    }),
)

/** `queryCacheEvictions` of `query_cache.evictions`. */
export function camelCase(name: string): string {
  return name.replace(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function count(of: (shard: ShardStats) => OperationStats): ShardsCell {
  return shards => sum(shards, shard => of(shard).count)
}

function time(of: (shard: ShardStats) => OperationStats): ShardsCell {
  return shards => millis(sum(shards, shard => of(shard).timeInMillis))
}

function current(of: (shard: ShardStats) => OperationStats): ShardsCell {
  return shards => sum(shards, shard => of(shard).current)
}

function millis(value: number): Cell {
  return { nanos: Math.round(value) * 1e6 }
}

function sum(shards: readonly ShardStats[], of: (shard: ShardStats) => number): number {
  return shards.reduce((total, shard) => total + of(shard), 0)
}
