import type { NodeInfo } from '../../../engine/api/cluster.ts'
import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Column, column } from '../../cat/column.ts'
import type { Endpoint } from '../../endpoint.ts'

interface PluginRow {
  readonly node: NodeInfo
  readonly component: string
  readonly version: string
  readonly description: string
}

const hidden = { isDefault: false }

const COLUMNS: readonly Column<PluginRow>[] = [
  column('id', '', 'id of the node', row => row.node.nodeId.slice(0, 4), hidden),
  column('name', 'n', 'name of the node', row => row.node.nodeName),
  column('component', 'c', 'name of the plugin', row => row.component),
  column('version', 'v', 'version of the plugin', row => row.version),
  column('description', 'd', 'what the plugin does', row => row.description, hidden),
]

/** `GET /_cat/plugins`: nothing is plugged in, so the table has no rows. */
export const catPlugins: Endpoint = catEndpoint({
  routes: [['GET', '/_cat/plugins']],
  action: 'cluster:monitor/nodes/info',
  params: {},
  columns: () => COLUMNS,
  rows: () => [],
})
