import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

beforeAll(async () => {
  rest = await openRest()
})

afterAll(() => rest.close())

async function load(index: string, shards: number, values: readonly unknown[]): Promise<void> {
  await ok(`PUT /${index}`, {
    settings: { number_of_shards: shards },
    mappings: { properties: { n: { type: 'double' }, k: { type: 'keyword' } } },
  })
  if (values.length === 0) return
  await ok(
    `POST /${index}/_bulk?refresh`,
    ndjson(...values.flatMap(n => [{ index: {} }, n === null ? {} : { n }])),
  )
}

const asked = (body: object): object => ({
  aggs: { mad: { median_absolute_deviation: { field: 'n', ...body } } },
})

it('is the median distance from the median, in any number of shards', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 30 }),
      async values => {
        const at = (numbers: readonly number[]): number =>
          Float64Array.from(numbers).sort()[Math.floor(numbers.length / 2)]!
        const median = at(values)
        const expected = at(values.map(value => Math.abs(value - median)))
        const index = `random${count++}`
        await load(`${index}-1`, 1, values)
        await load(`${index}-2`, 2, values)
        for (const each of [`${index}-1`, `${index}-2`])
          expect((await ok(`POST /${each}/_search`, asked({}))).aggregations.mad.value).toBe(
            expected,
          )
        await ok(`DELETE /${index}*`)
      },
    ),
    { numRuns: 15 },
  )
})

it('prints a value with a text where a format applies, and null without values', async () => {
  await load('small', 1, [100, 200, 300, null])
  const read = async (body: object, query: object = { match_all: {} }): Promise<unknown> =>
    (await ok('POST /small/_search?typed_keys=true', { ...asked(body), query })).aggregations[
      'median_absolute_deviation#mad'
    ]
  expect(await read({})).toEqual({ value: 100 })
  expect(await read({ format: '0.0', missing: 200 })).toEqual({
    value: 100,
    value_as_string: '100.0',
  })
  expect(await read({ field: 'unmapped' })).toEqual({ value: null })
  expect(await read({ format: '0.0' }, { match_none: {} })).toEqual({ value: null })
})

it('refuses a compression that is not above 0', async () => {
  for (const [compression, text] of [
    [0, '0.0'],
    [-1, '-1.0'],
  ] as const) {
    const { status, json } = await rest.call('POST /small/_search', asked({ compression }))
    expect([status, json.error.caused_by.type, json.error.caused_by.reason]).toEqual([
      400,
      'illegal_argument_exception',
      `[compression] must be greater than 0. Found [${text}] in [mad]`,
    ])
  }
  const { status, text } = await rest.call('POST /small/_search', asked({ field: 'k' }))
  expect([status, text]).toEqual([
    400,
    expect.stringContaining(
      'Field [k] of type [keyword] is not supported for aggregation [median_absolute_deviation]',
    ),
  ])
})
