import { freemem, loadavg, totalmem } from 'node:os'
import type { NodeInfo, NodeUse } from '../../../engine/api/cluster.ts'
import type { ShardStats } from '../../../engine/api/stats.ts'
import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Column, column } from '../../cat/column.ts'
import { STAT_COLUMNS } from '../../cat/stat-columns.ts'
import { type Endpoint, NO_TARGET_PARAMS, targetOf } from '../../endpoint.ts'
import { addressOf, NODE_ROLES, ROLE_LETTERS } from '../../node-view.ts'
import { flag } from '../../params.ts'
import { heapUse } from '../../process-use.ts'
import { VERSION_INFO } from '../../version.ts'

interface NodeRow {
  readonly node: NodeInfo
  readonly host: string
  /** `host:port`; null without a socket. */
  readonly httpAddress: string | null
  /** Whether ids are shown whole. */
  readonly hasFullIds: boolean
  readonly shards: readonly ShardStats[]
  readonly use: NodeUse
  readonly heap: { readonly used: number; readonly max: number }
  /** Share of the processors' time that the machine takes, 0–100. */
  readonly cpuPercent: number
}

const right = { isRight: true }
const hidden = { isDefault: false }
const hiddenRight = { isDefault: false, isRight: true }

const COLUMNS: readonly Column<NodeRow>[] = [
  column('id', 'id,nodeId', 'id of the node', idOf, hidden),
  column('pid', 'p', 'id of the process', () => process.pid, hidden),
  column('ip', 'i', 'address of the node', row => row.host),
  column('port', 'po', 'port between nodes', () => 0, hidden),
  column('http_address', 'http', 'address of the server', row => row.httpAddress, hidden),
  column('version', 'v', 'version of the API', () => VERSION_INFO.number, hidden),
  column('type', 't', 'kind of the build', () => VERSION_INFO.build_type, hidden),
  column('build', 'b', 'hash of the build', () => VERSION_INFO.build_hash, hidden),
  column('jdk', 'j', 'version of the runtime', () => process.versions.node, hidden),
  column(
    'disk.total',
    'dt,diskTotal',
    'size of the disk',
    disk(d => d.totalInBytes),
    hiddenRight,
  ),
  column(
    'disk.used',
    'du,diskUsed',
    'space of the disk in use',
    disk(d => d.totalInBytes - d.availableInBytes),
    hiddenRight,
  ),
  column(
    'disk.avail',
    'd,da,disk,diskAvail',
    'space of the disk that is free',
    disk(d => d.availableInBytes),
    hiddenRight,
  ),
  column(
    'disk.used_percent',
    'dup,diskUsedPercent',
    'share of the disk in use',
    usedPercent,
    hiddenRight,
  ),
  column('heap.current', 'hc,heapCurrent', 'heap in use', row => ({ bytes: row.heap.used }), {
    ...hiddenRight,
  }),
  column(
    'heap.percent',
    'hp,heapPercent',
    'share of the heap in use',
    row => Math.round((100 * row.heap.used) / row.heap.max),
    right,
  ),
  column('heap.max', 'hm,heapMax', 'limit of the heap', row => ({ bytes: row.heap.max }), {
    ...hiddenRight,
  }),
  column('ram.current', 'rc,ramCurrent', 'memory of the machine in use', ramUsed, hiddenRight),
  column(
    'ram.percent',
    'rp,ramPercent',
    'share of the memory of the machine in use',
    () => Math.round((100 * (totalmem() - freemem())) / totalmem()),
    right,
  ),
  column('ram.max', 'rm,ramMax', 'memory of the machine', () => ({ bytes: totalmem() }), {
    ...hiddenRight,
  }),
  column(
    'file_desc.current',
    'fdc,fileDescriptorCurrent',
    'file descriptors in use',
    row => row.use.openFileCount,
    hiddenRight,
  ),
  column(
    'file_desc.percent',
    'fdp,fileDescriptorPercent',
    'share of the file descriptors in use',
    ({ use }) =>
      use.maxOpenFileCount <= 0
        ? 0
        : Math.floor((100 * Math.max(0, use.openFileCount)) / use.maxOpenFileCount),
    hiddenRight,
  ),
  column(
    'file_desc.max',
    'fdm,fileDescriptorMax',
    'limit of file descriptors',
    row => row.use.maxOpenFileCount,
    hiddenRight,
  ),
  column('cpu', 'cpu', 'share of the processors in use', row => row.cpuPercent, right),
  column('load_1m', 'l', 'load of the last minute', () => load(0), right),
  column('load_5m', 'l', 'load of the last 5 minutes', () => load(1), right),
  column('load_15m', 'l', 'load of the last 15 minutes', () => load(2), right),
  column('uptime', 'u', 'time since the start', () => ({ nanos: process.uptime() * 1e9 }), {
    ...hiddenRight,
  }),
  column('node.role', 'r,role,nodeRole', 'roles, a letter each', () => ROLE_LETTERS),
  column('node.roles', 'rs,all_roles', 'roles by name', () => NODE_ROLES.join(',')),
  column('cluster_manager', 'm', '* for the cluster manager, - for others', () => '*'),
  column('name', 'n', 'name of the node', row => row.node.nodeName),
  ...STAT_COLUMNS,
]

function idOf({ node, hasFullIds }: NodeRow): string {
  return hasFullIds ? node.nodeId : node.nodeId.slice(0, 4)
}

function ramUsed(): { readonly bytes: number } {
  return { bytes: totalmem() - freemem() }
}

function disk(
  of: (disk: NonNullable<NodeUse['disk']>) => number,
): (row: NodeRow) => { readonly bytes: number } | null {
  return ({ use }) => (use.disk === null ? null : { bytes: of(use.disk) })
}

/** With two decimals. */
function usedPercent({ use }: NodeRow): string | null {
  if (use.disk === null) return null
  const { totalInBytes, availableInBytes } = use.disk
  return ((100 * (totalInBytes - availableInBytes)) / totalInBytes).toFixed(2)
}

function load(i: 0 | 1 | 2): string {
  return loadavg()[i]!.toFixed(2)
}

/** `GET /_cat/nodes`: the one node there is. */
export const catNodes: Endpoint = catEndpoint({
  routes: [['GET', '/_cat/nodes']],
  action: 'cluster:monitor/nodes/info',
  params: { full_id: flag },
  columns: () => COLUMNS,
  async rows({ engine, params, httpAddress, context }) {
    const node = engine.cluster.nodeInfo()
    const { host } = addressOf(node, httpAddress)
    const target = targetOf('', NO_TARGET_PARAMS, 'all')
    const stats = await engine.cluster.stats(target, false, context)
    return [
      {
        node,
        host,
        httpAddress,
        hasFullIds: params.full_id ?? false,
        shards: stats.flatMap(index => index.shards),
        use: engine.cluster.nodeUse(),
        heap: heapUse(),
        cpuPercent: Math.round(engine.cluster.machineUse().systemCpuPercent),
      },
    ]
  },
})
