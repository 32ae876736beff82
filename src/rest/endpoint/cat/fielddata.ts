import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Column, column } from '../../cat/column.ts'
import type { Endpoint } from '../../endpoint.ts'
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

/**
 * `GET /_cat/fielddata[/{fields}]`: values are read from doc values alone, never loaded from terms, so that
 * the table has no rows.
 */
export const catFielddata: Endpoint = catEndpoint({
  routes: [
    ['GET', '/_cat/fielddata'],
    ['GET', '/_cat/fielddata/{fields}'],
  ],
  action: 'cluster:monitor/nodes/info',
  params: { fields: list },
  columns: () => COLUMNS,
  rows: () => [],
})
