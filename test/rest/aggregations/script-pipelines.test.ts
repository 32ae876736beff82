import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /i', { mappings: { properties: { n: { type: 'long' }, k: { type: 'keyword' } } } })
  const rows = Array.from({ length: 30 }, (_, i) => ({ n: i, k: `k${i % 3}` }))
  await ok('POST /i/_bulk?refresh', ndjson(...rows.flatMap(row => [{ index: {} }, row])))
})
afterAll(() => rest.close())

/** Buckets of tens with their sums 45, 145 and 245, or by key where pipelines may stand in any. */
async function buckets(
  aggs: object,
  type: object = { histogram: { field: 'n', interval: 10 } },
): Promise<never[]> {
  const { aggregations } = await ok('POST /i/_search', {
    size: 0,
    aggs: { h: { ...type, aggs: { s: { sum: { field: 'n' } }, ...aggs } } },
  })
  return aggregations.h.buckets
}

const values = async (p: object): Promise<unknown[]> =>
  (await buckets({ p })).map(({ p }: { p?: { value: number } }) => p?.value ?? null)

async function refused(p: object): Promise<string> {
  const { json, status } = await rest.call('POST /i/_search', {
    size: 0,
    aggs: {
      h: { histogram: { field: 'n', interval: 10 }, aggs: { s: { sum: { field: 'n' } }, p } },
    },
  })
  expect(status).toBe(400)
  return json.error.root_cause[0].reason
}

describe('bucket_script', () => {
  it.each<[object, unknown[]]>([
    [{ buckets_path: { a: 's', c: '_count' }, script: 'params.a / params.c' }, [4.5, 14.5, 24.5]],
    [{ buckets_path: 's', script: 'params._value + 1' }, [46, 146, 246]],
    [
      { buckets_path: ['s', '_count'], script: 'params._value0 * params._value1' },
      [450, 1450, 2450],
    ],
    [
      { buckets_path: { a: 's' }, script: { source: 'params.a * params.f', params: { f: 2 } } },
      [90, 290, 490],
    ],
    [{ buckets_path: { a: 's' }, script: { lang: 'expression', source: 'a - 5' } }, [40, 140, 240]],
    [{ buckets_path: { a: 's' }, script: 'params.a > 100 ? params.a : null' }, [null, 145, 245]],
  ])('computes %j', async (keys, expected) => {
    expect(await values({ bucket_script: keys })).toEqual(expected)
  })

  it('formats its number, and leaves gaps out', async () => {
    const found = await buckets({
      p: { bucket_script: { buckets_path: { a: 's' }, script: 'params.a', format: '0.00' } },
    })
    expect(found[0]).toMatchObject({ p: { value: 45, value_as_string: '45.00' } })
    const type = { filters: { filters: { none: { term: { k: 'z' } }, all: { match_all: {} } } } }
    const gaps = (await buckets(
      { p: { bucket_script: { buckets_path: { a: 's' }, script: 'params.a' } } },
      type,
    )) as unknown as Record<string, { p?: object }>
    expect(gaps['none']!.p).toBeUndefined()
    expect(gaps['all']!.p).toEqual({ value: 435 })
  })

  it.each<[object, string]>([
    [{ script: '1' }, 'Required [buckets_path]'],
    [{ buckets_path: 's' }, 'Required [script]'],
    [{ buckets_path: 's', script: 'foo' }, 'compile error'],
    [{ buckets_path: 's', script: 'params.nope + 1' }, 'runtime error'],
  ])('refuses %j', async (keys, reason) => {
    expect(await refused({ bucket_script: keys })).toBe(reason)
  })
})

describe('pipelines together', () => {
  it('end within seconds where a script loops in each bucket', async () => {
    const loop = 'int x = 0; for (int i = 0; i < 900000; i++) { x++ } return x'
    const { json, status } = await rest.call('POST /i/_search?size=0', {
      aggs: {
        h: {
          histogram: { field: 'n', interval: 0.001 },
          aggs: {
            p: {
              bucket_script: {
                buckets_path: { a: '_count' },
                gap_policy: 'insert_zeros',
                script: loop,
              },
            },
          },
        },
      },
    })
    expect([status, json.error.type]).toEqual([429, 'circuit_breaking_exception'])
    expect(json.error.reason).toBe('[script] time limit of [1000] exceeded')
  })
})

describe('bucket_selector', () => {
  it.each<[object, number[]]>([
    [{ buckets_path: { a: 's' }, script: 'params.a > 100' }, [10, 20]],
    [{ buckets_path: { a: 's' }, script: { lang: 'expression', source: 'a < 200' } }, [0, 10]],
    [{ buckets_path: { c: '_count' }, script: 'params.c > 10' }, []],
  ])('keeps buckets by %j', async (keys, expected) => {
    const found = await buckets({ p: { bucket_selector: keys } })
    expect(found.map(({ key }) => key)).toEqual(expected)
  })

  it('stands in any aggregation with buckets', async () => {
    const found = await buckets(
      { p: { bucket_selector: { buckets_path: { a: 's' }, script: 'params.a != 145' } } },
      { terms: { field: 'k' } },
    )
    expect(found.map(({ key }) => key)).toEqual(['k0', 'k2'])
  })
})

describe('moving_fn', () => {
  const moving = (script: unknown, more: object = {}): object => ({
    moving_fn: { buckets_path: 's', window: 2, script, ...more },
  })

  it.each<[unknown, unknown[]]>([
    ['MovingFunctions.sum(values)', [0, 45, 190]],
    ['MovingFunctions.sum(values) + 1', [1, 46, 191]],
    ['return values.length', [0, 1, 2]],
    [{ source: 'params.a * values.length', params: { a: 3 } }, [0, 3, 6]],
    ['values.length > 0 ? values[0] : -1', [-1, 45, 45]],
    ['MovingFunctions.holt(values, 0.5, 0.1)', [null, 45, 95]],
    ['MovingFunctions.stdDev(values, MovingFunctions.unweightedAvg(values))', [null, 0, 50]],
    ['MovingFunctions.max(values) - MovingFunctions.min(values)', [null, 0, 100]],
  ])('computes %j', async (script, expected) => {
    expect(await values(moving(script))).toEqual(expected)
  })

  it('forecasts with seasons', async () => {
    const script =
      'if (values.length > 1) { MovingFunctions.holtWinters(values, 0.3, 0.1, 0.1, 1, false) } else { 0 }'
    expect((await values(moving(script)))[2]).toBeGreaterThan(45)
    expect(
      await refused(moving('MovingFunctions.holtWinters(values, 0.3, 0.1, 0.1, 2, true)')),
    ).toBe('runtime error')
  })
})
