import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

interface Sale {
  readonly group: string
  readonly n: number
  readonly text: string
}

const SALES: readonly Sale[] = [
  { group: 'a', n: 3, text: 'red shoe' },
  { group: 'b', n: 1, text: 'blue shoe shoe' },
  { group: 'a', n: 2, text: 'green shoe' },
  { group: 'a', n: 5, text: 'red red shoe hat' },
  { group: 'b', n: 4, text: 'hat' },
]

const properties = {
  group: { type: 'keyword' },
  n: { type: 'integer' },
  text: { type: 'text', store: true },
}

beforeAll(async () => {
  rest = await openRest()
  for (const [index, shards] of [
    ['one', 1],
    ['two', 2],
  ] as const) {
    await ok(`PUT /${index}`, { settings: { number_of_shards: shards }, mappings: { properties } })
    await ok(
      `POST /${index}/_bulk?refresh`,
      ndjson(...SALES.flatMap((sale, i) => [{ index: { _id: `${i}` } }, sale])),
    )
  }
  await ok('PUT /other', { mappings: { properties: { n: { type: 'keyword' } } } })
})

afterAll(() => rest.close())

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON, looked into by tests
type Json = any

async function top(body: object, more: object = {}, line = 'POST /one/_search'): Promise<Json> {
  const answer = await ok(line, { size: 0, aggs: { t: { top_hits: body } }, ...more })
  return answer.aggregations.t.hits
}

const idsOf = (hits: Json): string[] => hits.hits.map((hit: Json) => hit._id)

describe('top_hits', () => {
  it('shows three documents by score, with their number and best score', async () => {
    const query = { match: { text: 'shoe' } }
    const { hits } = await ok('POST /one/_search?size=3', { query })
    expect(await top({}, { query })).toEqual({
      total: { value: 4, relation: 'eq' },
      max_score: hits.max_score,
      hits: hits.hits,
    })
  })

  it('prints its keys in their order', async () => {
    const { text } = await rest.call('POST /one/_search?size=0&filter_path=aggregations', {
      query: { term: { n: 5 } },
      aggs: { t: { top_hits: { size: 1, _source: 'n' } } },
    })
    expect(text).toBe(
      '{"aggregations":{"t":{"hits":{"total":{"value":1,"relation":"eq"},"max_score":1.0,"hits":' +
        '[{"_index":"one","_id":"3","_score":1.0,"_source":{"n":5}}]}}}}',
    )
  })

  it('pages and sorts, without scores unless they are asked for', async () => {
    const sorted = await top({ from: 1, size: 2, sort: [{ n: 'desc' }] })
    expect(sorted.total).toEqual({ value: 5, relation: 'eq' })
    expect(sorted.max_score).toBeNull()
    expect(sorted.hits.map((hit: Json) => [hit._id, hit._score, hit.sort])).toEqual([
      ['4', null, [4]],
      ['0', null, [3]],
    ])
    const scored = await top({ size: 1, sort: 'n', track_scores: true })
    expect([scored.max_score, scored.hits[0]._score]).toEqual([1, 1])
    const several = await top({ size: 1, sort: ['_score', 'n'] })
    expect([several.hits[0]._score, several.hits[0].sort]).toEqual([null, [1, 1]])
    expect((await top({ size: 0 })).hits).toEqual([])
  })

  it('shows what its documents are asked to carry', async () => {
    const { hits } = await top({
      size: 1,
      sort: [{ n: 'desc' }],
      _source: false,
      docvalue_fields: ['group'],
      stored_fields: ['text'],
      fields: ['n'],
      version: true,
      seq_no_primary_term: true,
      explain: true,
    })
    expect(hits[0]).toMatchObject({
      _index: 'one',
      _id: '3',
      _version: 1,
      _seq_no: 3,
      _primary_term: 1,
      fields: { group: ['a'], text: ['red red shoe hat'], n: [5] },
      _explanation: { value: 1 },
    })
    expect(hits[0]._source).toBeUndefined()
  })

  it('carries the names of queries that match', async () => {
    const { hits } = await top({}, { query: { term: { n: { value: 5, _name: 'five' } } } })
    expect(hits[0].matched_queries).toEqual(['five'])
  })

  it('shows the best of each bucket, the same in one shard and in two', async () => {
    const asked = {
      size: 0,
      aggs: {
        g: {
          terms: { field: 'group' },
          aggs: { t: { top_hits: { size: 2, sort: [{ n: 'desc' }], _source: ['n'] } } },
        },
      },
    }
    for (const index of ['one', 'two']) {
      const { aggregations } = await ok(`POST /${index}/_search?typed_keys=true`, asked)
      expect(
        aggregations['sterms#g'].buckets.map((bucket: Json) => [
          bucket.key,
          bucket['top_hits#t'].hits.total.value,
          bucket['top_hits#t'].hits.hits.map((hit: Json) => hit._source.n),
        ]),
      ).toEqual([
        ['a', 3, [5, 3]],
        ['b', 2, [4, 1]],
      ])
    }
  })

  it('is empty where nothing matches', async () => {
    expect(await top({}, { query: { match_none: {} } })).toEqual({
      total: { value: 0, relation: 'eq' },
      max_score: null,
      hits: [],
    })
    const { aggregations } = await ok('POST /one/_search', {
      aggs: {
        f: { filter: { term: { group: 'none' } }, aggs: { t: { top_hits: { sort: 'n' } } } },
      },
    })
    expect(aggregations.f.t.hits.hits).toEqual([])
  })

  it('prints its total as a number where the call asks for it', async () => {
    const hits = await top({}, {}, 'POST /one/_search?rest_total_hits_as_int=true')
    expect(hits.total).toBe(5)
  })

  it('sorts by values of nested objects', async () => {
    await ok('PUT /nests', {
      mappings: {
        properties: {
          kids: { type: 'nested', properties: { age: { type: 'integer' } } },
        },
      },
    })
    await ok(
      'POST /nests/_bulk?refresh',
      ndjson(
        { index: { _id: 'a' } },
        { kids: [{ age: 4 }, { age: 9 }] },
        { index: { _id: 'b' } },
        { kids: [{ age: 7 }] },
        { index: { _id: 'c' } },
        {},
      ),
    )
    const sort = [{ 'kids.age': { order: 'desc', mode: 'max', nested: { path: 'kids' } } }]
    const hits = await top({ sort }, {}, 'POST /nests/_search')
    expect(idsOf(hits)).toEqual(['a', 'b', 'c'])
    expect(hits.hits[0].sort).toEqual([9])
  })

  it('agrees with a plain reading in any number of shards, segments and slices', async () => {
    const sale = fc.record({
      group: fc.constantFrom('a', 'b', 'c'),
      n: fc.integer({ min: 0, max: 4 }),
      text: fc.constant('x'),
    })
    let count = 0
    const scene = fc.record({
      sales: fc.array(sale, { minLength: 1, maxLength: 25 }),
      order: fc.constantFrom('asc' as const, 'desc' as const),
      from: fc.nat(2),
      size: fc.nat(4),
      slices: fc.constantFrom(1, 2, 4),
      shards: fc.constantFrom(1, 2),
    })
    await fc.assert(
      fc.asyncProperty(scene, async ({ sales, order, from, size, slices, shards }) => {
        const index = `random${count++}`
        await ok(`PUT /${index}`, {
          settings: {
            number_of_shards: shards,
            'index.search.concurrent_segment_search.mode': slices === 1 ? 'none' : 'all',
            'index.search.concurrent.max_slice_count': Math.max(2, slices),
          },
          mappings: { properties },
        })
        for (const half of [0, 1])
          await ok(
            `POST /${index}/_bulk?refresh`,
            ndjson(
              { index: { _id: `first${half}` } },
              { group: 'a', n: half, text: 'x' },
              ...sales.flatMap((each, i) =>
                i % 2 === half ? [{ index: { _id: `${i}` } }, each] : [],
              ),
            ),
          )
        const all = [...sales, { group: 'a', n: 0, text: 'x' }, { group: 'a', n: 1, text: 'x' }]
        const { aggregations } = await ok(`POST /${index}/_search?size=0`, {
          aggs: {
            g: {
              terms: { field: 'group', order: { _key: 'asc' } },
              aggs: { t: { top_hits: { from, size, sort: [{ n: order }] } } },
            },
          },
        })
        for (const bucket of aggregations.g.buckets) {
          const sorted = all
            .filter(({ group }) => group === bucket.key)
            .map(({ n }) => n)
            .sort((a, b) => (order === 'asc' ? a - b : b - a))
          expect(bucket.t.hits.total.value).toBe(sorted.length)
          expect(bucket.t.hits.hits.map((hit: Json) => hit._source.n)).toEqual(
            sorted.slice(from, from + size),
          )
        }
        await ok(`DELETE /${index}`)
      }),
      { numRuns: 20 },
    )
  })
})

describe('a faulty top_hits', () => {
  const faulty = async (body: object, line = 'POST /one/_search'): Promise<unknown[]> => {
    const { status, json } = await rest.call(line, { aggs: { t: { top_hits: body } } })
    const error = json.error.failed_shards?.[0].reason ?? json.error
    return [status, error.type, error.reason]
  }
  const illegal = 'illegal_argument_exception'

  it('names what is wrong with its window', async () => {
    expect(await faulty({ from: -1 })).toEqual([
      400,
      illegal,
      '[from] must be greater than or equal to 0. Found [-1] in [t]',
    ])
    expect(await faulty({ size: -2 })).toEqual([
      400,
      illegal,
      '[size] must be greater than or equal to 0. Found [-2] in [t]',
    ])
    expect(await faulty({ from: 90, size: 11 })).toEqual([
      400,
      illegal,
      "Top hits result window is too large, the top hits aggregator [t]'s from + size must be less " +
        'than or equal to: [100] but was [101]. This limit can be set by changing the ' +
        '[index.max_inner_result_window] index level setting.',
    ])
  })

  it('names unknown keys and fields', async () => {
    expect(await faulty({ field: 'n' })).toEqual([
      400,
      'parsing_exception',
      'Unknown key for a VALUE_STRING in [field].',
    ])
    expect(await faulty({ script_fields: [] })).toEqual([
      400,
      'parsing_exception',
      'Expected [START_OBJECT] in [script_fields] but found [START_ARRAY]',
    ])
    expect(await faulty({ sort: 'absent' })).toEqual([
      400,
      'query_shard_exception',
      'No mapping found for [absent] in order to sort on',
    ])
    expect(await faulty({ stored_fields: '_none_', _source: true })).toEqual([
      500,
      'search_exception',
      '[stored_fields] cannot be disabled if [_source] is requested',
    ])
  })

  it('takes no children, and sorts no buckets', async () => {
    const children = await rest.call('POST /one/_search', {
      aggs: { t: { top_hits: {}, aggs: { m: { max: { field: 'n' } } } } },
    })
    expect([children.status, children.json.error.type, children.json.error.reason]).toEqual([
      400,
      'aggregation_initialization_exception',
      'Aggregator [t] of type [top_hits] cannot accept sub-aggregations',
    ])
    const ordered = await rest.call('POST /one/_search', {
      aggs: {
        g: { terms: { field: 'group', order: { t: 'asc' } }, aggs: { t: { top_hits: {} } } },
      },
    })
    expect([ordered.status, ordered.json.error.type]).toEqual([
      400,
      'aggregation_execution_exception',
    ])
  })

  it('refuses sorts that indices have no order in common for', async () => {
    await ok('POST /other/_doc?refresh', { n: 'x' })
    const { status, json } = await rest.call('POST /one,other/_search', {
      aggs: { t: { top_hits: { sort: 'n' } } },
    })
    expect([status, json.error.reason]).toEqual([
      400,
      expect.stringMatching(
        /^Can't sort on field \[n\]; the field has incompatible sort types: \[(LONG|STRING)\] and /,
      ),
    ])
  })
})
