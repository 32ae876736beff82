/**
 * The thread pools of the real server, and one of ours. There are threads in `search`, whose slices
 * `index_searcher` counts, in `write`, `force_merge` and `pipeline`; the others work between requests
 * on the calling thread, so that they count nothing.
 */
import { addUses, NO_USE } from '../../pool/pool-use.ts'
import type { ThreadPoolInfo } from '../api/cluster.ts'
import type { Node } from './node.ts'

/** Seconds after which idle threads of a scaling pool end. */
const SCALING: Readonly<Record<string, readonly [core: number, max: number, keepAlive: string]>> = {
  fetch_shard_started: [1, 2, '5m'],
  fetch_shard_store: [1, 2, '5m'],
  flush: [1, 1, '5m'],
  generic: [4, 128, '30s'],
  management: [1, 5, '5m'],
  refresh: [1, 1, '5m'],
  remote_purge: [1, 1, '5m'],
  remote_recovery: [1, 2, '5m'],
  remote_refresh_retry: [1, 1, '5m'],
  remote_state_read: [1, 1, '5m'],
  snapshot: [1, 1, '5m'],
  snapshot_deletion: [1, 64, '5m'],
  translog_sync: [1, 1, '5m'],
  translog_transfer: [1, 1, '5m'],
  warmer: [1, 1, '5m'],
}

/** Threads and length of the queue, −1 for none of a limit. */
const FIXED: Readonly<Record<string, readonly [size: number, queueSize: number]>> = {
  analyze: [1, 16],
  get: [1, 1000],
  listener: [1, -1],
  remote_state_checksum: [1, -1],
  system_read: [1, 2000],
  system_write: [1, 1000],
}

const RESIZABLE: Readonly<Record<string, readonly [size: number, queueSize: number]>> = {
  search_throttled: [1, 100],
}

/** One of pipelines, and one of scripts of updates. */
const PIPELINE_THREADS = 2

/** All thread pools with their counters, in order of name. */
export function threadPoolsOf(node: Node, searchQueueSize: number): ThreadPoolInfo[] {
  const pools: ThreadPoolInfo[] = []
  for (const [name, [core, max, keepAlive]] of Object.entries(SCALING))
    pools.push({ name, type: 'scaling', core, max, keepAlive, queueSize: -1, use: NO_USE })
  for (const [name, [size, queueSize]] of Object.entries(FIXED))
    pools.push({ name, type: 'fixed', size, queueSize, use: NO_USE })
  for (const [name, [size, queueSize]] of Object.entries(RESIZABLE))
    pools.push({ name, type: 'resizable', size, queueSize, use: NO_USE })
  const { searcher, writeThreads, lanes } = node
  const search = {
    type: 'resizable' as const,
    size: searcher.threadCount,
    queueSize: searchQueueSize,
    use: searcher.threadUse(),
  }
  pools.push(
    { name: 'search', ...search },
    { name: 'index_searcher', ...search, threadsOf: 'search' },
    { name: 'write', type: 'fixed', size: writeThreads, queueSize: -1, use: lanes.writeUse() },
    { name: 'force_merge', type: 'fixed', size: 1, queueSize: -1, use: lanes.mergeUse() },
    {
      name: 'pipeline',
      type: 'fixed',
      size: PIPELINE_THREADS,
      queueSize: -1,
      use: addUses([node.ingest.threadUse(), node.updates.use()]),
    },
  )
  return pools.sort((a, b) => (a.name < b.name ? -1 : 1))
}
