import type { NodeInfo } from '../../../engine/api/cluster.ts'
import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Column, column } from '../../cat/column.ts'
import type { Endpoint } from '../../endpoint.ts'
import { addressOf, attributesOf } from '../../node-view.ts'

interface AttributeRow {
  readonly node: NodeInfo
  readonly host: string
  readonly name: string
  readonly value: string
}

const right = { isRight: true, isDefault: false }

const COLUMNS: readonly Column<AttributeRow>[] = [
  column('node', 'name', 'name of the node', row => row.node.nodeName),
  column('id', 'nodeId', 'id of the node', row => row.node.nodeId.slice(0, 4), {
    isDefault: false,
  }),
  column('pid', 'p', 'id of the process', () => process.pid, right),
  column('host', 'h', 'host of the node', row => row.host),
  column('ip', 'i', 'address of the node', row => row.host),
  column('port', 'po', 'port between nodes', () => 0, right),
  column('attr', 'attr.name', 'name of the attribute', row => row.name),
  column('value', 'attr.value', 'value of the attribute', row => row.value),
]

/** `GET /_cat/nodeattrs`. */
export const catNodeAttributes: Endpoint = catEndpoint({
  routes: [['GET', '/_cat/nodeattrs']],
  action: 'cluster:monitor/nodes/info',
  params: {},
  columns: () => COLUMNS,
  rows: ({ engine, httpAddress }) => {
    const node = engine.cluster.nodeInfo()
    const { host } = addressOf(node, httpAddress)
    return [...attributesOf(node)].map(([name, value]) => ({ node, host, name, value }))
  },
})
