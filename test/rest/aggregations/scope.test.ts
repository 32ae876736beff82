import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /n', {
    mappings: {
      properties: {
        t: { type: 'keyword' },
        v: { type: 'long' },
        j: { type: 'join', relations: { question: 'answer' } },
      },
    },
  })
  await ok('PUT /m', { mappings: { properties: { t: { type: 'long' }, v: { type: 'double' } } } })
  await rest.call(
    'POST /_bulk?refresh',
    ndjson(
      ...[1, 2, 3].flatMap(v => [
        { index: { _index: 'n', _id: String(v) } },
        { t: `x${v}`, v, j: 'question' },
      ]),
      { index: { _index: 'n', _id: '4', routing: '1' } },
      { t: 'reply', j: { name: 'answer', parent: '1' } },
      { index: { _index: 'm', _id: '1' } },
      { t: 5, v: 2 },
    ),
  )
})
afterAll(() => rest.close())

const AGGS = { a: { terms: { field: 'v' } } }
const ALL = [1, 2, 3].map(key => ({ key, doc_count: 1 }))

describe('aggregations beside the rest of a search', () => {
  it('see what a post filter, a sort and a group of hits leave out', async () => {
    for (const extra of [
      { post_filter: { term: { v: 1 } } },
      { size: 1, sort: [{ v: 'desc' }] },
      { collapse: { field: 'v' } },
      { size: 1, sort: ['v'], search_after: [2] },
    ]) {
      const answer = await ok('POST /n/_search', { ...extra, aggs: AGGS })
      expect(answer.aggregations.a.buckets).toEqual(ALL)
    }
  })

  it('see neither what scores too little, nor what a shard stopped ahead of', async () => {
    const low = await ok('POST /n/_search', { size: 0, min_score: 2, aggs: AGGS })
    expect(low.aggregations.a.buckets).toEqual([])
    const stopped = await ok('POST /n/_search', { size: 0, terminate_after: 1, aggs: AGGS })
    expect(stopped.aggregations.a.buckets).toEqual([{ key: 1, doc_count: 1 }])
  })

  it('come with the first page of a scroll, and in searches of several', async () => {
    const first = await ok('POST /n/_search?scroll=1m', { size: 2, aggs: AGGS })
    expect(first.aggregations.a.buckets).toEqual(ALL)
    const next = await ok('POST /_search/scroll', { scroll_id: first._scroll_id })
    expect(next.aggregations).toBeUndefined()
    const several = await rest.call(
      'POST /_msearch',
      ndjson({ index: 'n' }, { size: 0, aggs: AGGS }),
    )
    expect(several.json.responses[0].aggregations.a.buckets).toEqual(ALL)
  })

  it('stay without an answer where no index is searched, and where none are given', async () => {
    expect((await ok('POST /none*/_search', { aggs: AGGS })).aggregations).toBeUndefined()
    expect((await ok('POST /n/_search', { aggs: {} })).aggregations).toBeUndefined()
  })

  it('merge whole and broken numbers of several indices, and nothing else', async () => {
    const merged = await ok('POST /n,m/_search?typed_keys=true', { size: 0, aggs: AGGS })
    expect(merged.aggregations['dterms#a'].buckets[0]).toEqual({ key: 2, doc_count: 2 })
    const answer = await rest.call('POST /n,m/_search', { aggs: { a: { terms: { field: 't' } } } })
    expect([answer.status, answer.json.error.type, answer.json.error.reason]).toEqual([
      400,
      'aggregation_execution_exception',
      'Merging/Reducing the aggregations failed when computing the aggregation [a] because the field ' +
        'you gave in the aggregation query existed as two different types in two different indices',
    ])
  })

  it('count a name that all documents share, and shards put together in batches', async () => {
    const body = { size: 0, query: { match_none: {} } }
    const names = { a: { terms: { field: '_index', min_doc_count: 0 } } }
    const answer = await ok('POST /n,m/_search?batched_reduce_size=2', { ...body, aggs: names })
    expect(answer.aggregations.a.buckets).toEqual([
      { key: 'm', doc_count: 0 },
      { key: 'n', doc_count: 0 },
    ])
    expect(answer.num_reduce_phases).toBeUndefined()
    await ok('PUT /five', { settings: { number_of_shards: 5 } })
    const five = await ok('POST /five/_search?batched_reduce_size=2', { aggs: AGGS })
    expect(five.num_reduce_phases).toBe(4)
    const typed = await rest.call(
      'POST /_msearch?typed_keys',
      ndjson({ index: 'n' }, { aggs: AGGS }),
    )
    expect(Object.keys(typed.json.responses[0].aggregations)).toEqual(['lterms#a'])
  })

  it('filter by joins', async () => {
    const filter = { has_child: { type: 'answer', query: { term: { t: 'reply' } } } }
    const answer = await ok('POST /n/_search', {
      size: 0,
      aggs: { a: { filter, aggs: { t: { terms: { field: 't' } } } } },
    })
    expect(answer.aggregations.a).toMatchObject({
      doc_count: 1,
      t: { buckets: [{ key: 'x1', doc_count: 1 }] },
    })
  })

  it('are cached with searches that return no hits', async () => {
    const body = { size: 0, aggs: { ...AGGS, all: { global: {} } } }
    const first = await rest.call('POST /n/_search', body)
    const again = await rest.call('POST /n/_search', body)
    expect(again.json.aggregations).toEqual(first.json.aggregations)
    const stats = await ok('GET /n/_stats/request_cache')
    expect(stats._all.total.request_cache.hit_count).toBeGreaterThan(0)
  })

  it('stop before they take more memory than there may be', async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => [{ index: {} }, { k: `key ${i}` }]).flat()
    await ok('PUT /many', { mappings: { properties: { k: { type: 'keyword' } } } })
    await rest.call('POST /many/_bulk?refresh', ndjson(...lines))
    await ok('PUT /_cluster/settings', { transient: { 'indices.breaker.request.limit': '8kb' } })
    const answer = await rest.call('POST /many/_search', {
      size: 0,
      aggs: { k: { terms: { field: 'k', size: 10_000 } } },
    })
    await ok('PUT /_cluster/settings', { transient: { 'indices.breaker.request.limit': null } })
    expect(answer.status).toBe(429)
    expect(answer.text).toContain('circuit_breaking_exception')
  })
})

const KEYS = [
  ...[
    'field',
    'size',
    'shard_size',
    'order',
    'include',
    'exclude',
    'missing',
    'format',
    'time_zone',
  ],
  ...[
    'interval',
    'fixed_interval',
    'calendar_interval',
    'offset',
    'min_doc_count',
    'keyed',
    'ranges',
  ],
  ...[
    'from',
    'to',
    'key',
    'filters',
    'path',
    'sources',
    'after',
    'terms',
    'buckets_path',
    'script',
  ],
  ...[
    'hard_bounds',
    'extended_bounds',
    'min',
    'max',
    'partition',
    'num_partitions',
    'percents',
    'sort',
  ],
  ...['values', 'mask', 'precision_threshold', 'term', 'match_all', 'v', 'a', '_key', 'gap_policy'],
]
/** Values that some key of some aggregation takes, and others that none does. */
const anyValue: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      'v',
      't',
      'j',
      '_id',
      'none',
      '',
      '1d',
      '_count',
      'asc',
      'a>b',
      '*',
      '[',
      'NaN',
    ),
    fc.constantFrom(0, 1, -1, 2 ** 31, 1e300, 5e-324, 0.5, null, true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 4 }),
  ),
})).value

const TYPES = [
  ...['terms', 'multi_terms', 'rare_terms', 'composite', 'histogram', 'date_histogram', 'range'],
  ...[
    'date_range',
    'ip_range',
    'filter',
    'filters',
    'adjacency_matrix',
    'missing',
    'global',
    'nested',
  ],
  ...[
    'reverse_nested',
    'avg',
    'stats',
    'extended_stats',
    'value_count',
    'cardinality',
    'percentiles',
  ],
  ...[
    'percentile_ranks',
    'weighted_avg',
    'top_hits',
    'geo_bounds',
    'matrix_stats',
    'cumulative_sum',
  ],
  ...['derivative', 'serial_diff', 'bucket_sort', 'moving_fn', 'avg_bucket', 'percentiles_bucket'],
]

it('answers or refuses whatever it is asked', async () => {
  const body = fc.dictionary(fc.constantFrom(...KEYS), anyValue, { maxKeys: 5 })
  const one = fc.tuple(fc.constantFrom(...TYPES), body)
  await fc.assert(
    fc.asyncProperty(one, one, async ([outer, outerBody], [inner, innerBody]) => {
      const aggs = {
        x: { [outer]: { field: 'v', ...outerBody }, aggs: { y: { [inner]: innerBody } } },
      }
      const answer = await rest.call('POST /n,m/_search', { size: 0, aggs })
      expect([200, 400, 503], `${JSON.stringify(aggs)} ${answer.text}`).toContain(answer.status)
    }),
    { numRuns: 600 },
  )
})
