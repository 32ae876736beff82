/** Statistics of shards as columns, which the tables of indices and of shards share. */
import type { OperationStats, ShardStats } from '../../engine/api/stats.ts'
import { fieldDataBytes } from '../stats/shard-sums.ts'
import { type Cell, type Column, camelCase, column } from './column.ts'

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
  [
    'completion.size',
    'cs',
    'size of completion data',
    shards => ({ bytes: sum(shards, s => [...s.completions.values()].reduce((a, b) => a + b, 0)) }),
  ],
  [
    'fielddata.memory_size',
    'fm',
    'memory of field data',
    shards => ({ bytes: sum(shards, fieldDataBytes) }),
  ],
  [
    'fielddata.evictions',
    'fe',
    'evictions of field data',
    shards => sum(shards, s => s.fieldData.evictions),
  ],
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
  [
    'request_cache.memory_size',
    'rcm',
    'memory of cached answers',
    shards => ({ bytes: sum(shards, s => s.requestCache.bytes) }),
  ],
  [
    'request_cache.evictions',
    'rce',
    'evictions of cached answers',
    shards => sum(shards, s => s.requestCache.evictions),
  ],
  [
    'request_cache.hit_count',
    'rchc',
    'hits in cached answers',
    shards => sum(shards, s => s.requestCache.hits),
  ],
  [
    'request_cache.miss_count',
    'rcmc',
    'misses in cached answers',
    shards => sum(shards, s => s.requestCache.misses),
  ],
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
  [
    'merges.current_docs',
    'mcd',
    'documents of merges that run',
    shards => sum(shards, s => s.merge.currentDocs),
  ],
  [
    'merges.current_size',
    'mcs',
    'size of merges that run',
    shards => ({ bytes: sum(shards, s => s.merge.currentSizeInBytes) }),
  ],
  ['merges.total', 'mt', 'number of merges', count(s => s.merge)],
  ['merges.total_docs', 'mtd', 'documents merged', shards => sum(shards, s => s.merge.docs)],
  [
    'merges.total_size',
    'mts',
    'size merged',
    shards => ({ bytes: sum(shards, s => s.merge.sizeInBytes) }),
  ],
  ['merges.total_time', 'mtt', 'time spent in merges', time(s => s.merge)],
  // No copy of a shard is warmed by merges of another.
  ['merges.warmer.total_invocations', 'mswti', 'number of copies warmed', () => 0],
  ['merges.warmer.total_time', 'mswtt', 'time spent in warming copies', () => millis(0)],
  ['merges.warmer.ongoing_count', 'mswoc', 'copies that are warmed now', () => 0],
  ['merges.warmer.total_bytes_received', 'mswtbr', 'bytes received', () => ({ bytes: 0 })],
  ['merges.warmer.total_bytes_sent', 'mswtbs', 'bytes sent', () => ({ bytes: 0 })],
  ['merges.warmer.total_receive_time', 'mswtrt', 'time spent in receiving', () => millis(0)],
  ['merges.warmer.total_failure_count', 'mswtfc', 'copies that could not be warmed', () => 0],
  ['merges.warmer.total_send_time', 'mswtst', 'time spent in sending', () => millis(0)],
  ['refresh.total', 'rto', 'number of refreshes', count(s => s.refresh)],
  ['refresh.time', 'rti', 'time spent in refreshes', time(s => s.refresh)],
  ['refresh.external_total', 'reto', 'number of refreshes for searches', count(s => s.refresh)],
  ['refresh.external_time', 'reti', 'time spent in refreshes for searches', time(s => s.refresh)],
  [
    'refresh.listeners',
    'rli',
    'writes that wait for a refresh',
    shards => sum(shards, s => s.refresh.listeners),
  ],
  ['search.fetch_current', 'sfc', 'fetch phases that run', current(s => s.fetch)],
  ['search.fetch_time', 'sfti', 'time spent in fetch phases', time(s => s.fetch)],
  ['search.fetch_total', 'sfto', 'number of fetch phases', count(s => s.fetch)],
  [
    'search.open_contexts',
    'so',
    'searches that are held open',
    shards => sum(shards, s => s.openContexts),
  ],
  ['search.query_current', 'sqc', 'query phases that run', current(s => s.query)],
  ['search.query_time', 'sqti', 'time spent in query phases', time(s => s.query)],
  ['search.query_total', 'sqto', 'number of query phases', count(s => s.query)],
  [
    'search.query_failed',
    'sqf',
    'number of query phases that failed',
    shards => sum(shards, s => s.query.failed),
  ],
  [
    'search.concurrent_query_current',
    'scqc',
    'query phases in slices that run',
    current(s => s.concurrentQuery),
  ],
  [
    'search.concurrent_query_time',
    'scqti',
    'time spent in query phases in slices',
    time(s => s.concurrentQuery),
  ],
  [
    'search.concurrent_query_total',
    'scqto',
    'number of query phases in slices',
    count(s => s.concurrentQuery),
  ],
  ['search.concurrent_avg_slice_count', 'casc', 'slices of such a query phase', averageSlices],
  ['search.startree_query_current', 'stqc', 'query phases over star trees that run', () => 0],
  ['search.startree_query_time', 'stqti', 'time spent over star trees', () => millis(0)],
  ['search.startree_query_total', 'stqto', 'number of query phases over star trees', () => 0],
  ['search.startree_query_failed', 'stqf', 'number of these that failed', () => 0],
  ['search.scroll_current', 'scc', 'scrolls that are open', current(s => s.scroll)],
  ['search.scroll_time', 'scti', 'time that scrolls were open', time(s => s.scroll)],
  ['search.scroll_total', 'scto', 'number of scrolls', count(s => s.scroll)],
  [
    'search.point_in_time_current',
    'spc',
    'points in time that are open',
    current(s => s.pointInTime),
  ],
  [
    'search.point_in_time_time',
    'spti',
    'time that points in time were open',
    time(s => s.pointInTime),
  ],
  ['search.point_in_time_total', 'spto', 'number of points in time', count(s => s.pointInTime)],
  [
    'search.search_idle_reactivate_count_total',
    'ssirct',
    'number of shards woken by a search',
    () => 0,
  ],
  ['segments.count', 'sc', 'number of segments', shards => sum(shards, s => s.segmentCount)],
  [
    'segments.memory',
    'sm',
    'memory of segments',
    shards => ({ bytes: sum(shards, s => s.segmentMemoryInBytes) }),
  ],
  [
    'segments.index_writer_memory',
    'siwm',
    'memory of writers',
    shards => ({ bytes: sum(shards, s => s.writerInBytes) }),
  ],
  [
    'segments.version_map_memory',
    'svmm',
    'memory of version maps',
    shards => ({ bytes: sum(shards, s => s.versionMapInBytes) }),
  ],
  [
    'segments.fixed_bitset_memory',
    'sfbm',
    'memory of bit sets',
    shards => ({ bytes: sum(shards, s => s.memory.bitSets) }),
  ],
  ['warmer.current', 'wc', 'warmers that run', () => 0],
  ['warmer.total', 'wto', 'number of warmers', () => 0],
  ['warmer.total_time', 'wtt', 'time spent in warmers', () => millis(0)],
  ['suggest.current', 'suc', 'suggestions that run', current(s => s.suggest)],
  ['suggest.time', 'suti', 'time spent in suggestions', time(s => s.suggest)],
  ['suggest.total', 'suto', 'number of suggestions', count(s => s.suggest)],
]

/** The columns of statistics, none of them shown unless `h` names it. */
export const STAT_COLUMNS: readonly Column<ShardsRow>[] = ROWS.map(
  ([name, alias, description, cell]) =>
    column(name, `${alias},${camelCase(name)}`, description, row => cell(row.shards), {
      isRight: true,
      isDefault: false,
    }),
)

function averageSlices(shards: readonly ShardStats[]): string {
  const searches = sum(shards, s => s.concurrentQuery.count)
  const slices = sum(shards, s => s.concurrentQuery.slices)
  return (searches === 0 ? 0 : slices / searches).toFixed(1)
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
