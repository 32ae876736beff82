/**
 * The thread pools of the real server. Three of them exist here: `search`, `write` and `force_merge`;
 * what the others do is done between requests on the calling thread, so that they count nothing.
 */
import type { PoolUse } from '../../pool/pool-use.ts'
import type { ThreadPoolInfo } from '../api/cluster.ts'
import type { Node } from './node.ts'

const UNUSED: PoolUse = {
  threads: 0,
  active: 0,
  queued: 0,
  rejected: 0,
  completed: 0,
  waitedInMillis: 0,
}

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
  index_searcher: [1, 1000],
  search_throttled: [1, 100],
}

/** All thread pools with their counters, in order of name. */
export function threadPoolsOf(node: Node, searchQueueSize: number): ThreadPoolInfo[] {
  const pools: ThreadPoolInfo[] = []
  for (const [name, [core, max, keepAlive]] of Object.entries(SCALING))
    pools.push({ name, type: 'scaling', core, max, keepAlive, queueSize: -1, use: UNUSED })
  for (const [name, [size, queueSize]] of Object.entries(FIXED))
    pools.push({ name, type: 'fixed', size, queueSize, use: UNUSED })
  for (const [name, [size, queueSize]] of Object.entries(RESIZABLE))
    pools.push({ name, type: 'resizable', size, queueSize, use: UNUSED })
  const { searcher, writeThreads, lanes } = node
  pools.push(
    {
      name: 'search',
      type: 'resizable',
      size: searcher.threadCount,
      queueSize: searchQueueSize,
      use: searcher.threadUse(),
    },
    { name: 'write', type: 'fixed', size: writeThreads, queueSize: -1, use: lanes.writeUse() },
    { name: 'force_merge', type: 'fixed', size: 1, queueSize: -1, use: lanes.mergeUse() },
  )
  return pools.sort((a, b) => (a.name < b.name ? -1 : 1))
}
