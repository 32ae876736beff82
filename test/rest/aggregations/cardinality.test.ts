import { afterAll, beforeAll, expect, it } from 'vitest'
import { failureOf, ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)
const failure = failureOf(() => rest)

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
          n: { type: 'long' },
          d: { type: 'double' },
          u: { type: 'unsigned_long' },
          k: { type: 'keyword' },
          ip: { type: 'ip' },
          b: { type: 'boolean' },
          t: { type: 'date' },
          group: { type: 'keyword' },
          text: { type: 'text' },
          shape: { type: 'geo_shape' },
        },
      },
    })
    const documents = Array.from({ length: 500 }, (_, i) => ({
      n: [i % 70, i % 7],
      d: (i % 90) / 8,
      u: '18446744073709551615',
      k: i % 5 === 0 ? undefined : [`k${i % 120}`, `x${i % 3}`],
      ip: `10.0.0.${i % 40}`,
      b: i % 2 === 0,
      t: i % 33,
      group: `g${i % 4}`,
    }))
    await ok(
      `POST /${index}/_bulk?refresh`,
      ndjson(...documents.flatMap((source, i) => [{ index: { _id: `${i}` } }, source])),
    )
  }
  await ok('PUT /empty', {})
})

afterAll(() => rest.close())

async function counted(index: string, body: object): Promise<number> {
  const aggs = { c: { cardinality: body } }
  return (await ok(`POST /${index}/_search?size=0`, { aggs })).aggregations.c.value
}

it('counts distinct values of every type, the same in one shard and in three', async () => {
  for (const index of ['one', 'three', 'one,three']) {
    const found = await Promise.all(
      ['n', 'd', 'u', 'k', 'ip', 'b', 't'].map(field => counted(index, { field })),
    )
    // Terms ending in multiples of 5 are those of documents without a value.
    expect(found).toEqual([70, 90, 1, 96 + 3, 40, 2, 33])
  }
})

it('counts the value of documents that have none', async () => {
  expect(await counted('one', { field: 'k', missing: 'new' })).toBe(100)
  expect(await counted('three', { field: 'k', missing: 'x1' })).toBe(99)
  expect(await counted('three', { field: 'none', missing: 'x1' })).toBe(1)
  expect(await counted('one', { field: '_index' })).toBe(1)
})

it('takes a missing number as its field would: whole, and within 64 bits', async () => {
  const max = async (field: string, missing: unknown): Promise<number> => {
    const aggs = { m: { max: { field, missing } } }
    return (await ok('POST /gaps/_search?size=0', { aggs })).aggregations.m.value
  }
  await ok('PUT /gaps', {
    mappings: { properties: { n: { type: 'long' }, u: { type: 'unsigned_long' } } },
  })
  await ok('POST /gaps/_doc?refresh', {})
  expect(await max('n', 2.75)).toBe(2)
  expect(await max('u', 2.75)).toBe(2)
  expect(await max('n', 1e300)).toBe(2 ** 63)
  expect(await max('n', -1e300)).toBe(-(2 ** 63))
})

it('is 0 without values, and has neither text nor format', async () => {
  const { aggregations } = await ok('POST /one/_search?size=0&typed_keys=true', {
    query: { match_none: {} },
    aggs: { c: { cardinality: { field: 'n', format: '0.0' } } },
  })
  expect(aggregations).toEqual({ 'cardinality#c': { value: 0 } })
  expect(await counted('empty', { field: 'none' })).toBe(0)
})

it('counts below buckets and sorts them', async () => {
  for (const field of ['n', 'k']) {
    const answers = await Promise.all(
      ['one', 'three'].map(async index => {
        const { aggregations } = await ok(`POST /${index}/_search?size=0`, {
          query: { range: { n: { lt: 9 } } },
          aggs: {
            g: {
              terms: { field: 'group', order: { c: 'desc' } },
              aggs: { c: { cardinality: { field } } },
            },
          },
        })
        return aggregations.g.buckets.map((bucket: { key: string; c: object }) => [
          bucket.key,
          bucket.c,
        ])
      }),
    )
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toHaveLength(4)
  }
})

it('is an estimate past its threshold, the same for any number of shards and any hint', async () => {
  for (const field of ['n', 'k', 'd']) {
    const exact = await counted('one', { field })
    const threshold = { field, precision_threshold: 10 }
    const found = await counted('one', threshold)
    expect(Math.abs(found / exact - 1)).toBeLessThan(0.5)
    for (const index of ['three', 'one,three'])
      for (const hint of ['direct', 'ordinals'])
        expect(await counted(index, { ...threshold, execution_hint: hint })).toBe(found)
  }
})

it('answers what is wrong with a request', async () => {
  const causeOf = async (body: object): Promise<unknown[]> => {
    const { status, json } = await rest.call('POST /one/_search', {
      aggs: { c: { cardinality: body } },
    })
    return [status, json.error.type, json.error.caused_by?.reason ?? json.error.reason]
  }
  const type = 'x_content_parse_exception'
  expect(await causeOf({ field: 'n', precision_threshold: -1 })).toEqual([
    400,
    type,
    '[precisionThreshold] must be greater than or equal to 0. Found [-1] in [c]',
  ])
  expect(await causeOf({ field: 'n', execution_hint: 'fast' })).toEqual([
    400,
    type,
    'Unknown `execution_hint`: [fast], expected any of [direct, ordinals]',
  ])
  expect(await causeOf({ field: 'n', precision: 1 })).toEqual([
    400,
    type,
    '[1:42] [cardinality] unknown field [precision]',
  ])
  expect(await failure('POST /one/_search', { aggs: { c: { cardinality: {} } } })).toEqual([
    400,
    'illegal_argument_exception',
    'Required one of fields [field, script], but none were specified. ',
  ])
  const text = await rest.call('POST /one/_search', {
    aggs: { c: { cardinality: { field: 'text' } } },
  })
  expect([text.status, text.text]).toEqual([
    400,
    expect.stringContaining('Text fields are not optimised for operations that require'),
  ])
  const shape = await rest.call('POST /one/_search', {
    aggs: { c: { cardinality: { field: 'shape' } } },
  })
  expect([shape.status, shape.text]).toEqual([
    400,
    expect.stringContaining(
      'Field [shape] of type [geo_shape] is not supported for aggregation [cardinality]',
    ),
  ])
})
