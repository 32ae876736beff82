import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { column } from '../../cat/column.ts'
import { TIMESTAMP_COLUMNS, type Timed } from '../../cat/timestamp-columns.ts'
import { type Endpoint, NO_TARGET_PARAMS, targetOf } from '../../endpoint.ts'

interface CountRow extends Timed {
  readonly count: number
}

/** `GET /_cat/count[/{index}]`. */
export const catCount: Endpoint = catEndpoint({
  routes: [
    ['GET', '/_cat/count'],
    ['GET', '/_cat/count/{index}'],
  ],
  action: 'indices:data/read/search',
  params: {},
  columns: () => [
    ...TIMESTAMP_COLUMNS,
    column<CountRow>('count', 'dc,docs.count,docsCount', 'number of documents', row => row.count),
  ],
  async rows({ engine, part, context }) {
    const target = targetOf(part('index'), NO_TARGET_PARAMS, 'open')
    const { count } = await engine.searches.count({ target, body: null, options: {} }, context)
    return [{ at: new Date(), count }]
  },
})
