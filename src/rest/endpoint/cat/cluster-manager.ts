import type { NodeInfo } from '../../../engine/api/cluster.ts'
import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Column, column } from '../../cat/column.ts'
import type { Endpoint } from '../../endpoint.ts'
import { addressOf } from '../../node-view.ts'

interface ManagerRow {
  readonly node: NodeInfo
  readonly host: string
}

const COLUMNS: readonly Column<ManagerRow>[] = [
  column('id', '', 'id of the node', row => row.node.nodeId),
  column('host', 'h', 'host of the node', row => row.host),
  column('ip', '', 'address of the node', row => row.host),
  column('node', 'n', 'name of the node', row => row.node.nodeName),
]

/** `GET /_cat/cluster_manager`, and under its older name `GET /_cat/master`. */
export const catClusterManager: Endpoint = catEndpoint({
  routes: [
    ['GET', '/_cat/cluster_manager'],
    ['GET', '/_cat/master'],
  ],
  action: 'cluster:monitor/state',
  params: {},
  columns: () => COLUMNS,
  rows: ({ engine, httpAddress }) => {
    const node = engine.cluster.nodeInfo()
    return [{ node, host: addressOf(node, httpAddress).host }]
  },
})
