import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

interface Row {
  readonly n: number
  readonly d?: number
  readonly k: readonly string[]
  readonly at: string
}

const ROWS: readonly Row[] = Array.from({ length: 60 }, (_, i) => ({
  n: (i * 7) % 23,
  ...(i % 4 !== 0 && { d: i / 8 }),
  k: i % 3 === 0 ? ['x'] : [`k${i % 5}`, 'x'],
  at: `2024-01-${String(1 + (i % 6)).padStart(2, '0')}`,
}))

beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /i', {
    settings: { number_of_shards: 2 },
    mappings: {
      properties: {
        n: { type: 'long' },
        d: { type: 'double' },
        k: { type: 'keyword' },
        at: { type: 'date' },
        p: { type: 'geo_point' },
      },
    },
  })
  // Several segments, so that slices have something to share.
  for (let from = 0; from < ROWS.length; from += 15)
    await ok(
      'POST /i/_bulk?refresh',
      ndjson(...ROWS.slice(from, from + 15).flatMap(row => [{ index: {} }, row])),
    )
})
afterAll(() => rest.close())

type Answer = Record<string, never>

/** The answer to an aggregation, the same for all slices, profiled or not. */
async function answer(a: object, query: object = { match_all: {} }): Promise<Answer> {
  const answers: Answer[] = []
  for (const slices of [1, 2, 4])
    for (const profile of [false, true]) {
      await ok('PUT /i/_settings', { 'index.search.concurrent.max_slice_count': slices })
      const { aggregations } = await ok('POST /i/_search', { size: 0, query, aggs: { a }, profile })
      answers.push(aggregations.a)
    }
  for (const other of answers) expect(other).toEqual(answers[0])
  return answers[0]!
}

async function refused(a: object): Promise<string> {
  const { json, status } = await rest.call('POST /i/_search', { size: 0, aggs: { a } })
  expect(status).toBeGreaterThanOrEqual(400)
  return json.error.failed_shards?.[0].reason.reason ?? json.error.root_cause[0].reason
}

const sum = (of: (row: Row) => number): number => ROWS.reduce((total, row) => total + of(row), 0)

/** Documents by the values of a model, each once. */
function counts(of: (row: Row) => readonly (string | number)[]): Map<string | number, number> {
  const found = new Map<string | number, number>()
  for (const row of ROWS)
    for (const value of new Set(of(row))) found.set(value, (found.get(value) ?? 0) + 1)
  return found
}

function bucketsOf(result: Answer): Map<string | number, number> {
  const buckets = result['buckets'] as unknown as { key: string; doc_count: number }[]
  return new Map(buckets.map(({ key, doc_count }) => [key, doc_count]))
}

describe('values of scripts', () => {
  it.each<[object, (row: Row) => number]>([
    [{ script: "doc['n'].value * 2" }, ({ n }) => n * 2],
    [{ field: 'n', script: '_value + 0.5' }, ({ n }) => n + 0.5],
    [{ script: { source: 'params.by * doc.n.value', params: { by: 3 } } }, ({ n }) => 3 * n],
    [{ script: { lang: 'expression', source: "doc['n'] + 1" } }, ({ n }) => n + 1],
    [{ field: 'n', script: { lang: 'expression', source: '_value * _value' } }, ({ n }) => n * n],
    [{ script: "doc['d'].empty ? null : doc['d'].value", missing: 2 }, ({ d }) => d ?? 2],
    [{ script: '[1, 2L, 0.5]' }, () => 3.5],
    [{ script: "doc['n'].value > 10" }, ({ n }) => (n > 10 ? 1 : 0)],
  ])('are summed: %j', async (keys, model) => {
    expect((await answer({ sum: keys }))['value']).toBe(sum(model))
  })

  it('read scores', async () => {
    const query = { constant_score: { filter: { match_all: {} }, boost: 2 } }
    expect((await answer({ avg: { script: '_score * 3' } }, query))['value']).toBe(6)
  })

  it.each<[object, (row: Row) => readonly (string | number)[]]>([
    [{ script: "doc['k'].value + '!'" }, ({ k }) => [`${[...k].sort()[0]}!`]],
    [{ script: "doc['k']" }, ({ k }) => k],
    [{ field: 'k', script: '_value.toUpperCase()' }, ({ k }) => k.map(each => each.toUpperCase())],
    [{ script: "doc['n'].value % 3" }, ({ n }) => [String(n % 3)]],
    [{ script: "doc['n'].value % 3", value_type: 'long' }, ({ n }) => [n % 3]],
    [{ field: 'n', script: '_value % 4' }, ({ n }) => [n % 4]],
    [{ script: "doc['k']", include: 'k.*' }, ({ k }) => k.filter(each => each !== 'x')],
    [{ script: "doc['k']", exclude: ['k1', 'x'] }, ({ k }) => k.filter(each => !/k1|x/.test(each))],
    [
      { script: "doc['d'].empty ? null : 'd'", missing: 'none' },
      ({ d }) => [d === undefined ? 'none' : 'd'],
    ],
  ])('are terms: %j', async (keys, model) => {
    expect(bucketsOf(await answer({ terms: { size: 100, ...keys } }))).toEqual(counts(model))
  })

  it('sort and nest as other terms do', async () => {
    const result = await answer({
      terms: { script: "doc['k']", order: { m: 'desc' } },
      aggs: { m: { max: { script: "doc['n'].value" } } },
    })
    const buckets = result['buckets'] as unknown as { key: string; m: { value: number } }[]
    for (const { key, m } of buckets)
      expect(m.value).toBe(Math.max(...ROWS.filter(({ k }) => k.includes(key)).map(({ n }) => n)))
    const values = buckets.map(({ m }) => m.value)
    expect(values).toEqual([...values].sort((a, b) => b - a))
  })

  it('are counted: distinct, present, missing, rare', async () => {
    const distinct = await answer({
      cardinality: { script: "doc['k'].value + doc['n'].value % 2" },
    })
    expect(distinct['value']).toBe(counts(({ k, n }) => [`${[...k].sort()[0]}${n % 2}`]).size)
    const of = { field: 'k', script: "_value + '1'" }
    expect((await answer({ cardinality: of }))['value']).toBe(counts(({ k }) => k).size)
    expect((await answer({ value_count: { script: "doc['k']" } }))['value']).toBe(
      sum(({ k }) => k.length),
    )
    const missing = await answer({ missing: { script: "doc['d'].empty ? null : 'x'" } })
    expect(missing['doc_count']).toBe(sum(({ d }) => (d === undefined ? 1 : 0)))
    const rare = await answer({ rare_terms: { script: "doc['n'].value", max_doc_count: 2 } })
    expect(bucketsOf(rare)).toEqual(
      new Map([...counts(({ n }) => [String(n)])].filter(([, count]) => count <= 2)),
    )
  })

  it('fall into histograms and ranges', async () => {
    const histogram = await answer({ histogram: { script: "doc['n'].value", interval: 5 } })
    expect(bucketsOf(histogram)).toEqual(counts(({ n }) => [5 * Math.floor(n / 5)]))
    const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)
    const dates = await answer({
      date_histogram: { script: "doc['at'].value", calendar_interval: 'day' },
    })
    expect(bucketsOf(dates)).toEqual(counts(({ at }) => [day(at)]))
    const moved = { field: 'at', script: '_value + 86400000L', calendar_interval: 'day' }
    expect(bucketsOf(await answer({ date_histogram: moved }))).toEqual(
      counts(({ at }) => [day(at) + 86_400_000]),
    )
    const ranges = await answer({
      range: { script: "doc['n'].value", ranges: [{ to: 10 }, { from: 10 }] },
    })
    expect([...bucketsOf(ranges).values()]).toEqual([
      sum(({ n }) => (n < 10 ? 1 : 0)),
      sum(({ n }) => (n < 10 ? 0 : 1)),
    ])
  })

  it('are weighed, spread and sorted into tuples', async () => {
    const mean = await answer({
      weighted_avg: { value: { script: "doc['n'].value" }, weight: { script: "doc['k'].size()" } },
    })
    expect(mean['value']).toBeCloseTo(
      sum(({ n, k }) => n * k.length) / sum(({ k }) => k.length),
      12,
    )
    const percentiles = await answer({ percentiles: { script: "doc['n'].value", percents: [100] } })
    expect(percentiles['values']).toEqual({ '100.0': 22 })
    const tuples = await answer({
      multi_terms: {
        size: 100,
        terms: [{ script: "doc['k'].value" }, { script: "doc['n'].value % 2", value_type: 'long' }],
      },
    })
    const keys = (
      tuples['buckets'] as unknown as { key_as_string: string; doc_count: number }[]
    ).map(({ key_as_string, doc_count }): [string, number] => [key_as_string, doc_count])
    expect(new Map(keys)).toEqual(counts(({ k, n }) => [`${[...k].sort()[0]}|${n % 2}`]))
    const pages = await answer({
      composite: { size: 100, sources: [{ a: { terms: { script: "doc['k'].value" } } }] },
    })
    expect((pages['buckets'] as unknown as object[]).length).toBe(
      counts(({ k }) => [[...k].sort()[0]!]).size,
    )
    const sample = await answer({
      diversified_sampler: { script: "doc['k'].value", max_docs_per_value: 1, shard_size: 50 },
    })
    expect(sample['doc_count']).toBeGreaterThan(counts(({ k }) => [[...k].sort()[0]!]).size - 1)
  })

  it('tell their aggregators in profiles', async () => {
    const { profile } = await ok('POST /i/_search', {
      size: 0,
      profile: true,
      aggs: { a: { terms: { script: "doc['k'].value" } } },
    })
    expect(profile.shards[0].aggregations[0]).toMatchObject({
      type: 'MapStringTermsAggregator',
      debug: { result_strategy: 'terms' },
    })
  })

  it.each<[object, string]>([
    [
      { sum: { script: "'a'" } },
      'Unsupported script value [a], expected a number, date, or boolean',
    ],
    [{ sum: { script: "doc['gone'].value" } }, 'runtime error'],
    [{ sum: { script: 'foo' } }, 'compile error'],
    [
      { geo_bounds: { script: "doc['p']" } },
      'value source of type [geopoint] is not supported by scripts',
    ],
    [
      { terms: { script: 'def m = [:]; m.m = m; return m' } },
      'Iterable object is self-referencing itself',
    ],
    [{ sum: {} }, 'Required one of fields [field, script], but none were specified. '],
    [
      { weighted_avg: { value: {}, weight: { field: 'n' } } },
      '[1:48] [weighted_avg] failed to parse field [value]',
    ],
  ])('refuse %j', async (a, reason) => {
    expect(await refused(a)).toBe(reason)
  })

  it('are asked anew where they differ from run to run', async () => {
    const aggs = { a: { max: { script: 'Math.random()' } } }
    const first = await ok('POST /i/_search?size=0', { aggs })
    const second = await ok('POST /i/_search?size=0', { aggs })
    expect(first.aggregations.a.value).not.toBe(second.aggregations.a.value)
  })
})
