import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

/** A value a bucket. */
const SERIES = [1, 5, 8, 23, 34, 28, 7, 23, 20, 19]

beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /i', {
    mappings: { properties: { at: { type: 'date' }, n: { type: 'long' }, v: { type: 'double' } } },
  })
  const rows = SERIES.map((v, n) => ({
    n: 10 * n,
    v,
    at: `2024-01-${String(n + 1).padStart(2, '0')}`,
  }))
  // A gap, and a bucket behind it.
  rows.push({ n: 120, v: 4, at: '2024-01-13' })
  await ok('POST /i/_bulk?refresh', ndjson(...rows.flatMap(row => [{ index: {} }, row])))
})
afterAll(() => rest.close())

interface Bucket {
  readonly key: number
  readonly key_as_string?: string
  readonly doc_count: number
  readonly s?: { readonly value: number }
  readonly m?: { readonly value: number; readonly value_as_string?: string }
}

async function buckets(
  moving_avg: object,
  query: object = { range: { n: { lt: 100 } } },
): Promise<Bucket[]> {
  const { aggregations } = await ok('POST /i/_search', {
    size: 0,
    query,
    aggs: {
      h: {
        histogram: { field: 'n', interval: 10, min_doc_count: 0 },
        aggs: {
          s: { sum: { field: 'v' } },
          m: { moving_avg: { buckets_path: 's', ...moving_avg } },
        },
      },
    },
  })
  return aggregations.h.buckets
}

const values = async (moving_avg: object): Promise<(number | null)[]> =>
  (await buckets(moving_avg)).map(({ m }) => m?.value ?? null)

const mean = (part: readonly number[]): number => part.reduce((a, b) => a + b, 0) / part.length

async function refused(moving_avg: object): Promise<[string, string, string | undefined]> {
  const { status, json } = await rest.call('POST /i/_search', {
    size: 0,
    aggs: {
      h: {
        histogram: { field: 'n', interval: 10 },
        aggs: {
          s: { sum: { field: 'v' } },
          m: { moving_avg: { buckets_path: 's', ...moving_avg } },
        },
      },
    },
  })
  expect(status).toBe(400)
  const { error } = json
  return [error.type, error.reason, error.caused_by?.reason]
}

describe('moving_avg', () => {
  it('is the mean of the five values before each bucket', async () => {
    expect(await values({})).toEqual(
      SERIES.map((_, i) => (i === 0 ? null : mean(SERIES.slice(Math.max(0, i - 5), i)))),
    )
    expect((await values({ window: 2 }))[9]).toBe(mean([23, 20]))
  })

  it.each<[object, (before: readonly number[]) => number]>([
    [
      { model: 'linear', window: 3 },
      part =>
        part.reduce((sum, v, i) => sum + v * (i + 1), 0) /
        (1 + part.reduce((sum, _, i) => sum + i + 1, 0)),
    ],
    [
      { model: 'ewma', window: 4, settings: { alpha: 0.5 } },
      part => part.slice(1).reduce((at, v) => 0.5 * v + 0.5 * at, part[0]!),
    ],
    [
      { model: 'holt', window: 4, settings: { alpha: 0.5, beta: 0.25 } },
      part => {
        let [level, trend] = [part[0]!, 0]
        for (const v of part.slice(1)) {
          const next = 0.5 * v + 0.5 * (level + trend)
          trend = 0.25 * (next - level) + 0.75 * trend
          level = next
        }
        return level
      },
    ],
  ])('weighs by the model of %j', async (options, of) => {
    const { window } = options as { window: number }
    const found = await values(options)
    for (let i = 1; i < SERIES.length; i++)
      expect(found[i]).toBeCloseTo(of(SERIES.slice(Math.max(0, i - window), i)), 10)
  })

  it('with seasons begins behind two of them, and agrees with its function', async () => {
    const settings = { alpha: 0.4, beta: 0.2, gamma: 0.3, period: 2, type: 'mult' }
    const found = await values({ model: 'holt_winters', window: 6, minimize: false, settings })
    expect(found.slice(0, 4)).toEqual([null, null, null, null])
    const { aggregations } = await ok('POST /i/_search', {
      size: 0,
      query: { range: { n: { lt: 100 } } },
      aggs: {
        h: {
          histogram: { field: 'n', interval: 10 },
          aggs: {
            s: { sum: { field: 'v' } },
            f: {
              moving_fn: {
                buckets_path: 's',
                window: 6,
                script:
                  'values.length < 4 ? 0 : MovingFunctions.holtWinters(values, 0.4, 0.2, 0.3, 2, true)',
              },
            },
          },
        },
      },
    })
    const functions = aggregations.h.buckets.map(({ f }: { f: { value: number } }) => f.value)
    expect(found.slice(4)).toEqual(functions.slice(4))
  })

  it('forecasts into buckets that there are, then into new ones', async () => {
    const all = await buckets({ window: 2, predict: 3 })
    expect(all.length).toBe(13)
    expect(all.slice(10).map(({ key, doc_count, s }) => [key, doc_count, s])).toEqual([
      [100, 0, undefined],
      [110, 0, undefined],
      [120, 0, undefined],
    ])
    expect(all.slice(10).map(({ m }) => m!.value)).toEqual([19.5, 19.5, 19.5])
    // Of buckets without documents the last that has a value counts.
    const gaps = await buckets({ window: 2, predict: 2 }, { range: { n: { lt: 20 } } })
    expect(gaps.map(({ key }) => key)).toEqual([0, 10, 20, 30])
  })

  it('forecasts along a trend, by dates and with a format', async () => {
    const { aggregations } = await ok('POST /i/_search', {
      size: 0,
      query: { range: { n: { lt: 30 } } },
      aggs: {
        h: {
          date_histogram: { field: 'at', calendar_interval: 'day', format: 'yyyy-MM-dd' },
          aggs: {
            m: {
              moving_avg: {
                buckets_path: '_count',
                predict: 2,
                model: 'holt',
                settings: { alpha: 1, beta: 1 },
                format: '0.00',
              },
            },
          },
        },
      },
    })
    const { buckets: days } = aggregations.h
    expect(days.slice(3)).toEqual([
      {
        key_as_string: '2024-01-04',
        key: Date.UTC(2024, 0, 4),
        doc_count: 0,
        m: { value: 1, value_as_string: '1.00' },
      },
      {
        key_as_string: '2024-01-05',
        key: Date.UTC(2024, 0, 5),
        doc_count: 0,
        m: { value: 1, value_as_string: '1.00' },
      },
    ])
  })

  it('says that it is old', async () => {
    const { headers } = await rest.call('POST /i/_search', {
      size: 0,
      aggs: {
        h: {
          histogram: { field: 'n', interval: 10 },
          aggs: { m: { moving_avg: { buckets_path: '_count' } } },
        },
      },
    })
    expect(Object.entries(headers).find(([key]) => key.toLowerCase() === 'warning')?.[1]).toContain(
      'The moving_avg aggregation has been deprecated in favor of the moving_fn aggregation.',
    )
  })

  it('counts gaps as its policy says', async () => {
    const query = { match_all: {} }
    const skipping = await buckets({ window: 1 }, query)
    expect(skipping.map(({ m }) => m?.value ?? null).slice(9)).toEqual([20, null, null, 19])
    const zeros = await buckets({ window: 1, gap_policy: 'insert_zeros' }, query)
    expect(zeros.map(({ m }) => m?.value ?? null).slice(9)).toEqual([20, 19, 0, 0])
  })

  it('fits its weights where it is told to, always alike', async () => {
    const plain = { model: 'ewma', window: 4, predict: 1, settings: { alpha: 0.01 } }
    const fitted = await buckets({ ...plain, minimize: true })
    expect(await buckets({ ...plain, minimize: true })).toEqual(fitted)
    // The last four values are forecast from the four before: a flat line, best at their median.
    const test = SERIES.slice(6)
    const train = SERIES.slice(2, 6)
    const costOf = (alpha: number): number => {
      const guess = train.slice(1).reduce((at, v) => alpha * v + (1 - alpha) * at, train[0]!)
      return test.reduce((sum, v) => sum + Math.abs(v - guess), 0)
    }
    const best = Math.min(...Array.from({ length: 1001 }, (_, i) => costOf(i / 1000)))
    // The weight is not shown, so it is found again by the forecast that it makes.
    const last = SERIES.slice(6)
    const shown = fitted.at(-1)!.m!.value
    const guessOf = (alpha: number): number =>
      last.slice(1).reduce((at, v) => alpha * v + (1 - alpha) * at, last[0]!)
    const alphas = Array.from({ length: 20_001 }, (_, i) => i / 20_000)
    const close = alphas.filter(alpha => Math.abs(guessOf(alpha) - shown) < 0.01)
    expect(Math.min(...close.map(costOf))).toBeLessThan(best + 0.5)
    const few = { model: 'ewma', window: 9, minimize: true, settings: { alpha: 0.01 } }
    expect(await values(few)).toEqual(await values({ ...few, minimize: false }))
  })

  it.each<[object, [string, string, string | undefined]]>([
    [
      { window: 0 },
      [
        'parsing_exception',
        '[window] value must be a positive, non-zero integer.  Value supplied was [0] in [m].',
        undefined,
      ],
    ],
    [
      { predict: -1 },
      [
        'parsing_exception',
        '[predict] value must be a positive integer.  Value supplied was [-1] in [m].',
        undefined,
      ],
    ],
    [{ model: 'nope' }, ['parsing_exception', 'Unknown moving_avg_model [nope]', undefined]],
    [
      { model: 'simple', minimize: true },
      [
        'action_request_validation_exception',
        'Validation Failed: 1: The [simple] model cannot be minimized for aggregation [m];',
        undefined,
      ],
    ],
    [
      { model: 'ewma', settings: { alpha: 2 } },
      [
        'parsing_exception',
        'Could not parse settings for model [ewma].',
        'Parameter [alpha] must be between 0-1 inclusive.  Provided value was [2]',
      ],
    ],
    [
      { model: 'holt', settings: { beta: 'x' } },
      [
        'parsing_exception',
        'Could not parse settings for model [holt].',
        'Parameter [beta] must be a double, type `String` provided instead',
      ],
    ],
    [
      { model: 'holt', settings: { gamma: 0.5 } },
      [
        'parsing_exception',
        'Could not parse settings for model [holt].',
        'Unrecognized parameter(s): [[gamma]]',
      ],
    ],
    [
      { model: 'holt_winters', settings: { period: 3 } },
      [
        'illegal_argument_exception',
        'Field [window] must be at least twice as large as the period when using Holt-Winters.  ' +
          'Value provided was [5], which is less than (2*period) == 6',
        undefined,
      ],
    ],
  ])('refuses %j', async (options, error) => {
    expect(await refused(options)).toEqual(error)
  })
})
