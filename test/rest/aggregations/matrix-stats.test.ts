import { afterAll, beforeAll, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

const SOURCES: readonly object[] = [
  { x: 1, y: [2, 4], k: 'a' },
  { x: 3, y: 5, k: 'a' },
  { x: 8, y: [1, 2, 9], k: 'b' },
  { x: 4 },
  { y: 4 },
]

beforeAll(async () => {
  rest = await openRest()
  for (const [index, shards] of [
    ['one', 1],
    ['three', 3],
  ] as const) {
    await ok(`PUT /${index}`, {
      settings: { number_of_shards: shards },
      mappings: {
        properties: {
          x: { type: 'integer' },
          y: { type: 'double' },
          k: { type: 'keyword' },
        },
      },
    })
    await ok(
      `POST /${index}/_bulk?refresh`,
      ndjson(...SOURCES.flatMap((source, i) => [{ index: { _id: `${i}` } }, source])),
    )
  }
})

afterAll(() => rest.close())

/** The answer, the same in one shard and in three. */
async function found(body: object, query: object = { match_all: {} }): Promise<unknown> {
  const answers = await Promise.all(
    ['one', 'three'].map(index =>
      ok(`POST /${index}/_search?size=0`, { query, aggs: { m: { matrix_stats: body } } }),
    ),
  )
  expect(answers[1].aggregations).toEqual(answers[0].aggregations)
  return answers[0].aggregations.m
}

it('tells the moments of fields over the documents that have all of them', async () => {
  expect(await found({ fields: ['x', 'y'] })).toEqual({
    doc_count: 3,
    fields: [
      {
        name: 'x',
        count: 3,
        mean: 4,
        variance: 13,
        skewness: expect.closeTo(36 / 3 / (26 / 3) ** 1.5, 12),
        kurtosis: expect.closeTo(338 / 3 / (26 / 3) ** 2, 12),
        covariance: { x: 13, y: expect.closeTo(1, 12) },
        correlation: { x: 1, y: expect.closeTo(1 / Math.sqrt(13), 12) },
      },
      {
        name: 'y',
        count: 3,
        mean: 4,
        variance: 1,
        skewness: 0,
        kurtosis: 1.5,
        covariance: { x: 1, y: 1 },
        correlation: { x: expect.closeTo(1 / Math.sqrt(13), 12), y: 1 },
      },
    ],
  })
})

it('takes one number of several by its mode, and numbers in place of missing ones', async () => {
  const meanOf = async (body: object): Promise<unknown> => {
    const { doc_count, fields } = (await found({ fields: 'y', ...body })) as {
      doc_count: number
      fields: { mean: number }[]
    }
    return [doc_count, fields[0]!.mean]
  }
  expect(await meanOf({})).toEqual([4, (3 + 5 + 4 + 4) / 4])
  expect(await meanOf({ mode: 'min' })).toEqual([4, (2 + 5 + 1 + 4) / 4])
  expect(await meanOf({ mode: 'MAX' })).toEqual([4, (4 + 5 + 9 + 4) / 4])
  expect(await meanOf({ mode: 'sum' })).toEqual([4, (6 + 5 + 12 + 4) / 4])
  expect(await meanOf({ mode: 'median' })).toEqual([4, (3 + 5 + 2 + 4) / 4])
  expect(await meanOf({ missing: { y: 11 } })).toEqual([5, (3 + 5 + 4 + 4 + 11) / 5])
  expect(await meanOf({ fields: 'none', missing: { none: 2 } })).toEqual([5, 2])
})

it('has no fields without documents, and NaN where moments are undefined', async () => {
  expect(await found({ fields: ['x', 'none'] })).toEqual({ doc_count: 0 })
  expect(await found({ fields: ['x'] }, { match_none: {} })).toEqual({ doc_count: 0 })
  expect(await found({ fields: ['x'] }, { term: { x: 8 } })).toEqual({
    doc_count: 1,
    fields: [
      {
        name: 'x',
        count: 1,
        mean: 8,
        variance: 'NaN',
        skewness: 'NaN',
        kurtosis: 'NaN',
        covariance: { x: 'NaN' },
        correlation: { x: 1 },
      },
    ],
  })
})

it('stands below buckets, with its type in typed names', async () => {
  const { aggregations } = await ok('POST /three/_search?size=0&typed_keys=true', {
    aggs: {
      k: { terms: { field: 'k' }, aggs: { m: { matrix_stats: { fields: ['x', 'y'] } } } },
    },
  })
  expect(
    aggregations['sterms#k'].buckets.map((bucket: Record<string, { doc_count: number }>) => [
      bucket['key'],
      bucket['matrix_stats#m']!.doc_count,
    ]),
  ).toEqual([
    ['a', 2],
    ['b', 1],
  ])
})

it('answers what is wrong with a request', async () => {
  const faulty = async (body: object): Promise<unknown[]> => {
    const { status, json } = await rest.call('POST /one/_search', {
      aggs: { m: { matrix_stats: body } },
    })
    let error = json.error.failed_shards?.[0].reason ?? json.error
    while (error.caused_by !== undefined) error = error.caused_by
    return [status, error.type, error.reason]
  }
  const illegal = 'illegal_argument_exception'
  expect(await faulty({})).toEqual([400, illegal, '[field] must not be null: [m]'])
  expect(await faulty({ fields: ['k'] })).toEqual([
    400,
    illegal,
    'Field [k] of type [keyword] is not supported for aggregation [matrix_stats]',
  ])
  expect(await faulty({ fields: ['x'], mode: 'most' })).toEqual([
    400,
    illegal,
    'Unknown sort mode: most',
  ])
  expect(await faulty({ fields: ['x'], missing: 3 })).toEqual([
    400,
    'parsing_exception',
    'Missing values must be specified as an object but found [VALUE_NUMBER]',
  ])
  expect(await faulty({ fields: ['x'], missing: { x: 'one' } })).toEqual([
    400,
    'number_format_exception',
    'For input string: "one"',
  ])
  expect(await faulty({ fields: Array.from({ length: 101 }, (_, i) => `f${i}`) })).toEqual([
    400,
    illegal,
    'Number of fields is too large, must be less than or equal to: [100] but was [101]',
  ])
  expect(await faulty({ field: 'x' })).toEqual([
    400,
    'x_content_parse_exception',
    expect.stringContaining('[matrix_stats] unknown field [field] did you mean [fields]?'),
  ])
  expect(await faulty({ fields: ['x'], script: {} })).toEqual([
    400,
    'parsing_exception',
    'Unexpected token START_OBJECT [script] in [m]. Multi-field aggregations do not support scripts.',
  ])
})
