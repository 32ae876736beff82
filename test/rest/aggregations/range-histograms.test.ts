import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

const ROWS = [
  { l: { gte: 1, lte: 3 }, d: { gt: 0.5, lt: 2 }, t: { gte: '2026-01-31', lt: '2026-02-02' } },
  {
    l: [
      { gte: 2, lt: 4 },
      { gte: 3, lte: 7 },
    ],
    f: { gte: 0.25, lte: 1.5 },
  },
  { t: { gte: '2026-02-10', lte: '2026-02-11' }, ip: '10.0.0.0/8' },
]

beforeAll(async () => {
  rest = await openRest()
  const properties = {
    l: { type: 'long_range' },
    d: { type: 'double_range' },
    f: { type: 'float_range' },
    t: { type: 'date_range' },
    ip: { type: 'ip_range' },
    none: { type: 'long_range', doc_values: false },
  }
  for (const [name, shards] of [
    ['i', 1],
    ['two', 2],
    ['open', 1],
  ] as const)
    await ok(`PUT /${name}`, { settings: { number_of_shards: shards }, mappings: { properties } })
  for (const name of ['i', 'two']) {
    const lines = ROWS.flatMap((row, id) => [{ index: { _id: String(id) } }, row])
    await rest.call(`POST /${name}/_bulk?refresh`, ndjson(...lines))
  }
  const open = [{ l: { lte: 10 } }, { l: { gte: 15 } }, { d: { gte: 3 } }, { t: { gte: '2026' } }]
  await rest.call('POST /open/_bulk?refresh', ndjson(...open.flatMap(row => [{ index: {} }, row])))
})
afterAll(() => rest.close())

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
const agg = async (body: object, index = 'i'): Promise<any> =>
  (await ok(`POST /${index}/_search`, { size: 0, aggs: { x: body } })).aggregations.x

const counts = async (body: object, index = 'i'): Promise<unknown> =>
  (await agg(body, index)).buckets.map(
    ({ key, doc_count }: { key: unknown; doc_count: unknown }) => [key, doc_count],
  )

/** The cause of an error that the shards gave. */
const cause = async (body: object, index = 'i', status = 400): Promise<unknown> => {
  const answer = await rest.call(`POST /${index}/_search`, { size: 0, aggs: { x: body } })
  expect(answer.status, answer.text).toBe(status)
  return answer.json.error.failed_shards[0].reason
}

describe('histograms of ranges', () => {
  it('count a document once in each bucket that its ranges touch', async () => {
    for (const index of ['i', 'two']) {
      expect(await counts({ histogram: { field: 'l', interval: 2 } }, index)).toEqual([
        [0, 1],
        [2, 2],
        [4, 1],
        [6, 1],
      ])
      expect(await counts({ histogram: { field: 'l', interval: 2, offset: 1 } }, index)).toEqual([
        [1, 2],
        [3, 2],
        [5, 1],
        [7, 1],
      ])
    }
  })

  it('read floating-point ends and dates', async () => {
    expect(await counts({ histogram: { field: 'd', interval: 0.5 } })).toEqual([
      [0.5, 1],
      [1, 1],
      [1.5, 1],
    ])
    expect(await counts({ histogram: { field: 'f', interval: 1 } })).toEqual([
      [0, 1],
      [1, 1],
    ])
    expect(await counts({ histogram: { field: 't', interval: 86_400_000 * 30 } })).toEqual([
      [1_767_744_000_000, 1],
      [1_770_336_000_000, 1],
    ])
  })

  it('cut ranges at hard bounds, both included', async () => {
    const field = { field: 'l', interval: 1, hard_bounds: { min: 0, max: 20 } }
    const buckets = (await counts({ histogram: field }, 'open')) as [number, number][]
    expect(buckets.map(([key]) => key)).toEqual(Array.from({ length: 21 }, (_, key) => key))
    expect(buckets.filter(([, count]) => count === 0).map(([key]) => key)).toEqual([11, 12, 13, 14])
  })

  it('fall into units of the calendar', async () => {
    expect(
      (await agg({ date_histogram: { field: 't', calendar_interval: 'month' } })).buckets,
    ).toEqual([
      { key_as_string: '2026-01-01T00:00:00.000Z', key: 1_767_225_600_000, doc_count: 1 },
      { key_as_string: '2026-02-01T00:00:00.000Z', key: 1_769_904_000_000, doc_count: 2 },
    ])
    const date_histogram = {
      field: 't',
      fixed_interval: '1d',
      format: 'yyyy-MM-dd',
      min_doc_count: 1,
      hard_bounds: { min: '2026-02-01', max: '2026-02-10' },
    }
    const { buckets } = await agg({ date_histogram }, 'two')
    expect(buckets.map((each: { key_as_string: string }) => each.key_as_string)).toEqual([
      '2026-02-01',
      '2026-02-10',
    ])
  })

  it('give children the documents of each bucket', async () => {
    const { buckets } = await agg({
      histogram: { field: 'l', interval: 4 },
      aggs: {
        y: { filter: { term: { _id: '1' } } },
        z: { histogram: { field: 'l', interval: 4 } },
      },
    })
    expect(buckets[1]).toMatchObject({ key: 4, doc_count: 1, y: { doc_count: 1 } })
    expect(buckets[1].z.buckets).toHaveLength(2)
  })

  it('refuse open ranges that would make too many buckets', async () => {
    for (const body of [
      { histogram: { field: 'l', interval: 1 } },
      { histogram: { field: 'd', interval: 1 } },
      { date_histogram: { field: 't', calendar_interval: 'day' } },
      { date_histogram: { field: 't', fixed_interval: '1ms', time_zone: 'Europe/Berlin' } },
    ])
      expect(await cause(body, 'open', 429)).toMatchObject({
        type: 'circuit_breaking_exception',
        reason: expect.stringMatching(/^\[request\] Data too large, data for \[<agg>\] would be/),
      })
  })

  it('end open ranges where doubles and calendars end', async () => {
    const [first, last] = (await counts(
      { histogram: { field: 'l', interval: 1e19 } },
      'open',
    )) as unknown[]
    expect([first, last]).toEqual([
      [-1e19, 1],
      [0, 2],
    ])
    const fixed = { field: 't', fixed_interval: '100000d', min_doc_count: 1 }
    const { buckets } = await agg({ date_histogram: fixed }, 'open')
    expect(buckets[0].key).toBe(0)
    expect(buckets.at(-1).key_as_string).toMatch(/^\+275\d{3}-/)
    const yearly = { field: 't', calendar_interval: 'year' }
    const many = await rest.call('POST /open/_search', { aggs: { x: { date_histogram: yearly } } })
    expect([many.status, many.json.error.type]).toEqual([503, 'too_many_buckets_exception'])
    const beyond = { ...yearly, hard_bounds: { min: 1e17, max: 2e17 } }
    expect((await agg({ date_histogram: beyond }, 'open')).buckets).toEqual([])
  })

  it('refuse ranges of other types, without doc values, and missing values', async () => {
    expect(await cause({ histogram: { field: 'ip', interval: 1 } })).toMatchObject({
      reason: 'Expected numeric range type but found non-numeric range [ip_range]',
    })
    const daily = { fixed_interval: '1d' }
    expect(await cause({ date_histogram: { field: 'l', ...daily } })).toMatchObject({
      reason: 'Expected date range type but found range type [long_range]',
    })
    expect(await cause({ histogram: { field: 'l', interval: 1, missing: 3 } })).toMatchObject({
      reason: expect.stringMatching(/^Can't apply missing values on a class /),
    })
    expect(await cause({ histogram: { field: 'none', interval: 1 } })).toMatchObject({
      reason: expect.stringMatching(/^Can't load fielddata on \[none\]/),
    })
  })

  it('are named in profiles by the class that collects ranges', async () => {
    const answer = await ok('POST /i/_search', {
      size: 0,
      profile: true,
      aggs: {
        n: { histogram: { field: 'l', interval: 2 } },
        t: { date_histogram: { field: 't', fixed_interval: '30d' } },
      },
    })
    expect(answer.profile.shards[0].aggregations).toMatchObject([
      { type: 'RangeHistogramAggregator', debug: { total_buckets: 4 } },
      { type: 'DateRangeHistogramAggregator', debug: { total_buckets: 2 } },
    ])
  })
})
