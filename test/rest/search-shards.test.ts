import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /books', { settings: { number_of_shards: 7 } })
  await rest.call('PUT /ships', {
    aliases: {
      all: {},
      tall: { filter: { range: { height: { gte: 3, boost: 2 } } } },
      short: { filter: { bool: { must_not: [{ exists: { field: 'height' } }] } } },
      routed: { filter: { prefix: { name: 'p' } }, routing: 'r' },
    },
  })
})

afterAll(() => rest.close())

/** Numbers of the shards of an index, in the order answered. */
async function numbers(line: string, body?: object): Promise<number[]> {
  const { json } = await rest.call(line, body)
  return json.shards.map((copies: { shard: number }[]) => copies[0]?.shard)
}

it('lists every copy with the node that it is on', async () => {
  const { json } = await rest.call('GET /ships/_search_shards')
  const [nodeId] = Object.keys(json.nodes)
  expect(json.nodes[nodeId!]).toMatchObject({ name: expect.any(String), attributes: {} })
  expect(json.indices).toEqual({ ships: {} })
  expect(json.shards).toEqual([
    [
      {
        state: 'STARTED',
        primary: true,
        node: nodeId,
        relocating_node: null,
        shard: 0,
        index: 'ships',
        allocation_id: { id: expect.any(String) },
      },
    ],
  ])
  const all = await rest.call('POST /_search_shards?local=true')
  expect(Object.keys(all.json.indices)).toEqual(['books', 'ships'])
  expect(all.json.shards).toHaveLength(8)
})

it('keeps to the shards of routing and preference', async () => {
  expect(await numbers('GET /books/_search_shards?routing=a')).toHaveLength(1)
  expect(await numbers('GET /books/_search_shards?preference=_shards:1,3')).toEqual([1, 3])
  expect(await numbers('GET /books/_search_shards?preference=_shards:1|_local')).toEqual([1])
  expect(await numbers('GET /books/_search_shards?preference=mine')).toHaveLength(7)
  for (const kind of ['_primary', '_primary_first', '_replica_first', '_prefer_nodes:a'])
    expect(await numbers(`GET /books/_search_shards?preference=${kind}`)).toHaveLength(7)
})

it('counts slices among the shards that are left', async () => {
  const slice = (id: number, max: number): object => ({ slice: { id, max } })
  expect(await numbers('GET /books/_search_shards', slice(1, 3))).toEqual([1, 4])
  const some = 'GET /books/_search_shards?preference=_shards:0,2,4,6'
  expect(await numbers(some, slice(0, 3))).toEqual([0, 6])
  expect(await numbers('GET /books/_search_shards', slice(9, 20))).toEqual([2])
  const whole = { ...slice(1, 3), query: { match_all: {} }, size: 3 }
  expect(await numbers('GET /books/_search_shards', whole)).toEqual([1, 4])
})

it('prints the filters of aliases with their defaults', async () => {
  const { json } = await rest.call('GET /tall,short/_search_shards')
  expect(json.indices.ships).toEqual({
    aliases: ['short', 'tall'],
    filter: {
      bool: {
        should: [
          {
            range: {
              height: { from: 3, to: null, include_lower: true, include_upper: true, boost: 2 },
            },
          },
          {
            bool: {
              must_not: [{ exists: { field: 'height', boost: 1 } }],
              adjust_pure_negative: true,
              boost: 1,
            },
          },
        ],
        adjust_pure_negative: true,
        boost: 1,
      },
    },
  })
  const routed = await rest.call('GET /routed/_search_shards')
  expect(routed.json.indices.ships).toEqual({
    aliases: ['routed'],
    filter: { prefix: { name: { value: 'p', boost: 1 } } },
  })
  const lifted = await rest.call('GET /ship*,tall/_search_shards')
  expect(lifted.json.indices.ships).toEqual({ aliases: ['tall'] })
})

it.each<[string, object | undefined, string, string]>([
  ['GET /gone/_search_shards', undefined, 'index_not_found_exception', 'no such index [gone]'],
  [
    'GET /books/_search_shards?preference=_shards:x',
    undefined,
    'illegal_argument_exception',
    'Failed to parse int parameter [preference] with value [x]',
  ],
  [
    'GET /books/_search_shards?preference=_best',
    undefined,
    'illegal_argument_exception',
    'no Preference for [_best]',
  ],
  [
    'GET /books/_search_shards',
    { slice: { id: 0, max: 1 } },
    'x_content_parse_exception',
    '[1:24] [slice] failed to parse field [max]',
  ],
  [
    'GET /books/_search_shards',
    { slice: { id: 0, maxx: 2 } },
    'x_content_parse_exception',
    '[1:18] [slice] unknown field [maxx] did you mean [max]?',
  ],
  [
    'GET /books/_search_shards',
    { slice: { id: 0 } },
    'illegal_argument_exception',
    'Required [max]',
  ],
])('refuses %s with %j', async (line, body, type, reason) => {
  const { json } = await rest.call(line, body)
  expect([json.error.type, json.error.reason]).toEqual([type, reason])
})

it.each<[object, string]>([
  [{ id: -1, max: 2 }, 'id must be greater than or equal to 0'],
  [{ id: 0, max: 1 }, 'max must be greater than 1'],
  [{ id: 2, max: 2 }, 'max must be greater than id'],
  [{ max: 2, id: 3 }, 'max must be greater than id'],
])('says of the slice %j that %s', async (slice, reason) => {
  const { status, json } = await rest.call('GET /books/_search_shards', { slice })
  expect([status, json.error.caused_by]).toEqual([
    400,
    { type: 'illegal_argument_exception', reason },
  ])
})

it('keeps a search to the shards that its preference names', async () => {
  await rest.call('PUT /books/_doc/1?refresh', {})
  const { json } = await rest.call('GET /books/_search?preference=_shards:0,1')
  expect(json._shards.total).toBe(2)
  const count = await rest.call('GET /books/_count?preference=_shards:0,1,2,3,4,5,6')
  expect([count.json.count, count.json._shards.total]).toEqual([1, 7])
})
