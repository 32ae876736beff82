import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

const ORIGIN = { lat: 35.7796, lon: -78.6382 }
const ROWS = [
  { at: { lat: 40.7128, lon: -74.006 }, people: 8 },
  { at: { lat: 34.0522, lon: -118.2437 }, people: 4 },
  { at: [{ lat: 41.8781, lon: -87.6298 }, ORIGIN], people: 2 },
  { people: 1 },
]

beforeAll(async () => {
  rest = await openRest()
  const properties = { at: { type: 'geo_point' }, people: { type: 'long' } }
  for (const [name, shards] of [
    ['i', 1],
    ['two', 2],
  ] as const) {
    await ok(`PUT /${name}`, { settings: { number_of_shards: shards }, mappings: { properties } })
    const lines = ROWS.flatMap((row, id) => [{ index: { _id: String(id) } }, row])
    await rest.call(`POST /${name}/_bulk?refresh`, ndjson(...lines))
  }
})
afterAll(() => rest.close())

const RANGES = [{ from: 5_000_000 }, { to: 1_000_000 }, { from: 1_000_000, to: 5_000_000 }]

const search = async (geo_distance: object, aggs = {}, index = 'i'): Promise<unknown> => {
  const x = { geo_distance, aggs }
  return (await ok(`POST /${index}/_search`, { size: 0, aggs: { x } })).aggregations.x
}

describe('geo_distance', () => {
  it('counts documents by their distance, on one shard and on two', async () => {
    const sum = { people: { sum: { field: 'people' } } }
    for (const index of ['i', 'two'])
      expect(await search({ field: 'at', origin: ORIGIN, ranges: RANGES }, sum, index)).toEqual({
        buckets: [
          { key: '*-1000000.0', from: 0, to: 1e6, doc_count: 2, people: { value: 10 } },
          { key: '1000000.0-5000000.0', from: 1e6, to: 5e6, doc_count: 2, people: { value: 6 } },
          { key: '5000000.0-*', from: 5e6, doc_count: 0, people: { value: 0 } },
        ],
      })
  })

  it('reads units, planes, keys, and places as text', async () => {
    const ranges = [{ to: 700, key: 'near' }, { from: 700 }]
    const body = { field: 'at', origin: '35.7796,-78.6382', unit: 'km', ranges, keyed: true }
    for (const distance_type of ['arc', 'plane'])
      expect(await search({ ...body, distance_type })).toEqual({
        buckets: {
          near: { from: 0, to: 700, doc_count: 2 },
          '700.0-*': { from: 700, doc_count: 2 },
        },
      })
  })

  it('names a range from 0 as one that is open below', async () => {
    const ranges = [{ from: 0, to: 10 }, { from: 0 }, { from: null, to: 5, key: 'k' }]
    expect(await search({ field: 'at', origin: ORIGIN, ranges })).toEqual({
      buckets: [
        { key: 'k', from: 0, to: 5, doc_count: 1 },
        { key: '*-10.0', from: 0, to: 10, doc_count: 1 },
        { key: '*-*', from: 0, doc_count: 3 },
      ],
    })
  })

  it('gives documents without a place the missing one, and none where no index has the field', async () => {
    const origin = [-78.6382, 35.7796]
    expect(
      await search({ field: 'at', origin, missing: '35,-78', ranges: [{ to: 200_000 }] }),
    ).toEqual({ buckets: [{ key: '*-200000.0', from: 0, to: 200_000, doc_count: 2 }] })
    expect(await search({ field: 'none', origin, ranges: [{ to: 10 }] })).toEqual({
      buckets: [{ key: '*-10.0', from: 0, to: 10, doc_count: 0 }],
    })
  })

  it.each<readonly [body: object, reason: unknown]>([
    [{ field: 'at', ranges: RANGES }, 'Aggregation [x] must define an [origin].'],
    [{ field: 'at', origin: ORIGIN }, 'No [ranges] specified for the [x] aggregation'],
    [
      { origin: ORIGIN, ranges: RANGES },
      'Required one of fields [field, script], but none were specified. ',
    ],
    [
      { field: 'people', origin: ORIGIN, ranges: RANGES },
      'Field [people] of type [long] is not supported for aggregation [geo_distance]',
    ],
    [{ field: 'at', origin: ORIGIN, unit: 'cubit' }, 'No distance unit match [cubit]'],
    [{ field: 'at', distance_type: 'maze' }, 'No geo distance for [maze]'],
    [{ field: 'at', origin: 'nowhere,at all' }, expect.any(String)],
    [{ field: 'at', origin: ORIGIN, ranges: [{ to: 'far' }] }, 'For input string: "far"'],
    [{ field: 'at', orgin: ORIGIN }, expect.stringContaining('did you mean [origin]?')],
  ])('refuses %j', async (geo_distance, reason) => {
    const answer = await rest.call('POST /i/_search', { aggs: { x: { geo_distance } } })
    expect(answer.status, answer.text).toBe(400)
    const { error } = answer.json
    const reasons = [error.reason, error.caused_by?.reason, error.failed_shards?.[0].reason.reason]
    expect(reasons).toContainEqual(reason)
  })

  it('is named in profiles as ranges are', async () => {
    const aggs = { x: { geo_distance: { field: 'at', origin: ORIGIN, ranges: RANGES } } }
    const answer = await ok('POST /i/_search?typed_keys', { size: 0, profile: true, aggs })
    expect(answer.profile.shards[0].aggregations).toMatchObject([{ type: 'RangeAggregator' }])
    expect(Object.keys(answer.aggregations)).toEqual(['geo_distance#x'])
  })
})
