import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /i', {
    mappings: {
      properties: { k: { type: 'keyword' }, n: { type: 'long' }, v: { type: 'double' } },
    },
  })
  // Buckets of width 10: 0 holds 1 and 2, 10 nothing, 20 holds 4, 30 holds 8.
  const rows = [
    { k: 'a', n: 1, v: 1 },
    { k: 'b', n: 5, v: 2 },
    { k: 'a', n: 21, v: 4 },
    { k: 'b', n: 33, v: 8 },
  ]
  await rest.call('POST /i/_bulk?refresh', ndjson(...rows.flatMap(row => [{ index: {} }, row])))
})
afterAll(() => rest.close())

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
const aggs = async (body: object): Promise<any> =>
  (await ok('POST /i/_search', { size: 0, aggs: body })).aggregations

const refused = async (body: object): Promise<unknown> => {
  const answer = await rest.call('POST /i/_search', { size: 0, aggs: body })
  expect(answer.status).toBe(400)
  return answer.json.error
}

const histogram = (below: object, beside: object = {}): object => ({
  h: { histogram: { field: 'n', interval: 10 }, aggs: { s: { sum: { field: 'v' } }, ...below } },
  ...beside,
})

describe('pipelines beside their buckets', () => {
  it('pass empty buckets over', async () => {
    const path = { buckets_path: 'h>s' }
    const answer = await aggs(
      histogram(
        {},
        {
          avg: { avg_bucket: path },
          sum: { sum_bucket: path },
          min: { min_bucket: path },
          max: { max_bucket: path },
          stats: { stats_bucket: path },
          zeros: { avg_bucket: { ...path, gap_policy: 'insert_zeros' } },
          counts: { max_bucket: { buckets_path: 'h>_count' } },
          shown: { sum_bucket: { ...path, format: '0.0 EUR' } },
          half: { percentiles_bucket: { ...path, percents: [50] } },
        },
      ),
    )
    expect(answer.avg).toEqual({ value: 5 })
    expect(answer.sum).toEqual({ value: 15 })
    expect(answer.min).toEqual({ value: 3, keys: ['0.0'] })
    expect(answer.max).toEqual({ value: 8, keys: ['30.0'] })
    expect(answer.stats).toEqual({ count: 3, min: 3, max: 8, avg: 5, sum: 15 })
    expect(answer.zeros).toEqual({ value: 3.75 })
    expect(answer.counts).toEqual({ value: 2, keys: ['0.0'] })
    expect(answer.shown).toEqual({ value: 15, value_as_string: '15.0 EUR' })
    expect(answer.half).toEqual({ values: { '50.0': 4 } })
  })

  it('read each other in whatever order they stand', async () => {
    const answer = await aggs({
      best: { max_bucket: { buckets_path: 'h>total' } },
      ...histogram({ total: { cumulative_sum: { buckets_path: 's' } } }),
    })
    expect(answer.best).toEqual({ value: 15, keys: ['30.0'] })
    expect(Object.keys(answer)).toEqual(['h', 'best'])
  })

  it('pass over buckets that another pipeline gave nothing', async () => {
    const answer = await aggs(
      histogram(
        {
          d: { derivative: { buckets_path: '_count' } },
          dd: { derivative: { buckets_path: 'd' } },
          c: { cumulative_sum: { buckets_path: 'd' } },
        },
        {
          max: { max_bucket: { buckets_path: 'h>d' } },
          all: { stats_bucket: { buckets_path: 'h>d', gap_policy: 'insert_zeros' } },
        },
      ),
    )
    const { buckets } = answer.h
    const valuesOf = (name: string): unknown[] =>
      buckets.map((bucket: Record<string, { value: unknown }>) => bucket[name]?.value)
    expect(valuesOf('d')).toEqual([undefined, ...valuesOf('d').slice(1)])
    expect(valuesOf('dd').slice(0, 2)).toEqual([undefined, undefined])
    expect(valuesOf('c')[0]).toBe(0)
    expect(answer.max.value).toBe(Math.max(...(valuesOf('d').slice(1) as number[])))
    expect(answer.all.count).toBe(buckets.length - 1)
  })

  it('name buckets of unnamed filters by number, and of pages by their whole key', async () => {
    const max = (name: string): object => ({ max_bucket: { buckets_path: `${name}>_count` } })
    const answer = await aggs({
      f: { filters: { filters: [{ match_none: {} }, { match_all: {} }] } },
      c: {
        composite: {
          size: 1,
          sources: [
            { k: { terms: { field: 'k' } } },
            { h: { histogram: { field: 'n', interval: 1000 } } },
          ],
        },
      },
      best: max('f'),
      page: max('c'),
    })
    expect(answer.best.keys).toEqual(['1'])
    expect(answer.page.keys).toEqual([expect.stringMatching(/^\{k=\w+, h=0\.0\}$/)])
  })

  it('need a sibling with buckets', async () => {
    expect(await refused({ p: { avg_bucket: { buckets_path: 'none>s' } } })).toMatchObject({
      type: 'action_request_validation_exception',
      reason:
        'Validation Failed: 1: buckets_path aggregation does not exist for aggregation [p]: none>s;',
    })
    expect(await refused({ p: { avg_bucket: {} } })).toMatchObject({
      reason: 'Missing required field [buckets_path] for avg_bucket aggregation [p]',
    })
    const terms = { t: { terms: { field: 'k' }, aggs: { u: { terms: { field: 'n' } } } } }
    expect(await refused({ ...terms, p: { max_bucket: { buckets_path: 't>u' } } })).toMatchObject({
      type: 'aggregation_execution_exception',
      reason:
        'buckets_path must reference either a number value or a single value numeric metric ' +
        'aggregation, got: [LongTerms] at aggregation [u]',
    })
    const stats = { t: { terms: { field: 'k' }, aggs: { u: { stats: { field: 'n' } } } } }
    expect(await refused({ ...stats, p: { max_bucket: { buckets_path: 't>u' } } })).toMatchObject({
      reason:
        'buckets_path must reference either a number value or a single value numeric metric ' +
        'aggregation, but [u] contains multiple values. Please specify which to use.',
    })
    const named = await aggs({ ...stats, p: { max_bucket: { buckets_path: 't>u.max' } } })
    expect(named.p).toEqual({ value: 33, keys: ['b'] })
  })
})

describe('pipelines within the buckets of a histogram', () => {
  it('add the differences and sums of neighbours', async () => {
    const answer = await aggs(
      histogram({
        c: { cumulative_sum: { buckets_path: 's' } },
        d: { derivative: { buckets_path: 's' } },
        z: { derivative: { buckets_path: 's', gap_policy: 'insert_zeros', unit: '10ms' } },
        l: { serial_diff: { buckets_path: 's', lag: 2 } },
        m: {
          moving_fn: { buckets_path: 's', window: 2, script: 'MovingFunctions.sum(values)' },
        },
      }),
    )
    const { buckets } = answer.h
    const valuesOf = (name: string): unknown[] =>
      buckets.map((bucket: Record<string, { value: unknown }>) => bucket[name]?.value)
    expect(buckets.map(({ key }: { key: number }) => key)).toEqual([0, 10, 20, 30])
    expect(valuesOf('c')).toEqual([3, 3, 7, 15])
    expect(valuesOf('d')).toEqual([undefined, null, null, 4])
    expect(valuesOf('z')).toEqual([undefined, -3, 4, 4])
    expect(buckets[3].z.normalized_value).toBe(4)
    expect(valuesOf('l')).toEqual([undefined, undefined, 1, undefined])
    expect(valuesOf('m')).toEqual([0, undefined, 3, 7])
  })

  it('sort and cut', async () => {
    const answer = await aggs(histogram({ b: { bucket_sort: { sort: [{ s: 'desc' }], size: 2 } } }))
    expect(answer.h.buckets.map(({ key }: { key: number }) => key)).toEqual([30, 20])
    const cut = await aggs(histogram({ b: { bucket_sort: { from: 1, size: 2 } } }))
    expect(cut.h.buckets.map(({ key }: { key: number }) => key)).toEqual([10, 20])
  })

  it.each([
    [
      { c: { cumulative_sum: { buckets_path: 's' } } },
      "Validation Failed: 1: cumulative_sum aggregation [c] must have a histogram, date_histogram or auto_date_histogram as parent but doesn't have a parent;",
    ],
    [
      { t: { terms: { field: 'k' }, aggs: { c: { derivative: { buckets_path: '_count' } } } } },
      'Validation Failed: 1: derivative aggregation [c] must have a histogram, date_histogram or auto_date_histogram as parent;',
    ],
    [
      {
        h: {
          histogram: { field: 'n', interval: 10, min_doc_count: 1 },
          aggs: { c: { serial_diff: { buckets_path: '_count' } } },
        },
      },
      'Validation Failed: 1: parent histogram of serial_diff aggregation [c] must have min_doc_count of 0;',
    ],
    [
      { b: { bucket_sort: { size: 1 } } },
      'Validation Failed: 1: bucket_sort aggregation [b] must be declared inside of another aggregation;',
    ],
  ])('refuse %j', async (body, reason) => {
    expect(await refused(body)).toMatchObject({ reason })
  })

  it('refuse circles, unknown policies and sub-aggregations', async () => {
    const circle = histogram({
      a: { cumulative_sum: { buckets_path: 'b' } },
      b: { cumulative_sum: { buckets_path: 'a' } },
    })
    expect(await refused(circle)).toMatchObject({
      reason: expect.stringMatching(
        /^Cyclical dependency found with pipeline aggregator \[[ab]\]$/,
      ),
    })
    const policy = histogram({ a: { derivative: { buckets_path: 's', gap_policy: 'x' } } })
    expect(await refused(policy)).toMatchObject({
      caused_by: {
        reason: 'Invalid gap policy: [x], accepted values: [insert_zeros, skip]',
      },
    })
    const below = histogram({
      a: { derivative: { buckets_path: 's' }, aggs: { x: { max: { field: 'n' } } } },
    })
    expect(await refused(below)).toMatchObject({
      reason: 'Aggregation [a] cannot define sub-aggregations',
    })
    const lost = histogram({ a: { derivative: { buckets_path: 'nowhere' } } })
    expect(await refused(lost)).toMatchObject({
      reason: 'No aggregation found for path [nowhere]',
    })
    const window = histogram({
      a: { moving_fn: { buckets_path: 's', window: 0, script: 'MovingFunctions.max(values)' } },
    })
    expect(await refused(window)).toMatchObject({
      caused_by: { reason: '[window] must be a positive, non-zero integer.' },
    })
    for (const type of ['bucket_script', 'bucket_selector'])
      expect(await refused(histogram({ a: { [type]: {} } }))).toMatchObject({
        reason: 'Required [buckets_path, script]',
      })
    expect(await refused(histogram({ a: { moving_avg: {} } }))).toMatchObject({
      reason: 'Missing required field [buckets_path] for moving_avg aggregation [a]',
    })
  })
})
