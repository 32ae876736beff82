import { matchesWildcard } from '../../../util/wildcard.ts'
import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Column, column } from '../../cat/column.ts'
import { type Endpoint, NO_TARGET_PARAMS, targetOf } from '../../endpoint.ts'
import { addressOf } from '../../node-view.ts'
import { list } from '../../params.ts'

/** A field of a node with its field data. */
interface FielddataRow {
  readonly nodeId: string
  readonly host: string
  readonly node: string
  readonly field: string
  readonly sizeInBytes: number
}

const COLUMNS: readonly Column<FielddataRow>[] = [
  column('id', '', 'id of the node', row => row.nodeId),
  column('host', 'h', 'host of the node', row => row.host),
  column('ip', '', 'address of the node', row => row.host),
  column('node', 'n', 'name of the node', row => row.node),
  column('field', 'f', 'name of the field', row => row.field),
  column('size', 's', 'memory of its field data', row => ({ bytes: row.sizeInBytes }), {
    isRight: true,
  }),
]

/** `GET /_cat/fielddata[/{fields}]`: terms of text fields by document, and global ordinals, in memory. */
export const catFielddata: Endpoint = catEndpoint({
  routes: [
    ['GET', '/_cat/fielddata'],
    ['GET', '/_cat/fielddata/{fields}'],
  ],
  action: 'cluster:monitor/nodes/info',
  params: { fields: list },
  columns: () => COLUMNS,
  async rows({ engine, params, part, httpAddress, context }) {
    const node = engine.cluster.nodeInfo()
    const { host } = addressOf(node, httpAddress)
    const named = list(part('fields'))
    const patterns = named.length > 0 ? named : (params.fields ?? ['*'])
    const stats = await engine.cluster.stats(targetOf('', NO_TARGET_PARAMS, 'all'), false, context)
    const sizes = new Map<string, number>()
    for (const { fieldData } of stats.flatMap(index => index.shards))
      for (const [field, bytes] of fieldData.fields)
        if (patterns.some(pattern => matchesWildcard(pattern, field)))
          sizes.set(field, (sizes.get(field) ?? 0) + bytes)
    return [...sizes].map(([field, sizeInBytes]) => ({
      nodeId: node.nodeId,
      host,
      node: node.nodeName,
      field,
      sizeInBytes,
    }))
  },
})
