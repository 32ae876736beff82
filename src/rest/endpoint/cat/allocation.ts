import type { NodeInfo, NodeUse } from '../../../engine/api/cluster.ts'
import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Cell, type Column, column } from '../../cat/column.ts'
import { type Endpoint, NO_TARGET_PARAMS, targetOf } from '../../endpoint.ts'
import { addressOf, isNodeMeant } from '../../node-view.ts'
import { list } from '../../params.ts'

/** The node, or the copies that have none. */
interface AllocationRow {
  readonly shardCount: number
  /** Null for copies without a node. */
  readonly node: NodeInfo | null
  readonly host: string | null
  readonly indicesInBytes: number
  readonly disk: NodeUse['disk']
}

const right = { isRight: true }

const COLUMNS: readonly Column<AllocationRow>[] = [
  column('shards', 's', 'number of shards', row => row.shardCount, right),
  column(
    'disk.indices',
    'di,diskIndices',
    'size of its shards',
    row => (row.node === null ? null : { bytes: row.indicesInBytes }),
    right,
  ),
  column(
    'disk.used',
    'du,diskUsed',
    'space of the disk in use',
    disk(d => ({ bytes: d.totalInBytes - d.availableInBytes })),
    right,
  ),
  column(
    'disk.avail',
    'da,diskAvail',
    'space of the disk that is free',
    disk(d => ({ bytes: d.availableInBytes })),
    right,
  ),
  column(
    'disk.total',
    'dt,diskTotal',
    'size of the disk',
    disk(d => ({ bytes: d.totalInBytes })),
    right,
  ),
  column(
    'disk.percent',
    'dp,diskPercent',
    'share of the disk in use',
    disk(d => Math.floor((100 * (d.totalInBytes - d.availableInBytes)) / d.totalInBytes)),
    right,
  ),
  column('host', 'h', 'host of the node', row => row.host),
  column('ip', '', 'address of the node', row => row.host),
  column('node', 'n', 'name of the node', row => row.node?.nodeName ?? 'UNASSIGNED'),
]

function disk(of: (disk: NonNullable<NodeUse['disk']>) => Cell): (row: AllocationRow) => Cell {
  return row => (row.disk === null ? null : of(row.disk))
}

/** `GET /_cat/allocation[/{node_id}]`: shards and disk space of the node, and shards without one. */
export const catAllocation: Endpoint = catEndpoint({
  routes: [
    ['GET', '/_cat/allocation'],
    ['GET', '/_cat/allocation/{node_id}'],
  ],
  action: 'indices:monitor/stats',
  params: {},
  columns: () => COLUMNS,
  rows({ engine, part, httpAddress, context }) {
    const node = engine.cluster.nodeInfo()
    const copies = engine.shards.copies(targetOf('', NO_TARGET_PARAMS, 'all'), context)
    const rows: AllocationRow[] = []
    if (isNodeMeant(list(part('node_id')), node, httpAddress)) {
      const active = copies.filter(({ isActive }) => isActive)
      rows.push({
        shardCount: active.length,
        node,
        host: addressOf(node, httpAddress).host,
        indicesInBytes: active.reduce((sum, { storeInBytes }) => sum + storeInBytes, 0),
        disk: engine.cluster.nodeUse().disk,
      })
    }
    const unassigned = copies.filter(({ isActive }) => !isActive).length
    if (unassigned > 0)
      rows.push({
        shardCount: unassigned,
        node: null,
        host: null,
        indicesInBytes: 0,
        disk: null,
      })
    return rows
  },
})
