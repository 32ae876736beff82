import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
  for (const index of ['a', 'b']) await rest.call(`PUT /${index}/_doc/1?refresh`, { of: index })
})
afterAll(() => rest.close())

describe('parts of paths given as parameters', () => {
  it('stand for the part that a route lacks', async () => {
    const { json } = await rest.call('GET /_search?index=b')
    expect(json.hits.hits).toMatchObject([{ _index: 'b' }])
    const { json: both } = await rest.call('GET /_count?index=a,b')
    expect(both.count).toBe(2)
    const { json: bulk } = await rest.call('POST /_bulk?index=b', ndjson({ index: {} }, { n: 1 }))
    expect(bulk.items).toMatchObject([{ index: { _index: 'b', status: 201 } }])
    const { status, json: missing } = await rest.call('GET /_cat/snapshots?repository=r')
    expect(status).toBe(404)
    expect(missing.error.reason).toBe('[r] missing')
  })

  it('are without effect where the path has the part', async () => {
    const { json } = await rest.call('GET /a/_search?index=b')
    expect(json.hits.hits).toMatchObject([{ _index: 'a' }])
  })

  it('mean everything when empty', async () => {
    const { json } = await rest.call('GET /_count?index=')
    expect(json._shards.total).toBe(2)
  })

  it('are refused where no route of the endpoint has the part', async () => {
    const { status, json } = await rest.call('GET /_search?repository=r')
    expect(status).toBe(400)
    expect(json.error.reason).toBe(
      'request [/_search] contains unrecognized parameter: [repository]',
    )
  })
})
