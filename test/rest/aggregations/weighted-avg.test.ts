import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

interface Graded {
  readonly v?: number | readonly number[]
  readonly w?: number | readonly number[]
  readonly k?: string
}

beforeAll(async () => {
  rest = await openRest()
  await load('grades', 1, [
    { v: 1, w: 2, k: 'a' },
    { v: 2, w: 3, k: 'b' },
    { v: [3, 4], w: 1, k: 'a' },
    { v: 9 },
    { w: 100 },
  ])
})

afterAll(() => rest.close())

async function load(index: string, shards: number, documents: readonly Graded[]): Promise<void> {
  await ok(`PUT /${index}`, {
    settings: { number_of_shards: shards },
    mappings: {
      properties: {
        v: { type: 'double' },
        w: { type: 'double' },
        k: { type: 'keyword' },
        t: { type: 'date' },
      },
    },
  })
  if (documents.length > 0)
    await ok(
      `POST /${index}/_bulk?refresh`,
      ndjson(...documents.flatMap(document => [{ index: {} }, document])),
    )
}

const asked = (body: object = {}): object => ({
  size: 0,
  aggs: { a: { weighted_avg: { value: { field: 'v' }, weight: { field: 'w' }, ...body } } },
})

async function average(body?: object, query: object = { match_all: {} }): Promise<unknown> {
  return (await ok('POST /grades/_search', { ...asked(body), query })).aggregations.a
}

it('divides the sum of products by that of weights, once for each value', async () => {
  expect(await average()).toEqual({ value: (2 + 6 + 3 + 4) / (2 + 3 + 1 + 1) })
})

it('fills in values and weights, also of fields that the index lacks', async () => {
  expect(await average({ weight: { field: 'w', missing: 10 } })).toEqual({
    value: (2 + 6 + 3 + 4 + 90) / (2 + 3 + 1 + 1 + 10),
  })
  expect(await average({ value: { field: 'v', missing: 1 } })).toEqual({
    value: (2 + 6 + 3 + 4 + 100) / (2 + 3 + 1 + 1 + 100),
  })
  expect(await average({ weight: { field: 'none', missing: 2 } })).toEqual({ value: 19 / 5 })
  expect(await average({ weight: { field: 'none' } })).toEqual({ value: null })
})

it('is null without values or with weights that sum to 0, and has a text by its format', async () => {
  expect(await average({}, { match_none: {} })).toEqual({ value: null })
  expect(await average({ weight: { field: 'none', missing: 0 } })).toEqual({ value: null })
  expect(await average({ weight: { field: 'none', missing: 2 }, format: '0.00' })).toEqual({
    value: 3.8,
    value_as_string: '3.80',
  })
  const { aggregations } = await ok('POST /grades/_search?typed_keys=true', asked())
  expect(Object.keys(aggregations)).toEqual(['weighted_avg#a'])
})

it('sorts the buckets around it', async () => {
  const sorted = await ok('POST /grades/_search', {
    aggs: {
      k: {
        terms: { field: 'k', order: { a: 'asc' } },
        aggs: { a: { weighted_avg: { value: { field: 'v' }, weight: { field: 'w' } } } },
      },
    },
  })
  expect(
    sorted.aggregations.k.buckets.map((bucket: { key: string; a: object }) => [
      bucket.key,
      bucket.a,
    ]),
  ).toEqual([
    ['b', { value: 2 }],
    ['a', { value: 9 / 4 }],
  ])
})

it('has the same bits for any number of shards', async () => {
  let count = 0
  const number = fc.double({ min: -1e6, max: 1e6, noNaN: true })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ v: number, w: number }), { minLength: 1, maxLength: 12 }),
      async documents => {
        const index = `random${count++}`
        const found: unknown[] = []
        for (const [shards, list] of [
          [1, documents],
          [2, [...documents].reverse()],
        ] as const) {
          await load(`${index}-${shards}`, shards, list)
          found.push((await ok(`POST /${index}-${shards}/_search`, asked())).aggregations)
        }
        expect(found[1]).toEqual(found[0])
        await ok(`DELETE /${index}*`)
      },
    ),
    { numRuns: 12 },
  )
})

it('answers what is wrong with a request', async () => {
  await load('heavy', 1, [{ v: 1, w: [1, 2] }, { w: [3, 4] }])
  const { status, json } = await rest.call('POST /heavy/_search', asked())
  expect([status, json.error.failed_shards[0].reason]).toEqual([
    400,
    {
      type: 'aggregation_execution_exception',
      reason:
        'Encountered more than one weight for a single document. Use a script to combine multiple ' +
        'weights-per-doc into a single value.',
    },
  ])
  const innermost = async (body: object): Promise<unknown[]> => {
    const answer = await rest.call('POST /grades/_search', { aggs: { a: { weighted_avg: body } } })
    let { error } = answer.json
    while (error.caused_by !== undefined) error = error.caused_by
    return [answer.status, error.type, error.reason]
  }
  const illegal = 'illegal_argument_exception'
  expect(await innermost({ value: { field: 'v' } })).toEqual([
    400,
    illegal,
    'Could not find field name [weight] in multiValuesSource',
  ])
  expect(await innermost({ value: { missing: 1 }, weight: { field: 'w' } })).toEqual([
    400,
    illegal,
    '[field] and [script] cannot both be null.  Please specify one or the other.',
  ])
  expect(await innermost({ value: 'v', weight: { field: 'w' } })).toEqual([
    400,
    'parsing_exception',
    'Expected [START_OBJECT] but found [VALUE_STRING]',
  ])
  expect(await innermost({ value: { field: 'k' }, weight: { field: 'w' } })).toEqual([
    400,
    illegal,
    'Field [k] of type [keyword] is not supported for aggregation [weighted_avg]',
  ])
  expect(await innermost({ value: { field: 'v' }, weight: { field: 'w' }, missing: 1 })).toEqual([
    400,
    'x_content_parse_exception',
    expect.stringMatching(/\[weighted_avg\] unknown field \[missing\]$/),
  ])
})
