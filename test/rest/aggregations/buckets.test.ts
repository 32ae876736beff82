import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

const ROWS = [
  { k: 'a', n: 1, d: 0.5, ip: '10.0.0.1', t: '2026-03-29T00:30:00Z', b: true },
  { k: ['a', 'b'], n: 2, d: 1.5, ip: '10.0.0.200', t: '2026-03-29T01:30:00Z', b: false },
  { k: 'b', n: 2, d: -1.5, ip: '10.0.1.7', t: '2026-03-30T12:00:00Z' },
  { n: 7, t: '2026-04-02T00:00:00Z' },
]

beforeAll(async () => {
  rest = await openRest()
  const properties = {
    k: { type: 'keyword' },
    n: { type: 'long' },
    d: { type: 'double' },
    ip: { type: 'ip' },
    t: { type: 'date' },
    b: { type: 'boolean' },
    text: { type: 'text' },
  }
  for (const [name, shards] of [
    ['i', 1],
    ['two', 2],
  ] as const) {
    await ok(`PUT /${name}`, { settings: { number_of_shards: shards }, mappings: { properties } })
    const lines = ROWS.flatMap((row, id) => [{ index: { _id: String(id) } }, row])
    await rest.call(`POST /${name}/_bulk?refresh`, ndjson(...lines))
  }
})
afterAll(() => rest.close())

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
const agg = async (body: object, options = '', index = 'i'): Promise<any> => {
  const answer = await ok(`POST /${index}/_search${options}`, { size: 0, aggs: { x: body } })
  return options === '' ? answer.aggregations.x : answer.aggregations
}

const refused = async (body: object): Promise<unknown> => {
  const answer = await rest.call('POST /i/_search', { size: 0, aggs: { x: body } })
  expect(answer.status).toBe(400)
  return answer.json.error
}

/** The innermost cause of an error that the shards gave. */
const cause = async (body: object): Promise<unknown> => {
  const answer = await rest.call('POST /i/_search', { size: 0, aggs: { x: body } })
  expect(answer.status).toBe(400)
  return answer.json.error.failed_shards[0].reason
}

describe('terms', () => {
  it('count a document once for each of its values, on one shard and on two', async () => {
    for (const index of ['i', 'two']) {
      const { buckets, sum_other_doc_count } = await agg({ terms: { field: 'k' } }, '', index)
      expect(buckets).toEqual([
        { key: 'a', doc_count: 2 },
        { key: 'b', doc_count: 2 },
      ])
      expect(sum_other_doc_count).toBe(0)
    }
  })

  it('print keys by type', async () => {
    expect((await agg({ terms: { field: 'b' } })).buckets).toEqual([
      { key: 0, key_as_string: 'false', doc_count: 1 },
      { key: 1, key_as_string: 'true', doc_count: 1 },
    ])
    expect(
      (await agg({ terms: { field: 't', size: 1, order: { _key: 'desc' } } })).buckets,
    ).toEqual([{ key: 1775088000000, key_as_string: '2026-04-02T00:00:00.000Z', doc_count: 1 }])
    expect((await agg({ terms: { field: 'ip', include: ['10.0.0.1'] } })).buckets).toEqual([
      { key: '10.0.0.1', doc_count: 1 },
    ])
  })

  it('name their type by that of the keys', async () => {
    const typed = async (field: string): Promise<string> =>
      Object.keys(await agg({ terms: { field } }, '?typed_keys=true'))[0]!
    expect(await typed('k')).toBe('sterms#x')
    expect(await typed('n')).toBe('lterms#x')
    expect(await typed('d')).toBe('dterms#x')
    expect(await typed('none')).toBe('umterms#x')
  })

  it('add values without documents from a min count of 0 on', async () => {
    const answer = await ok('POST /i/_search', {
      size: 0,
      query: { term: { n: 1 } },
      aggs: { x: { terms: { field: 'k', min_doc_count: 0 } } },
    })
    expect(answer.aggregations.x.buckets).toEqual([
      { key: 'a', doc_count: 1 },
      { key: 'b', doc_count: 0 },
    ])
  })

  it.each([
    [{ field: 'k', size: 0 }, '[size] must be greater than 0. Found [0] in [x]'],
    [{ field: 'k', shard_size: -1 }, '[shardSize] must be greater than 0. Found [-1] in [x]'],
    [
      { field: 'k', min_doc_count: -1 },
      '[minDocCount] must be greater than or equal to 0. Found [-1] in [x]',
    ],
    [
      { field: 'k', execution_hint: 'y' },
      'Unknown `execution_hint`: [y], expected any of [map, global_ordinals, stream]',
    ],
  ])('refuse %j', async (terms, reason) => {
    expect(await refused({ terms })).toMatchObject({ caused_by: { reason } })
  })

  it('refuse orders that lead nowhere, text, and patterns of numbers', async () => {
    expect(await refused({ terms: { field: 'k', order: { m: 'asc' } } })).toMatchObject({
      type: 'aggregation_execution_exception',
      reason:
        'Invalid aggregation order path [m]. The provided aggregation [m] either does not exist, or ' +
        'is a pipeline aggregation and cannot be used to sort the buckets.',
    })
    expect(await cause({ terms: { field: 'text' } })).toMatchObject({
      reason: expect.stringMatching(/^Text fields are not optimised for operations/),
    })
    expect(await cause({ terms: { field: 'n', include: '1.*' } })).toMatchObject({
      reason:
        'Aggregation [x] cannot support regular expression style include/exclude settings as they ' +
        'can only be applied to string fields. Use an array of numeric values for include/exclude ' +
        'clauses',
    })
    expect(await refused({ terms: {} })).toMatchObject({
      reason: 'Required one of fields [field, script], but none were specified. ',
    })
  })

  it('part values as the real hashes do', async () => {
    await ok('PUT /parts', {
      mappings: { properties: { s: { type: 'keyword' }, n: { type: 'long' } } },
    })
    await rest.call(
      'POST /parts/_bulk?refresh',
      ndjson({ index: {} }, { s: 'abc', n: 1234 }, { index: {} }, { s: 'bcd', n: 5678 }),
    )
    const keysOf = async (field: string, partition: number): Promise<unknown> => {
      const include = { partition, num_partitions: 2 }
      const { buckets } = await agg({ terms: { field, include } }, '', 'parts')
      return buckets.map(({ key }: { key: unknown }) => key)
    }
    expect(await keysOf('s', 1)).toEqual(['abc'])
    expect(await keysOf('s', 0)).toEqual(['bcd'])
    expect(await keysOf('n', 1)).toEqual([1234])
    expect(await keysOf('n', 0)).toEqual([5678])
  })
})

describe('histograms', () => {
  it('fill gaps, widen by extended bounds and cut by hard ones', async () => {
    const keys = async (options: object): Promise<unknown> =>
      (await agg({ histogram: { field: 'n', interval: 2, ...options } })).buckets.map(
        ({ key, doc_count }: { key: number; doc_count: number }) => [key, doc_count],
      )
    expect(await keys({})).toEqual([
      [0, 1],
      [2, 2],
      [4, 0],
      [6, 1],
    ])
    expect(await keys({ min_doc_count: 1, order: { _count: 'desc' } })).toEqual([
      [2, 2],
      [0, 1],
      [6, 1],
    ])
    expect(await keys({ extended_bounds: { min: -1, max: 9 } })).toHaveLength(6)
    expect(await keys({ hard_bounds: { min: 2, max: 4 } })).toEqual([[2, 2]])
  })

  it('round in local time, also where the clock changes', async () => {
    const answer = await agg({
      date_histogram: { field: 't', calendar_interval: 'day', time_zone: 'Europe/Paris' },
    })
    expect(answer.buckets.map((bucket: { key_as_string: string }) => bucket.key_as_string)).toEqual(
      [
        '2026-03-29T00:00:00.000+01:00',
        '2026-03-30T00:00:00.000+02:00',
        '2026-03-31T00:00:00.000+02:00',
        '2026-04-01T00:00:00.000+02:00',
        '2026-04-02T00:00:00.000+02:00',
      ],
    )
    const hours = await agg({
      date_histogram: {
        field: 't',
        fixed_interval: '1h',
        time_zone: 'Europe/Paris',
        min_doc_count: 1,
      },
    })
    expect(hours.buckets[1].key_as_string).toBe('2026-03-29T03:00:00.000+02:00')
  })

  it.each([
    [
      { histogram: { field: 'n', interval: 0 } },
      '[interval] must be >0 for histogram aggregation [x]',
    ],
    [
      {
        histogram: {
          field: 'n',
          interval: 1,
          hard_bounds: { min: 2, max: 3 },
          extended_bounds: { min: 1, max: 3 },
        },
      },
      'Extended bounds have to be inside hard bounds, hard bounds: [2.0--3.0], extended bounds: [1.0--3.0]',
    ],
    [
      { date_histogram: { field: 't' } },
      'Invalid interval specified, must be non-null and non-empty',
    ],
  ])('refuse %j', async (body, reason) => {
    expect(await refused(body)).toMatchObject({ reason })
  })

  it.each([
    [
      { calendar_interval: '2d' },
      'The supplied interval [2d] could not be parsed as a calendar interval.',
    ],
    [
      { calendar_interval: '1d', fixed_interval: '1d' },
      'Cannot use [fixed_interval] with [calendar_interval] configuration option.',
    ],
  ])('refuse the intervals %j', async (intervals, reason) => {
    expect(await refused({ date_histogram: { field: 't', ...intervals } })).toMatchObject({
      caused_by: { reason },
    })
  })

  it('refuse more buckets than the cluster allows before they are made', async () => {
    await ok('PUT /_cluster/settings', { transient: { 'search.max_buckets': 3 } })
    const answer = await rest.call('POST /i/_search', {
      size: 0,
      aggs: { x: { histogram: { field: 'n', interval: 0.0001 } } },
    })
    await ok('PUT /_cluster/settings', { transient: { 'search.max_buckets': null } })
    expect(answer.status).toBe(503)
    expect(answer.text).toContain(
      'Trying to create too many buckets. Must be less than or equal to: [3] but was [4]. This ' +
        'limit can be set by changing the [search.max_buckets] cluster level setting.',
    )
  })
})

const TERMS_IN_NO_ORDER = { terms: { field: 'k', collect_mode: 'x' } }

describe('other buckets', () => {
  it('of several fields', async () => {
    const { buckets } = await agg({ multi_terms: { terms: [{ field: 'k' }, { field: 'n' }] } })
    expect(buckets).toEqual(
      [
        { key: ['a', 1], key_as_string: 'a|1', doc_count: 1 },
        { key: ['a', 2], key_as_string: 'a|2', doc_count: 1 },
        { key: ['b', 2], key_as_string: 'b|2', doc_count: 2 },
      ].sort((a, b) => b.doc_count - a.doc_count),
    )
    expect(await refused({ multi_terms: { terms: [{ field: 'k' }] } })).toMatchObject({
      reason:
        'multi term aggregation must has at least 2 terms. Found [1] in [x] Use terms aggregation ' +
        'for single term aggregation',
    })
    const terms = [{ field: 'k' }, { field: 'n' }]
    for (const body of [{ multi_terms: { terms, collect_mode: 'x' } }, TERMS_IN_NO_ORDER])
      expect(await refused(body)).toMatchObject({
        caused_by: {
          reason: 'Unknown `collect_mode`: [x], expected any of [depth_first, breadth_first]',
        },
      })
  })

  it('page by page', async () => {
    const sources = [
      { n: { terms: { field: 'n' } } },
      { k: { terms: { field: 'k', missing_bucket: true, order: 'desc' } } },
    ]
    const seen: unknown[] = []
    let after: object | undefined
    for (;;) {
      const page = await agg({
        composite: { sources, size: 2, ...(after === undefined ? {} : { after }) },
      })
      if (page.buckets.length === 0) break
      seen.push(
        ...page.buckets.map(({ key, doc_count }: { key: object; doc_count: number }) => [
          key,
          doc_count,
        ]),
      )
      after = page.after_key
    }
    expect(seen).toEqual([
      [{ n: 1, k: 'a' }, 1],
      [{ n: 2, k: 'b' }, 2],
      [{ n: 2, k: 'a' }, 1],
      [{ n: 7, k: null }, 1],
    ])
  })

  it.each([
    [{ composite: { sources: [] } }, 'Composite [sources] cannot be null or empty'],
    [{ composite: {} }, 'Required [sources]'],
    [
      {
        composite: {
          sources: [{ a: { terms: { field: 'k' } } }, { a: { terms: { field: 'n' } } }],
        },
      },
      'Composite source names must be unique, found duplicates: [a]',
    ],
    [
      { composite: { sources: [{ a: { terms: { field: 'k' } } }], after: { a: 'x', b: 1 } } },
      '[after] has 2 value(s) but [sources] has 1',
    ],
    [
      { composite: { sources: [{ a: { terms: { field: 'k' } } }], after: { b: 1 } } },
      'Missing value for [after.a]',
    ],
    [
      {
        terms: { field: 'k' },
        aggs: { c: { composite: { sources: [{ a: { terms: { field: 'k' } } }] } } },
      },
      '[composite] aggregation cannot be used with a parent aggregation of type: [TermsAggregatorFactory]',
    ],
    [
      { terms: { field: 'k' }, aggs: { g: { global: {} } } },
      'Aggregation [x] cannot have a global sub-aggregation [g]. Global aggregations can only be defined as top level aggregations',
    ],
    [{ filters: { filters: {} } }, '[filters] cannot be empty.'],
    [{ range: { field: 'n' } }, 'No [ranges] specified for the [x] aggregation'],
    [
      { avg: { field: 'n' }, aggs: { y: { max: { field: 'n' } } } },
      'Aggregator [x] of type [avg] cannot accept sub-aggregations',
    ],
    [
      { avg: { field: 'n' }, max: { field: 'n' } },
      'Found two aggregation type definitions in [x]: [avg] and [max]',
    ],
    [{ meta: {} }, 'Missing definition for aggregation [x]'],
    [{ termz: {} }, 'Unknown aggregation type [termz] did you mean [terms]?'],
    [{ nested: {} }, 'Missing [path] field for nested aggregation [x]'],
  ])('refuse %j', async (body, reason) => {
    expect(await refused(body)).toMatchObject({ reason })
  })

  it('of values that few documents have', async () => {
    expect((await agg({ rare_terms: { field: 'n' } })).buckets).toEqual([
      { key: 1, doc_count: 1 },
      { key: 7, doc_count: 1 },
    ])
    expect(await refused({ rare_terms: { field: 'k', max_doc_count: 101 } })).toMatchObject({
      caused_by: {
        reason: '[max_doc_count] must be smaller than or equal to 100. Found [101] in [x]',
      },
    })
  })

  it('of ranges of addresses', async () => {
    const ranges = [{ mask: '10.0.0.0/25' }, { from: '10.0.0.128' }, { to: '10.0.0.2', key: 'low' }]
    expect((await agg({ ip_range: { field: 'ip', ranges } })).buckets).toEqual([
      { key: 'low', to: '10.0.0.2', doc_count: 1 },
      { key: '10.0.0.0/25', from: '10.0.0.0', to: '10.0.0.128', doc_count: 1 },
      { key: '10.0.0.128-*', from: '10.0.0.128', doc_count: 2 },
    ])
  })

  it('of pairs of queries', async () => {
    const filters = {
      one: { term: { k: 'a' } },
      two: { term: { k: 'b' } },
      no: { term: { k: 'z' } },
    }
    expect((await agg({ adjacency_matrix: { filters } })).buckets).toEqual([
      { key: 'one', doc_count: 2 },
      { key: 'one&two', doc_count: 1 },
      { key: 'two', doc_count: 2 },
    ])
  })

  it('give cells of a matrix by the shards that have documents in them, filters by all', async () => {
    await ok('PUT /apart', { settings: { number_of_shards: 2 } })
    const rows = [
      ['a', { k: 'x', on: true }],
      ['a', { k: 'y', on: true }],
      ['b', { k: 'z', on: false }],
    ] as const
    const lines = rows.flatMap(([routing, row]) => [{ index: { routing } }, row])
    await rest.call('POST /apart/_bulk?refresh', ndjson(...lines))
    const shards = await ok('GET /apart/_search_shards?routing=a,b')
    expect(shards.shards).toHaveLength(2)
    const aggs = { k: { terms: { field: 'k.keyword', size: 1, shard_size: 1 } } }
    const filters = { on: { term: { on: true } } }
    const error = (bucket: {
      readonly k: { readonly doc_count_error_upper_bound: number }
    }): number => bucket.k.doc_count_error_upper_bound
    const matrix = await agg({ adjacency_matrix: { filters }, aggs }, '', 'apart')
    expect(matrix.buckets.map(error)).toEqual([0])
    const kept = await agg({ filters: { filters }, aggs }, '', 'apart')
    expect(error(kept.buckets.on)).toBe(1)
  })

  it('echo what is noted of them, and print children in order of the request', async () => {
    const x = {
      meta: { why: ['because'] },
      terms: { field: 'k', size: 1 },
      aggs: { z: { max: { field: 'n' } }, a: { value_count: { field: 'n' } } },
    }
    const answer = await rest.call('POST /i/_search', { size: 0, aggs: { x } })
    expect(answer.text).toContain(
      '"aggregations":{"x":{"meta":{"why":["because"]},"doc_count_error_upper_bound":0,' +
        '"sum_other_doc_count":2,"buckets":[{"key":"a","doc_count":2,"z":{"value":2.0},"a":{"value":2}}]}}',
    )
  })
})

it('print a format with words around its number', async () => {
  expect(await agg({ avg: { field: 'n', format: 'Value is ##0.0' } })).toEqual({
    value: 3,
    value_as_string: 'Value is 3.0',
  })
})

describe('collect_mode', () => {
  const below = { m: { max: { field: 'n' } }, s: { stats: { field: 'd' } } }
  const inMode = (mode: string, more: object = {}): object => ({
    terms: { field: 'k', collect_mode: mode, ...more },
    aggs: below,
  })
  // biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
  const profiled = async (body: object, index = 'i'): Promise<any> => {
    const answer = await ok(`POST /${index}/_search`, { size: 0, profile: true, aggs: { x: body } })
    const { profile, aggregations } = answer
    return { node: profile.shards[0].aggregations[0], answer: aggregations.x }
  }
  // biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
  const seenBy = ({ children }: any): unknown[] =>
    // biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
    children.map((child: any) => [child.description, child.breakdown.collect_count])

  it.each<[string, object]>([
    ['terms of a keyword field', {}],
    ['the first bucket alone', { size: 1, shard_size: 1 }],
    ['an order by a child', { order: { m: 'desc' }, size: 1 }],
    ['buckets without documents', { min_doc_count: 0, exclude: ['x'] }],
  ])('changes no result: %s', async (_title, more) => {
    for (const index of ['i', 'two'])
      expect(await agg(inMode('breadth_first', more), '', index)).toEqual(
        await agg(inMode('depth_first', more), '', index),
      )
  })

  it('breadth_first shows its children the documents of the buckets that stay', async () => {
    const { node, answer } = await profiled(inMode('breadth_first', { size: 1, shard_size: 1 }))
    expect(answer.buckets).toEqual([
      expect.objectContaining({ key: 'a', doc_count: 2, m: { value: 2 } }),
    ])
    expect(node.type).toBe('GlobalOrdinalsStringTermsAggregator')
    expect(node.debug).toEqual({
      deferred_aggregators: ['m', 's'],
      collection_strategy: 'dense',
      result_strategy: 'terms',
      segments_with_single_valued_ords: 0,
      segments_with_multi_valued_ords: 1,
      has_filter: false,
      result_selection_strategy: 'quick_select',
    })
    expect(node.breakdown.collect_count).toBe(4)
    expect(seenBy(node)).toEqual([
      ['m', 2],
      ['s', 2],
    ])
  })

  it('depth_first shows them all', async () => {
    const { node } = await profiled(inMode('depth_first', { size: 1, shard_size: 1 }))
    expect(node.debug).not.toHaveProperty('deferred_aggregators')
    expect(node.debug.collection_strategy).toBe('remap')
    expect(seenBy(node)).toEqual([
      ['m', 4],
      ['s', 4],
    ])
  })

  it('defers no child that buckets are sorted by', async () => {
    const order = { 's.max': 'desc' }
    const { node } = await profiled(inMode('breadth_first', { order, size: 1, shard_size: 1 }))
    expect(node.debug.deferred_aggregators).toEqual(['m'])
    expect(node.debug.collection_strategy).toBe('remap')
    expect(seenBy(node)).toEqual([
      ['m', 2],
      ['s', 4],
    ])
    const sorted = { terms: { field: 'k', collect_mode: 'breadth_first', order: { m: 'asc' } } }
    const { node: all } = await profiled({ ...sorted, aggs: { m: { max: { field: 'n' } } } })
    expect(all.debug).not.toHaveProperty('deferred_aggregators')
  })

  it.each<[string, object, string]>([
    ['a map', { terms: { field: 'k', execution_hint: 'map' } }, 'MapStringTermsAggregator'],
    ['numbers', { terms: { field: 'n' } }, 'NumericTermsAggregator'],
    [
      'several fields',
      { multi_terms: { terms: [{ field: 'k' }, { field: 'n' }] } },
      'MultiTermsAggregator',
    ],
  ])('defers below %s', async (_title, body, type) => {
    const [[kind, keys]] = Object.entries(body) as [[string, object]]
    const asked = { [kind]: { ...keys, collect_mode: 'breadth_first', size: 1, shard_size: 1 } }
    const { node, answer } = await profiled({ ...asked, aggs: below })
    expect([node.type, node.debug.deferred_aggregators]).toEqual([type, ['m', 's']])
    expect(Object.keys(node.debug)[0]).toBe('deferred_aggregators')
    expect(seenBy(node)[0]).toEqual(['m', answer.buckets[0].doc_count])
  })

  it('keeps scores for the children that read them, and defers below what is deferred', async () => {
    const hits = { top_hits: { size: 1, _source: false } }
    const inner = { terms: { field: 'n', collect_mode: 'breadth_first' }, aggs: { hits } }
    const nested = (mode: string): object => ({
      size: 0,
      query: { match: { k: { query: 'a', boost: 3 } } },
      aggs: { x: { terms: { field: 'k', collect_mode: mode }, aggs: { inner, hits } } },
    })
    const { aggregations } = await ok('POST /i/_search', nested('breadth_first'))
    expect(aggregations.x.buckets[0].hits.hits.max_score).toBe(3)
    expect(aggregations.x.buckets[0].inner.buckets[0].hits.hits.hits[0]._id).toBe('0')
    expect((await ok('POST /i/_search', nested('depth_first'))).aggregations).toEqual(aggregations)
  })
})

describe('profiles', () => {
  it('tell each aggregation with its documents and notes', async () => {
    await ok('PUT /i/_settings', { 'index.search.concurrent_segment_search.mode': 'none' })
    const answer = await ok('POST /i/_search', {
      size: 0,
      profile: true,
      aggs: {
        all: { global: {}, aggs: { m: { max: { field: 'n' } } } },
        t: { terms: { field: 'n' }, aggs: { s: { stats: { field: 'd' } } } },
      },
    })
    const [all, t] = answer.profile.shards[0].aggregations
    expect([all.type, all.description, all.children[0].type]).toEqual([
      'GlobalAggregator',
      'all',
      'MaxAggregator',
    ])
    expect([t.type, t.children[0].type, t.debug]).toEqual([
      'NumericTermsAggregator',
      'StatsAggregator',
      { result_strategy: 'long_terms', total_buckets: 3, result_selection_strategy: 'select_all' },
    ])
    expect(t.breakdown.collect_count).toBe(4)
    expect(Object.keys(t.breakdown)).toEqual([...Object.keys(t.breakdown)].sort())
    expect(Object.keys(t.breakdown)).toHaveLength(12)
    const times = [
      'build_aggregation',
      'build_leaf_collector',
      'collect',
      'initialize',
      'post_collection',
      'reduce',
    ]
    expect(times.reduce((sum, type) => sum + t.breakdown[type], 0)).toBe(t.time_in_nanos)
  })

  it('have statistics over slices in concurrent searches', async () => {
    await ok('PUT /i/_settings', { 'index.search.concurrent_segment_search.mode': 'all' })
    const answer = await ok('POST /i/_search', {
      size: 0,
      profile: true,
      aggs: { m: { max: { field: 'n' } } },
    })
    const [m] = answer.profile.shards[0].aggregations
    expect(Object.keys(m.breakdown)).toHaveLength(36)
    expect(m.breakdown.collect_count).toBe(4)
    expect(m.max_slice_time_in_nanos).toBeGreaterThanOrEqual(m.min_slice_time_in_nanos)
  })
})

describe('the strategy by which the real server would pick buckets', () => {
  const FACTOR = 'search.aggregation.bucket_selection_strategy_factor'

  const strategyOf = async (body: object, query: object = { match_all: {} }): Promise<unknown> => {
    const aggs = { x: body }
    const answer = await ok('POST /i/_search', { size: 0, profile: true, query, aggs })
    return answer.profile.shards[0].aggregations[0].debug.result_selection_strategy
  }

  // The field has the terms a and b, n the values 1, 2 and 7.
  it.each<readonly [factor: number, body: object, strategy: string | undefined]>([
    [5, { terms: { field: 'k' } }, 'select_all'],
    [5, { terms: { field: 'n' } }, 'select_all'],
    [5, { terms: { field: 'k', size: 1, shard_size: 1 } }, 'quick_select'],
    [5, { terms: { field: 'n', size: 1, shard_size: 1 } }, 'quick_select'],
    [1, { terms: { field: 'k', size: 1, shard_size: 1 } }, 'priority_queue'],
    [2, { terms: { field: 'n', size: 1, shard_size: 1 } }, 'priority_queue'],
    [3, { terms: { field: 'n', size: 1, shard_size: 1 } }, 'quick_select'],
    [0, { terms: { field: 'k' } }, 'priority_queue'],
    [5, { terms: { field: 'k', order: { _key: 'asc' } } }, 'priority_queue'],
    [5, { terms: { field: 'n', order: { _key: 'desc' } } }, 'priority_queue'],
    [5, { terms: { field: 'k', min_doc_count: 0, size: 1, shard_size: 1 } }, 'quick_select'],
    [5, { terms: { field: 'k', execution_hint: 'map' } }, undefined],
    [5, { significant_terms: { field: 'k' } }, 'priority_queue'],
    [5, { significant_terms: { field: 'n' } }, 'priority_queue'],
  ])('with a factor of %d for %j is told as %s', async (factor, body, strategy) => {
    await ok('PUT /_cluster/settings', { persistent: { [FACTOR]: factor } })
    expect(await strategyOf(body)).toBe(strategy)
    await ok('PUT /_cluster/settings', { persistent: { [FACTOR]: null } })
  })

  it('counts what a query finds, and is empty where it finds no number', async () => {
    const one = { terms: { field: 'k', size: 1, shard_size: 1 } }
    expect(await strategyOf(one, { term: { d: 0.5 } })).toBe('select_all')
    expect(await strategyOf({ terms: { field: 'n' } }, { term: { n: 99 } })).toBe('')
  })

  it.each([
    [5, 'quick_select'],
    [2, 'priority_queue'],
  ])('knows the terms of all segments (a factor of %d)', async (factor, strategy) => {
    const name = `segments-${factor}`
    const properties = { k: { type: 'keyword' } }
    await ok(`PUT /${name}`, { settings: { number_of_shards: 1 }, mappings: { properties } })
    for (const k of [
      ['a', 'b'],
      ['b', 'c'],
    ])
      await ok(`POST /${name}/_doc?refresh`, { k })
    await ok('PUT /_cluster/settings', { persistent: { [FACTOR]: factor } })
    const x = { terms: { field: 'k', size: 1, shard_size: 1 } }
    const answer = await ok(`POST /${name}/_search`, { size: 0, profile: true, aggs: { x } })
    expect(answer.profile.shards[0].aggregations[0].debug).toMatchObject({
      result_selection_strategy: strategy,
    })
    await ok('PUT /_cluster/settings', { persistent: { [FACTOR]: null } })
  })

  it('is that of the last of several owning buckets', async () => {
    const x = {
      terms: { field: 'n', order: { _key: 'asc' } },
      aggs: { y: { terms: { field: 'k' } } },
    }
    const answer = await ok('POST /i/_search', { size: 0, profile: true, aggs: { x } })
    const [node] = answer.profile.shards[0].aggregations
    expect(node.children[0].debug.result_selection_strategy).toBe('select_all')
  })
})
