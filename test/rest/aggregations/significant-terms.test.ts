import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/util/random.ts'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

interface Row {
  readonly c: string
  readonly k: readonly string[]
  readonly n: readonly number[]
  readonly o: readonly { readonly x: string; readonly y: number }[]
}

const SEED = 311
const random = new Random(SEED)
const some = <T>(count: number, make: () => T): T[] =>
  Array.from({ length: random.below(count) }, make)
const ROWS: readonly Row[] = Array.from({ length: 240 }, () => {
  const c = `c${random.below(3)}`
  const low = c === 'c0' ? 4 : 10
  return {
    c,
    k: some(5, () => `k${random.below(low)}`),
    n: some(3, () => random.below(low) - 2),
    o: some(3, () => ({ x: `x${random.below(low)}`, y: random.below(4) })),
  }
})
const SEGMENT = 50

beforeAll(async () => {
  rest = await openRest()
  const properties = {
    c: { type: 'keyword' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    d: { type: 'double' },
    t: { type: 'date' },
    text: { type: 'text' },
    ip: { type: 'ip' },
    o: { type: 'nested', properties: { x: { type: 'keyword' }, y: { type: 'integer' } } },
  }
  for (const [name, shards] of [
    ['i', 1],
    ['three', 3],
    ['few', 1],
    ['numbers', 1],
  ] as const) {
    const settings = { number_of_shards: shards, 'index.refresh_interval': '-1' }
    const own = name === 'numbers' ? { ...properties, k: { type: 'long' } } : properties
    await ok(`PUT /${name}`, { settings, mappings: { properties: own } })
  }
  for (const name of ['i', 'three'])
    for (let at = 0; at < ROWS.length; at += SEGMENT) {
      const rows = ROWS.slice(at, at + SEGMENT)
      const lines = rows.flatMap((row, id) => [{ index: { _id: String(at + id) } }, row])
      await ok(`POST /${name}/_bulk?refresh`, ndjson(...lines))
    }
  const few = [
    { k: ['a', 'b'], n: 1, t: '2020-01-01', ip: '::1', c: 'x' },
    { k: ['a'], n: 1, t: '2020-01-01', ip: '::1', c: 'x' },
    { k: ['a'], n: 2, t: '2021-01-01', ip: '::2', c: 'y' },
    { k: ['b'], n: 2, t: '2021-01-01', ip: '::2', c: 'y' },
  ]
  const lines = few.flatMap((row, id) => [{ index: { _id: String(id) } }, row])
  await ok('POST /few/_bulk?refresh', ndjson(...lines))
  await ok('PUT /numbers/_doc/1?refresh', { k: 1 })
})
afterAll(() => rest.close())

const search = async (body: object, index = 'i', parameters = ''): Promise<unknown> =>
  (await ok(`POST /${index}/_search${parameters}`, { size: 0, ...body })).aggregations

type Matches = (row: Row) => boolean

/** The jlh buckets of values in some rows, against others. */
function expected(
  valuesOf: (row: Row) => readonly (string | number)[],
  inside: Matches,
  inBackground: Matches,
  size = 1000,
): object {
  const rows = ROWS.filter(inside)
  const all = ROWS.filter(inBackground)
  const count = (list: readonly Row[], value: string | number): number =>
    list.filter(row => valuesOf(row).includes(value)).length
  const buckets = [...new Set(rows.flatMap(valuesOf))]
    .map(key => {
      const doc_count = count(rows, key)
      const bg_count = count(all, key)
      const share = doc_count / rows.length
      const other = (bg_count === 0 ? 1 : bg_count) / all.length
      const score = share <= other ? 0 : (share - other) * (share / other)
      return { key, doc_count, score, bg_count }
    })
    .filter(({ doc_count, score }) => doc_count >= 3 && score > 0)
    .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
    .slice(0, size)
  return { doc_count: rows.length, bg_count: all.length, buckets }
}

const IN_C0: Matches = ({ c }) => c === 'c0'
const ALL: Matches = () => true
const NOT_C1: Matches = ({ c }) => c !== 'c1'
const QUERY = { term: { c: 'c0' } }
const FILTER = { bool: { must_not: { term: { c: 'c1' } } } }

const WAYS: readonly (readonly [mode: string, slices: number, profile: boolean])[] = [
  ['none', 0, false],
  ['none', 0, true],
  ['all', 2, false],
  ['all', 4, true],
]

describe('significant_terms', () => {
  it('scores by a script', async () => {
    const heuristic = (source: string, params: object = {}): object => ({
      script_heuristic: { script: { source, params } },
    })
    const of = (more: object): object => ({
      size: 0,
      query: { term: { k: 'k1' } },
      aggs: { s: { significant_terms: { field: 'k', min_doc_count: 1, size: 50, ...more } } },
    })
    const share = heuristic('1.0 * params.by * params._subset_freq / params._superset_freq', {
      by: 1,
    })
    const { aggregations: own } = await ok('POST /i/_search', of(share))
    const { aggregations: same } = await ok('POST /i/_search', of({ percentage: {} }))
    expect(own).toEqual(same)
    const { json } = await rest.call('POST /i/_search', of(heuristic('foo')))
    expect(json.error.root_cause[0].reason).toBe('compile error')
  })

  it('compares documents with all others, however slices are cut', async () => {
    // The nested objects of documents are documents too.
    const total = ROWS.reduce((sum, { o }) => sum + 1 + o.length, 0)
    for (const [mode, slices, profile] of WAYS)
      for (const index of ['i', 'three']) {
        await ok(`PUT /${index}/_settings`, {
          'index.search.concurrent_segment_search.mode': mode,
          'index.search.concurrent.max_slice_count': slices,
        })
        for (const field of ['k', 'n'] as const) {
          const x = { significant_terms: { field, background_filter: FILTER, size: 4 } }
          expect(
            await search({ query: QUERY, profile, aggs: { x } }, index),
            `seed ${SEED}: ${JSON.stringify([mode, slices, profile, index, field])}`,
          ).toEqual({ x: expected(row => [...row[field]], IN_C0, NOT_C1, 4) })
          const whole = { significant_terms: { field, min_doc_count: 1 } }
          expect(await search({ query: QUERY, profile, aggs: { x: whole } }, index)).toMatchObject({
            x: { doc_count: ROWS.filter(IN_C0).length, bg_count: total },
          })
        }
      }
  })

  it('compares each bucket above it, samples, and nested objects with nested objects', async () => {
    const k = { significant_terms: { field: 'k', background_filter: { match_all: {} }, size: 2 } }
    const byClass = await search({
      aggs: { c: { terms: { field: 'c', order: { _key: 'asc' } }, aggs: { k } } },
    })
    expect(byClass).toMatchObject({
      c: {
        buckets: [0, 1, 2].map(c => ({
          key: `c${c}`,
          k: expected(
            row => row.k,
            row => row.c === `c${c}`,
            ALL,
            2,
          ),
        })),
      },
    })
    const s = { sampler: { shard_size: 1000 }, aggs: { k } }
    expect(await search({ query: QUERY, aggs: { s } })).toMatchObject({
      s: { k: expected(row => row.k, IN_C0, ALL, 2) },
    })
    const objects = (rows: readonly Row[]) => rows.flatMap(({ o }) => o)
    const inside = objects(ROWS.filter(IN_C0))
    const all = objects(ROWS).filter(({ y }) => y < 3)
    const x = {
      significant_terms: {
        field: 'o.x',
        background_filter: { range: { 'o.y': { lt: 3 } } },
        percentage: {},
        include: ['x1'],
      },
    }
    const doc_count = inside.filter(each => each.x === 'x1').length
    const bg_count = all.filter(each => each.x === 'x1').length
    expect(
      await search({ query: QUERY, aggs: { o: { nested: { path: 'o' }, aggs: { x } } } }),
    ).toMatchObject({
      o: {
        x: {
          doc_count: inside.length,
          bg_count: all.length,
          buckets: [{ key: 'x1', doc_count, score: doc_count / bg_count, bg_count }],
        },
      },
    })
  })

  it('prints keys as terms do, and children of buckets', async () => {
    const aggs = {
      k: {
        significant_terms: { field: 'k', min_doc_count: 1 },
        aggs: { n: { sum: { field: 'n' } } },
      },
      t: { significant_terms: { field: 't', min_doc_count: 1, format: 'yyyy' } },
      ip: { significant_terms: { field: 'ip', min_doc_count: 1 } },
    }
    const counts = { doc_count: 2, score: 1, bg_count: 2 }
    expect(await search({ query: { term: { c: 'x' } }, aggs }, 'few', '?typed_keys')).toEqual({
      'sigsterms#k': {
        doc_count: 2,
        bg_count: 4,
        buckets: [
          { key: 'a', doc_count: 2, score: 0.25 * (1 / 0.75), bg_count: 3, 'sum#n': { value: 2 } },
        ],
      },
      'siglterms#t': {
        doc_count: 2,
        bg_count: 4,
        buckets: [{ key: 1577836800000, key_as_string: '2020', ...counts }],
      },
      'sigsterms#ip': { doc_count: 2, bg_count: 4, buckets: [{ key: '::1', ...counts }] },
    })
  })

  it('reads the words of texts with fielddata, as terms do', async () => {
    const text = { type: 'text', fielddata: true }
    await ok('PUT /words', { mappings: { properties: { text, c: { type: 'keyword' } } } })
    const rows = [
      { text: 'good', c: 'x' },
      { text: 'good bad', c: 'x' },
      { text: 'bad', c: 'y' },
      { text: 'bad', c: 'y' },
    ]
    const lines = rows.flatMap((row, id) => [{ index: { _id: String(id) } }, row])
    await ok('POST /words/_bulk?refresh', ndjson(...lines))
    const aggs = {
      t: { terms: { field: 'text' } },
      x: { significant_terms: { field: 'text', min_doc_count: 1 } },
    }
    expect(await search({ query: { term: { c: 'x' } }, aggs }, 'words')).toMatchObject({
      t: {
        buckets: [
          { key: 'good', doc_count: 2 },
          { key: 'bad', doc_count: 1 },
        ],
      },
      x: {
        doc_count: 2,
        bg_count: 4,
        buckets: [{ key: 'good', doc_count: 2, bg_count: 2, score: 1 }],
      },
    })
  })

  it.each<readonly [heuristic: object, score: number]>([
    [{}, 1],
    [{ percentage: {} }, 1],
    [{ gnd: {} }, 1],
    [{ chi_square: {} }, 4],
    [{ mutual_information: { include_negatives: true } }, 1],
    [{ mutual_information: { background_is_superset: false } }, 0.25162916738782287],
  ])('scores by %j', async (heuristic, score) => {
    const x = { significant_terms: { field: 'n', min_doc_count: 1, ...heuristic } }
    const { buckets } = (
      (await search({ query: { term: { c: 'x' } }, aggs: { x } }, 'few')) as {
        x: { buckets: readonly object[] }
      }
    ).x
    expect(buckets).toHaveLength(1)
    expect(buckets[0]).toMatchObject({ key: 1, doc_count: 2, bg_count: 2 })
    expect((buckets[0] as { score: number }).score).toBeCloseTo(score, 14)
  })

  it('cuts shards to shard_size, and drops what few documents have', async () => {
    const ask = async (options: object): Promise<unknown> => {
      const x = { significant_terms: { field: 'k', min_doc_count: 1, ...options } }
      return await search({ query: { term: { c: 'x' } }, aggs: { x } }, 'few')
    }
    const first = { x: { buckets: [{ key: 'a' }] } }
    expect(await ask({ shard_size: 1, size: 1 })).toMatchObject(first)
    expect(await ask({ exclude: 'a.*' })).toMatchObject({ x: { buckets: [] } })
    expect(await ask({ shard_min_doc_count: 3, min_doc_count: 3 })).toMatchObject({
      x: { doc_count: 2, bg_count: 4, buckets: [] },
    })
  })

  it('counts deleted documents in backgrounds from term dictionaries, until they are merged away', async () => {
    const mappings = { properties: { k: { type: 'keyword' } } }
    await ok('PUT /gone', { settings: { 'index.refresh_interval': '-1' }, mappings })
    for (const id of [1, 2, 3]) await ok(`PUT /gone/_doc/${id}`, { k: 'a' })
    await ok('PUT /gone/_doc/4?refresh', { k: 'b' })
    await ok('DELETE /gone/_doc/3?refresh')
    const ask = (options: object): Promise<unknown> =>
      search(
        {
          query: { term: { k: 'a' } },
          aggs: { x: { significant_terms: { field: 'k', ...options } } },
        },
        'gone',
      )
    expect(await ask({ min_doc_count: 1 })).toMatchObject({
      x: { doc_count: 2, bg_count: 4, buckets: [{ doc_count: 2, bg_count: 3 }] },
    })
    expect(await ask({ min_doc_count: 1, background_filter: { match_all: {} } })).toMatchObject({
      x: { doc_count: 2, bg_count: 3, buckets: [{ doc_count: 2, bg_count: 2 }] },
    })
  })

  it('is empty where no index has the field, and adds those that have', async () => {
    const x = { significant_terms: { field: 'none' }, aggs: { m: { max: { field: 'n' } } } }
    expect(await search({ aggs: { x } }, 'i', '?typed_keys')).toEqual({
      'umsigterms#x': { buckets: [] },
    })
    const known = { significant_terms: { field: 'ip', min_doc_count: 1 } }
    const query = { bool: { should: [{ term: { c: 'x' } }, { term: { c: 'c0' } }] } }
    await ok('PUT /other', {})
    expect(await search({ query, aggs: { x: known } }, 'few,other')).toMatchObject({
      x: { doc_count: 2, bg_count: 4, buckets: [{ key: '::1' }] },
    })
    const nothing = { query: { match_none: {} }, aggs: { x: known } }
    expect(await search(nothing, 'few')).toEqual({ x: { doc_count: 0, bg_count: 4, buckets: [] } })
  })

  it.each<readonly [options: object, type: string, debug: object]>([
    [
      { field: 'k' },
      'GlobalOrdinalsStringTermsAggregator',
      { collection_strategy: 'remap', has_filter: false },
    ],
    [{ field: 'k', execution_hint: 'map' }, 'MapStringTermsAggregator', {}],
    [{ field: 'n' }, 'NumericTermsAggregator', {}],
    [{ field: 'none' }, 'NonCollectingAggregator', { result_strategy: undefined }],
  ])('is profiled with %j as %s', async (options, type, debug) => {
    const x = { significant_terms: options }
    const answer = await ok('POST /few/_search', { profile: true, aggs: { x } })
    const [node] = answer.profile.shards[0].aggregations
    expect({ debug: {}, ...node }).toMatchObject({
      type,
      description: 'x',
      debug:
        type === 'NonCollectingAggregator'
          ? {}
          : { result_strategy: 'significant_terms', ...debug },
    })
  })

  it.each<readonly [options: object, type: string, reason: string]>([
    [{ size: 0 }, 'illegal_argument_exception', '[size] must be greater than 0. Found [0] in [x]'],
    [
      { shard_size: 0 },
      'illegal_argument_exception',
      '[shardSize] must be greater than 0. Found [0] in [x]',
    ],
    [
      { min_doc_count: -1 },
      'illegal_argument_exception',
      '[minDocCount] must be greater than or equal to 0. Found [-1] in [x]',
    ],
    [
      { shard_min_doc_count: -1 },
      'illegal_argument_exception',
      '[shardMinDocCount] must be greater than or equal to 0. Found [-1] in [x]',
    ],
    [
      { execution_hint: 'stream' },
      'illegal_argument_exception',
      'Unknown `execution_hint`: [stream], expected any of [map, global_ordinals]',
    ],
    [
      { jlp: {} },
      'x_content_parse_exception',
      '[significant_terms] unknown field [jlp] did you mean [jlh]?',
    ],
    [
      { gnd: { include_negatives: true } },
      'x_content_parse_exception',
      '[gnd] unknown field [include_negatives]',
    ],
    [
      { jlh: 3 },
      'x_content_parse_exception',
      "[significant_terms] jlh doesn't support values of type: VALUE_NUMBER",
    ],
    [
      { script_heuristic: {} },
      'parsing_exception',
      'failed to parse [script_heuristic] significance heuristic. no script found in script_heuristic',
    ],
    [{ background_filter: { nothing: {} } }, 'parsing_exception', 'unknown query [nothing]'],
    [
      { field: 'text' },
      'illegal_argument_exception',
      'Text fields are not optimised for operations',
    ],
    [
      { field: 'd' },
      'unsupported_operation_exception',
      'No support for examining floating point numerics',
    ],
    [
      { field: 'ip', exclude: '127.*' },
      'illegal_argument_exception',
      'Aggregation [x] cannot support regular expression style include/exclude settings as they ' +
        'can only be applied to string fields. Use an array of values for include/exclude clauses',
    ],
    [
      { chi_square: {}, min_doc_count: 1, background_filter: { term: { c: 'y' } } },
      'illegal_argument_exception',
      'does your background filter not include all documents in the bucket?',
    ],
  ])('refuses %j', async (options, type, reason) => {
    const aggs = { x: { significant_terms: { field: 'k', ...options } } }
    const answer = await rest.call('POST /few/_search', { query: { term: { c: 'x' } }, aggs })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(JSON.stringify(reason).slice(1, -1))
    expect(answer.text).toContain(type)
  })

  it('refuses a field without a name, and one that two indices keep as two types', async () => {
    const unnamed = await rest.call('POST /few/_search', { aggs: { x: { significant_terms: {} } } })
    expect([unnamed.status, unnamed.json.error.root_cause[0].reason]).toEqual([
      400,
      'Required one of fields [field, script], but none were specified. ',
    ])
    const aggs = { x: { significant_terms: { field: 'k' } } }
    const mixed = await rest.call('POST /few,numbers/_search', { aggs })
    expect([mixed.status, mixed.text]).toEqual([
      400,
      expect.stringContaining('existed as two different types in two different indices'),
    ])
  })
})
