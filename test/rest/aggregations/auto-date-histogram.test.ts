import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/util/random.ts'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

const SEED = 2207
const DAY = 86_400_000

let rest: Rest
const ok = okOf(() => rest)
/** Instants of the documents of `many` and `spread`. */
let instants: readonly number[]

const DAYS = ['2020-03-01', '2020-03-02', '2020-03-08', '2020-03-09']

beforeAll(async () => {
  rest = await openRest()
  const random = new Random(SEED)
  instants = Array.from({ length: 300 }, () => 1_500_000_000_000 + random.below(2 ** 31) * 100)
  const properties = { t: { type: 'date' }, v: { type: 'long' } }
  const few = DAYS.map((t, v) => ({ t, v: v + 1 }))
  const many = instants.map(t => ({ t, v: 1 }))
  for (const [name, shards, rows] of [
    ['few', 1, few],
    ['two', 2, few],
    ['many', 1, many],
    ['spread', 3, many],
  ] as const) {
    const settings = { number_of_shards: shards, 'index.refresh_interval': '-1' }
    await ok(`PUT /${name}`, { settings, mappings: { properties } })
    for (let at = 0; at < rows.length; at += 50) {
      const lines = rows.slice(at, at + 50).flatMap(row => [{ index: {} }, row])
      await rest.call(`POST /${name}/_bulk?refresh`, ndjson(...lines))
    }
  }
})
afterAll(() => rest.close())

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
const agg = async (index: string, body: object, aggs = {}, query: object = {}): Promise<any> => {
  const x = { auto_date_histogram: { field: 't', ...body }, aggs }
  return (await ok(`POST /${index}/_search`, { size: 0, aggs: { x }, ...query })).aggregations.x
}

/** Days, where an answer has days: what the rule says of instants. */
function plainDays(millis: readonly number[], target: number): unknown {
  const days = millis.map(each => Math.floor(each / DAY))
  const first = Math.min(...days)
  const count = Math.max(...days) - first + 1
  const multiple = count <= target ? 1 : 7
  return Array.from({ length: Math.ceil(count / multiple) }, (_, i) => {
    const from = first + i * multiple
    const found = days.filter(day => day >= from && day < from + multiple).length
    return [from * DAY, found]
  })
}

describe('auto_date_histogram', () => {
  it('merges consecutive buckets until they are few enough, on one shard and on two', async () => {
    for (const index of ['few', 'two'])
      expect(await agg(index, { buckets: 2 }, { v: { sum: { field: 'v' } } })).toEqual({
        buckets: [
          {
            key_as_string: '2020-03-01T00:00:00.000Z',
            key: 1583020800000,
            doc_count: 2,
            v: { value: 3 },
          },
          {
            key_as_string: '2020-03-08T00:00:00.000Z',
            key: 1583625600000,
            doc_count: 2,
            v: { value: 7 },
          },
        ],
        interval: '7d',
      })
  })

  it('fills gaps, and chooses the unit by what a query finds', async () => {
    const { buckets, interval } = await agg('two', { buckets: 10 })
    expect(interval).toBe('1d')
    expect(buckets.map((each: { doc_count: number }) => each.doc_count)).toEqual([
      1, 1, 0, 0, 0, 0, 0, 1, 1,
    ])
    const two = { query: { range: { t: { lte: '2020-03-02' } } } }
    expect((await agg('few', { buckets: 10 }, {}, two)).interval).toBe('3h')
    const one = { query: { term: { t: '2020-03-02' } } }
    expect(await agg('few', { buckets: 10 }, {}, one)).toMatchObject({
      interval: '1s',
      buckets: [{ doc_count: 1 }],
    })
  })

  it('has no finer unit than the smallest interval', async () => {
    expect((await agg('few', { buckets: 10, minimum_interval: 'month' })).interval).toBe('1M')
    const none = { query: { match_none: {} } }
    expect(await agg('few', { minimum_interval: 'day' }, {}, none)).toEqual({
      buckets: [],
      interval: '1d',
    })
    expect(await agg('few', { field: 'none' })).toEqual({ buckets: [], interval: '1s' })
  })

  it('rounds in a time zone, and prints in a format', async () => {
    const { buckets } = await agg('few', { time_zone: '-01:00', format: 'yyyy-MM-dd HH' })
    expect(buckets[0]).toEqual({ key_as_string: '2020-02-29 00', key: 1582938000000, doc_count: 1 })
  })

  it(`answers alike however shards, slices and leaves are cut (seed ${SEED})`, async () => {
    const random = new Random(SEED + 1)
    for (const mode of ['none', 'all']) {
      for (const index of ['many', 'spread'])
        await ok(`PUT /${index}/_settings`, {
          'index.search.concurrent_segment_search.mode': mode,
          'index.search.concurrent.max_slice_count': 3,
        })
      for (let i = 0; i < 12; i++) {
        const buckets = 1 + random.below(60)
        const aggs = {
          v: { sum: { field: 'v' } },
          y: { auto_date_histogram: { field: 't', buckets: 3 } },
        }
        const one = await agg('many', { buckets }, aggs)
        expect(await agg('spread', { buckets }, aggs), `${mode} ${buckets}`).toEqual(one)
        expect(one.buckets.length).toBeLessThanOrEqual(buckets + 1)
        let sum = 0
        for (const bucket of one.buckets) {
          expect(bucket.v.value).toBe(bucket.doc_count)
          sum += bucket.doc_count
        }
        expect(sum).toBe(instants.length)
        const from = instants[random.below(instants.length)]!
        const gte = { gte: from, lt: from + 100 * DAY }
        const near = instants.filter(each => each >= gte.gte && each < gte.lt)
        const found = await agg('spread', { buckets: 15 }, {}, { query: { range: { t: gte } } })
        if (!found.interval.endsWith('d')) continue
        expect(
          found.buckets.map((each: { key: number; doc_count: number }) => [
            each.key,
            each.doc_count,
          ]),
        ).toEqual(plainDays(near, 15))
      }
    }
  })

  it('counts a document once for each of its seconds', async () => {
    await ok('PUT /multi', { mappings: { properties: { t: { type: 'date' } } } })
    const row = { t: ['2020-03-01T00:00:00.100Z', '2020-03-01T00:00:00.900Z', '2020-05-01'] }
    await rest.call('POST /multi/_bulk?refresh', ndjson({ index: {} }, row))
    const { buckets } = await agg('multi', { buckets: 3 })
    expect(buckets.map((each: { doc_count: number }) => each.doc_count)).toEqual([1, 0, 1])
  })

  it.each<readonly [body: object, reason: unknown]>([
    [{ buckets: 0 }, 'buckets must be greater than 0 for [x]'],
    [{ buckets: 2185 }, 'buckets must be less than 2184'],
    [
      { minimum_interval: 'week' },
      'minimum_interval must be one of [year, month, day, hour, minute, second]',
    ],
    [{ field: null }, 'Required one of fields [field, script], but none were specified. '],
    [
      { field: '_id' },
      'Field [_id] of type [_id] is not supported for aggregation [auto_date_histogram]',
    ],
    [{ bucket: 3 }, expect.stringContaining('did you mean [buckets]?')],
  ])('refuses %j', async (body, reason) => {
    const { field, ...others } = { field: 't', ...body } as { field: string | null }
    const auto_date_histogram = field === null ? others : { field, ...others }
    const answer = await rest.call('POST /two/_search', { aggs: { x: { auto_date_histogram } } })
    expect(answer.status, answer.text).toBe(400)
    const { error } = answer.json
    const reasons = [error.reason, error.caused_by?.reason, error.failed_shards?.[0].reason.reason]
    expect(reasons).toContainEqual(reason)
  })

  it('tells profiles how many buckets there are at the unit of a shard', async () => {
    const below = { y: { auto_date_histogram: { field: 't' } } }
    const aggs = { x: { auto_date_histogram: { field: 't', buckets: 2 }, aggs: below } }
    const answer = await ok('POST /few/_search?typed_keys', { size: 0, profile: true, aggs })
    expect(answer.profile.shards[0].aggregations).toMatchObject([
      {
        type: 'AutoDateHistogramAggregator.FromSingle',
        debug: { surviving_buckets: 4 },
        children: [{ type: 'AutoDateHistogramAggregator.FromMany' }],
      },
    ])
    expect(Object.keys(answer.aggregations)).toEqual(['auto_date_histogram#x'])
  })
})
