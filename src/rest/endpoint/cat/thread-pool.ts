import type { NodeInfo, ThreadPoolInfo } from '../../../engine/api/cluster.ts'
import { matchesWildcard } from '../../../util/wildcard.ts'
import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Cell, type Column, column } from '../../cat/column.ts'
import type { Endpoint } from '../../endpoint.ts'
import { addressOf } from '../../node-view.ts'
import { takes } from '../../param-form.ts'
import { list, type ParamReader } from '../../params.ts'

interface PoolRow {
  readonly pool: ThreadPoolInfo
  readonly node: NodeInfo
  readonly host: string
}

const right = { isRight: true }
const hidden = { isDefault: false }
const hiddenRight = { isDefault: false, isRight: true }
/** The unit of sizes, none of which are shown here. */
const size: ParamReader<string> = takes('k | m | g | t | p', value => value)

const COLUMNS: readonly Column<PoolRow>[] = [
  column('node_name', 'nn', 'name of the node', row => row.node.nodeName),
  column('node_id', 'id', 'id of the node', row => row.node.nodeId, hidden),
  column('ephemeral_node_id', 'eid', 'id of its process', row => row.node.ephemeralId, hidden),
  column('pid', 'p', 'number of its process', () => process.pid, hidden),
  column('host', 'h', 'host of the node', row => row.host, hidden),
  column('ip', 'i', 'address of the node', row => row.host, hidden),
  column('port', 'po', 'port between nodes', () => 0, hidden),
  column('name', 'n', 'name of the pool', row => row.pool.name),
  column('type', 't', 'kind of the pool', row => row.pool.type, hidden),
  column('active', 'a', 'requests that run', row => row.pool.use.active, right),
  column('pool_size', 'psz', 'threads now', row => row.pool.use.threads, hiddenRight),
  column('queue', 'q', 'requests that wait', row => row.pool.use.queued, right),
  column('queue_size', 'qs', 'limit of the queue', row => row.pool.queueSize, hiddenRight),
  column('rejected', 'r', 'requests refused', row => row.pool.use.rejected, right),
  column('largest', 'l', 'most threads so far', row => row.pool.use.largest, hiddenRight),
  column('completed', 'c', 'requests answered', row => row.pool.use.completed, hiddenRight),
  column('total_wait_time', 'twt', 'time that requests have waited', waitTime, hiddenRight),
  column('core', 'cr', 'fewest threads', ofScaling('core'), hiddenRight),
  column('max', 'mx', 'most threads', ofScaling('max'), hiddenRight),
  column(
    'size',
    'sz',
    'number of threads',
    ({ pool }) => (pool.type === 'scaling' ? null : pool.size),
    hiddenRight,
  ),
  column('keep_alive', 'ka', 'how long idle threads stay', ofScaling('keepAlive'), hiddenRight),
]

function ofScaling(key: 'core' | 'max' | 'keepAlive'): (row: PoolRow) => Cell {
  return ({ pool }) => (pool.type === 'scaling' ? pool[key] : null)
}

/** Measured where a queue may grow and shrink; −1 elsewhere. */
function waitTime({ pool }: PoolRow): Cell {
  return pool.type === 'resizable' ? { nanos: Math.round(pool.use.waitedInMillis) * 1e6 } : -1
}

/** `GET /_cat/thread_pool[/{thread_pool_patterns}]`. */
export const catThreadPool: Endpoint = catEndpoint({
  routes: [
    ['GET', '/_cat/thread_pool'],
    ['GET', '/_cat/thread_pool/{thread_pool_patterns}'],
  ],
  action: 'cluster:monitor/nodes/info',
  params: { size },
  columns: () => COLUMNS,
  rows({ engine, part, httpAddress }) {
    const patterns = list(part('thread_pool_patterns'))
    const node = engine.cluster.nodeInfo()
    const { host } = addressOf(node, httpAddress)
    return node.threadPools
      .filter(
        ({ name }) =>
          patterns.length === 0 || patterns.some(pattern => matchesWildcard(pattern, name)),
      )
      .map(pool => ({ pool, node, host }))
  },
})
