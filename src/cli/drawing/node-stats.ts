import { durationText } from '../../util/units.ts'
import type { Paints } from './paint.ts'
import { type Column, drawTable } from './table.ts'
import { bytesText, countText, nanosText, printable } from './text.ts'

/** Statistics of a node as the API prints them, as far as they are drawn. */
export interface NodeStatistics {
  readonly timestamp: number
  readonly name: string
  readonly indices: {
    readonly docs: { readonly count: number; readonly deleted: number }
    readonly store: { readonly size_in_bytes: number }
    readonly indexing: { readonly index_total: number; readonly index_time_in_millis: number }
    readonly search: {
      readonly query_total: number
      readonly query_time_in_millis: number
      readonly fetch_total: number
      readonly fetch_time_in_millis: number
      readonly open_contexts: number
    }
    readonly get: { readonly total: number; readonly time_in_millis: number }
    readonly merges: { readonly total: number; readonly total_time_in_millis: number }
    readonly refresh: { readonly total: number; readonly total_time_in_millis: number }
    readonly segments: { readonly count: number; readonly memory_in_bytes: number }
    readonly query_cache: { readonly hit_count: number; readonly miss_count: number }
    readonly request_cache: { readonly hit_count: number; readonly miss_count: number }
  }
  readonly process: {
    readonly cpu: { readonly percent: number }
    readonly mem: { readonly resident_in_bytes: number }
    readonly open_file_descriptors: number
  }
  readonly jvm: {
    readonly uptime_in_millis: number
    readonly mem: { readonly heap_used_in_bytes: number; readonly heap_max_in_bytes: number }
  }
  readonly fs: { readonly total: { readonly available_in_bytes?: number } }
  readonly thread_pool: Readonly<
    Record<
      string,
      {
        readonly threads: number
        readonly active: number
        readonly queue: number
        readonly rejected: number
        readonly completed: number
      }
    >
  >
}

const COLUMNS: readonly Column[] = [
  { title: 'work' },
  { title: 'times', align: 'right' },
  { title: 'each', align: 'right' },
  { title: 'a second', align: 'right' },
]
const POOL_COLUMNS: readonly Column[] = [
  { title: 'threads' },
  { title: 'number', align: 'right' },
  { title: 'active', align: 'right' },
  { title: 'waiting', align: 'right' },
  { title: 'refused', align: 'right' },
  { title: 'done', align: 'right' },
]

/** Kinds of work: how often each was done, and how long that took. */
const WORK: readonly (readonly [
  name: string,
  of: (indices: NodeStatistics['indices']) => readonly [count: number, millis: number],
])[] = [
  ['documents indexed', ({ indexing: i }) => [i.index_total, i.index_time_in_millis]],
  ['shards searched', ({ search: s }) => [s.query_total, s.query_time_in_millis]],
  ['hits fetched', ({ search: s }) => [s.fetch_total, s.fetch_time_in_millis]],
  ['documents got', ({ get }) => [get.total, get.time_in_millis]],
  ['refreshes', ({ refresh: r }) => [r.total, r.total_time_in_millis]],
  ['merges', ({ merges: m }) => [m.total, m.total_time_in_millis]],
]

/**
 * Statistics as lines.
 * @param before earlier ones of the same node, from which rates are told; null: there are none
 */
export function drawNodeStats(
  now: NodeStatistics,
  before: NodeStatistics | null,
  { width, paint }: { readonly width: number; readonly paint: Paints },
): string[] {
  const { indices, process: own, jvm, fs } = now
  const { heap_used_in_bytes: used, heap_max_in_bytes: max } = jvm.mem
  const free = fs.total.available_in_bytes
  const facts = [
    `${countText(indices.docs.count)} documents, ${countText(indices.docs.deleted)} deleted`,
    `${bytesText(indices.store.size_in_bytes)} in ${countText(indices.segments.count)} segments`,
    `${bytesText(indices.segments.memory_in_bytes)} of them in memory`,
    `${countText(indices.search.open_contexts)} open contexts`,
  ]
  const machine = [
    `processor ${own.cpu.percent} %`,
    `resident ${bytesText(own.mem.resident_in_bytes)}`,
    `heap ${bytesText(used)} of ${bytesText(max)}`,
    ...(free === undefined ? [] : [`disk free ${bytesText(free)}`]),
    `${countText(own.open_file_descriptors)} files`,
  ]
  return [
    `${paint.bold(printable(now.name))}  up ${durationText(jvm.uptime_in_millis * 1e6)}`,
    facts.join(', '),
    machine.join(', '),
    `filters ${hitsText(indices.query_cache)}, requests ${hitsText(indices.request_cache)}`,
    '',
    ...drawTable(COLUMNS, WORK.map(workRow(now, before)), width, paint),
    '',
    ...drawTable(POOL_COLUMNS, poolRows(now), width, paint),
  ]
}

/** Pools that have had threads. */
function poolRows({ thread_pool: pools }: NodeStatistics): string[][] {
  return Object.entries(pools)
    .filter(([name, { threads }]) => threads > 0 && name !== 'index_searcher')
    .map(([name, { threads, active, queue, rejected, completed }]) => [
      printable(name),
      ...[threads, active, queue, rejected, completed].map(countText),
    ])
}

function workRow(now: NodeStatistics, before: NodeStatistics | null) {
  return ([name, of]: (typeof WORK)[number]): string[] => {
    const [count, millis] = of(now.indices)
    const each = count === 0 ? '–' : nanosText((millis * 1e6) / count)
    if (before === null) return [name, countText(count), each, '–']
    const [earlier] = of(before.indices)
    const seconds = Math.max(1e-3, (now.timestamp - before.timestamp) / 1000)
    // The counts of an index that was deleted are gone.
    const rate = Math.max(0, count - earlier) / seconds
    return [name, countText(count), each, rate < 10 ? rate.toFixed(1) : countText(rate)]
  }
}

function hitsText({
  hit_count: hits,
  miss_count: misses,
}: {
  readonly hit_count: number
  readonly miss_count: number
}): string {
  const asked = hits + misses
  return asked === 0 ? 'not asked' : `${Math.round((100 * hits) / asked)} % from the cache`
}
