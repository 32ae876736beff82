import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../src/util/random.ts'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
  const settings = { number_of_shards: 1, 'index.mapping.ignore_malformed': true }
  const mappings = { properties: { n: { type: 'long' }, day: { type: 'date' } } }
  await rest.call('PUT /books-1', { settings, mappings, aliases: { library: {} } })
  await rest.call('PUT /books-2', { settings, mappings })
  await rest.call(
    'POST /books-1/_bulk',
    ndjson(
      { index: { _id: 'a' } },
      { n: 1 },
      { index: { _id: 'c', routing: 'east' } },
      { n: 'x' },
      { index: { _id: 'b', routing: 'west' } },
      { n: 'y', day: 'z' },
    ),
  )
  await rest.call('POST /books-2/_bulk', ndjson({ index: { _id: 'd', routing: 'easy' } }, { n: 4 }))
  await rest.call('POST /books-*/_refresh')
})
afterAll(() => rest.close())

interface Hit {
  readonly _id: string
  readonly sort: readonly unknown[]
}

const hitsOf = async (body: object): Promise<Hit[]> => {
  const { status, json, text } = await rest.call('POST /books-*/_search', body)
  expect(status, text).toBe(200)
  expect(json._shards.failed, text).toBe(0)
  return json.hits.hits
}

const refusalOf = async (body: object): Promise<unknown[]> => {
  const { status, json } = await rest.call('POST /books-*/_search', body)
  const { type, reason } = json.error.root_cause[0]
  return [status, type, reason]
}

describe('queries on metadata fields', () => {
  it.each<readonly [query: object, ids: string]>([
    [{ term: { _id: 'b' } }, 'b'],
    [{ terms: { _id: ['a', 'd', 'x'] } }, 'ad'],
    [{ ids: { values: ['c', 'c', 'd'] } }, 'cd'],
    [{ match: { _id: 'c' } }, 'c'],
    [{ match_phrase: { _id: 'c' } }, 'c'],
    [{ exists: { field: '_id' } }, 'abcd'],
    [{ term: { _index: 'books-1' } }, 'abc'],
    [{ term: { _index: 'library' } }, 'abc'],
    [{ term: { _index: '*-2' } }, 'd'],
    [{ term: { _index: 'books' } }, ''],
    [{ terms: { _index: ['nowhere', 'books-2'] } }, 'd'],
    [{ prefix: { _index: 'book' } }, 'abcd'],
    [{ prefix: { _index: 'lib' } }, 'abc'],
    [{ prefix: { _index: 'cook' } }, ''],
    [{ match: { _index: 'books-2' } }, 'd'],
    [{ exists: { field: '_index' } }, 'abcd'],
    [{ term: { _seq_no: 0 } }, 'ad'],
    [{ terms: { _seq_no: [1, '2', 9] } }, 'bc'],
    [{ range: { _seq_no: { gt: 0 } } }, 'bc'],
    [{ range: { _seq_no: { gte: 1, lt: 2 } } }, 'c'],
    [{ range: { _seq_no: { lte: 0 } } }, 'ad'],
    [{ range: { _seq_no: { gt: '9223372036854775807' } } }, ''],
    [{ range: { _seq_no: { lt: '-9223372036854775808' } } }, ''],
    [{ range: { _seq_no: {} } }, 'abcd'],
    [{ match: { _seq_no: 2 } }, 'b'],
    [{ exists: { field: '_seq_no' } }, 'abcd'],
    [{ exists: { field: '_version' } }, 'abcd'],
    [{ term: { _ignored: 'n' } }, 'bc'],
    [{ terms: { _ignored: ['day', 'x'] } }, 'b'],
    [{ prefix: { _ignored: 'd' } }, 'b'],
    [{ range: { _ignored: { gte: 'e' } } }, 'bc'],
    [{ match: { _ignored: 'day' } }, 'b'],
    [{ exists: { field: '_ignored' } }, 'bc'],
    [{ term: { _routing: 'east' } }, 'c'],
    [{ terms: { _routing: ['west', 'easy', 'x'] } }, 'bd'],
    [{ prefix: { _routing: 'eas' } }, 'cd'],
    [{ range: { _routing: { gt: 'east', lt: 'west' } } }, 'd'],
    [{ match: { _routing: 'west' } }, 'b'],
    [{ exists: { field: '_routing' } }, 'bcd'],
    [{ multi_match: { query: 'east', fields: ['_routing', '_id'] } }, 'c'],
  ])('%j', async (query, ids) => {
    const found = await hitsOf({ query })
    expect(
      found
        .map(hit => hit._id)
        .sort()
        .join(''),
    ).toBe(ids)
    const bool = { must: { match_all: {} }, must_not: query }
    expect(await hitsOf({ query: { bool } })).toHaveLength(4 - ids.length)
  })

  it.each<readonly [query: object, type: string, reason: string]>([
    [
      { prefix: { _id: 'a' } },
      'query_shard_exception',
      'Can only use prefix queries on keyword, text and wildcard fields - not on [_id] which is ' +
        'of type [_id]',
    ],
    [
      { range: { _id: { gte: 'a' } } },
      'query_shard_exception',
      'failed to create query: Field [_id] of type [_id] does not support range queries',
    ],
    [
      { range: { _index: { gte: 'a' } } },
      'query_shard_exception',
      'failed to create query: Field [_index] of type [_index] does not support range queries',
    ],
    [
      { prefix: { _seq_no: '1' } },
      'query_shard_exception',
      'Can only use prefix queries on keyword, text and wildcard fields - not on [_seq_no] which ' +
        'is of type [_seq_no]',
    ],
    [
      { term: { _seq_no: 1.5 } },
      'query_shard_exception',
      'failed to create query: Value [1.5] has a decimal part',
    ],
    [
      { range: { _seq_no: { gte: '9223372036854775808' } } },
      'query_shard_exception',
      'failed to create query: Value [9223372036854775808] is out of range for a long',
    ],
    [
      { term: { _seq_no: 'x' } },
      'query_shard_exception',
      'failed to create query: For input string: "x"',
    ],
    [
      { match_phrase_prefix: { _routing: 'x' } },
      'query_shard_exception',
      'failed to create query: Can only use phrase prefix queries on text fields - not on ' +
        '[_routing] which is of type [_routing]',
    ],
    [{ term: { _version: 1 } }, 'query_shard_exception', 'The _version field is not searchable'],
    [{ term: { _source: 'a' } }, 'query_shard_exception', 'The _source field is not searchable'],
    [
      { exists: { field: '_source' } },
      'query_shard_exception',
      'The _source field is not searchable',
    ],
    [
      { term: { _doc_count: 1 } },
      'query_shard_exception',
      'Field [_doc_count] of type [_doc_count] is not searchable',
    ],
  ])('%j is refused', async (query, type, reason) => {
    expect(await refusalOf({ query })).toEqual([400, type, reason])
  })

  it('obey search.allow_expensive_queries where they walk terms', async () => {
    const setting = 'search.allow_expensive_queries'
    await rest.call('PUT /_cluster/settings', { transient: { [setting]: false } })
    try {
      expect(await refusalOf({ query: { prefix: { _routing: 'e' } } })).toEqual([
        400,
        'query_shard_exception',
        "failed to create query: [prefix] queries cannot be executed when '" +
          `${setting}' is set to false. For optimised prefix queries on text fields please enable ` +
          '[index_prefixes].',
      ])
      expect(await hitsOf({ query: { prefix: { _index: 'books' } } })).toHaveLength(4)
    } finally {
      await rest.call('PUT /_cluster/settings', { transient: { [setting]: null } })
    }
  })
})

describe('sorts by metadata fields', () => {
  const orderOf = async (sort: object, more: object = {}): Promise<unknown[]> =>
    (await hitsOf({ sort, ...more })).map(hit => [hit._id, ...hit.sort])

  it('go by _id, which search_after continues', async () => {
    const ascending = ['a', 'b', 'c', 'd'].map(id => [id, id])
    expect(await orderOf(['_id'])).toEqual(ascending)
    expect(await orderOf([{ _id: 'desc' }])).toEqual(ascending.slice().reverse())
    expect(await orderOf([{ _id: 'asc' }], { search_after: ['b'] })).toEqual(ascending.slice(2))
    expect(await orderOf([{ _id: 'desc' }], { search_after: ['b'], size: 1 })).toEqual([['a', 'a']])
  })

  it('refuse _id where the cluster does', async () => {
    const setting = 'indices.id_field_data.enabled'
    await rest.call('PUT /_cluster/settings', { transient: { [setting]: false } })
    try {
      expect(await refusalOf({ sort: ['_id'] })).toEqual([
        400,
        'illegal_argument_exception',
        'Fielddata access on the _id field is disallowed, you can re-enable it by updating the ' +
          'dynamic cluster setting: indices.id_field_data.enabled',
      ])
      expect(await hitsOf({ query: { term: { _id: 'a' } } })).toHaveLength(1)
    } finally {
      await rest.call('PUT /_cluster/settings', { transient: { [setting]: null } })
    }
  })

  it('go by _index, whose value is told', async () => {
    expect(await orderOf([{ _index: 'desc' }, { _id: 'desc' }])).toEqual([
      ['d', 'books-2', 'd'],
      ['c', 'books-1', 'c'],
      ['b', 'books-1', 'b'],
      ['a', 'books-1', 'a'],
    ])
    const after = { search_after: ['books-1', 'c'] }
    expect(await orderOf(['_index', '_id'], after)).toEqual([['d', 'books-2', 'd']])
  })

  it('go by _seq_no and _ignored', async () => {
    expect(await orderOf([{ _seq_no: 'desc' }, '_index'])).toEqual([
      ['b', 2, 'books-1'],
      ['c', 1, 'books-1'],
      ['a', 0, 'books-1'],
      ['d', 0, 'books-2'],
    ])
    expect(await orderOf([{ _ignored: { order: 'asc', missing: '_last' } }, '_id'])).toEqual([
      ['b', 'day', 'b'],
      ['c', 'n', 'c'],
      ['a', null, 'a'],
      ['d', null, 'd'],
    ])
  })

  it.each(['_routing', '_version', '_source', '_doc_count'])(
    'refuse %s, which nothing keeps by document',
    async name => {
      expect(await refusalOf({ sort: [name] })).toEqual([
        400,
        'illegal_argument_exception',
        `Fielddata is not supported on field [${name}] of type [${name}]`,
      ])
    },
  )

  it.each([
    [{ _id: { numeric_type: 'long' } }, '[numeric_type] option cannot be set', '_id'],
    [{ _index: { numeric_type: 'long' } }, '[numeric_type] option cannot be set', '_index'],
  ])('refuse numbers of texts: %j', async (level, start, name) => {
    expect(await refusalOf({ sort: [level] })).toEqual([
      400,
      'query_shard_exception',
      `${start} on a non-numeric field, got ${name}`,
    ])
  })

  it('compare the constants of several indices, and those with keywords', async () => {
    const create = (index: string, shelf: object): Promise<unknown> =>
      rest.call(`PUT /${index}`, { mappings: { properties: { shelf } } })
    await create('shelf-1', { type: 'constant_keyword', value: 'm' })
    await create('shelf-2', { type: 'constant_keyword', value: 'c' })
    await create('shelf-3', { type: 'keyword' })
    await rest.call('PUT /shelf-1/_doc/1?refresh', {})
    await rest.call('PUT /shelf-2/_doc/2?refresh', {})
    await rest.call(
      'POST /shelf-3/_bulk?refresh',
      ndjson({ index: { _id: '3' } }, { shelf: 'd' }, { index: { _id: '4' } }, {}),
    )
    const { json } = await rest.call('POST /shelf-*/_search', { sort: ['shelf'] })
    expect(json.hits.hits.map((hit: Hit) => [hit._id, hit.sort[0]])).toEqual([
      ['2', 'c'],
      ['3', 'd'],
      ['1', 'm'],
      ['4', null],
    ])
  })
})

describe('queries and sorts over slices', () => {
  it('give the same hits for every number of slices, with and without a profile', async () => {
    const seed = 11
    const random = new Random(seed)
    await rest.call('PUT /many', {
      settings: {
        number_of_shards: 1,
        'index.refresh_interval': '-1',
        'index.search.concurrent.intra_segment_min_docs': 1024,
        'index.mapping.ignore_malformed': true,
      },
      mappings: { properties: { n: { type: 'long' }, text: { type: 'text' } } },
    })
    const count = 6000
    for (let at = 0; at < count; at += 2000) {
      const lines: object[] = []
      for (let i = at; i < at + 2000; i++) {
        const routing = random.below(3) === 0 ? undefined : `r${random.below(40)}`
        const id = `${random.below(1000)}-${i.toString(36)}`
        const n = random.below(4) === 0 ? 'x' : i
        lines.push({ index: { _id: id, routing } }, { n, text: i % 3 === 0 ? 'a b' : 'a' })
      }
      await rest.call('POST /many/_bulk?refresh', ndjson(...lines))
    }
    const bodies: object[] = [
      { query: { range: { _seq_no: { gt: 700, lte: 4100 } } }, sort: [{ _id: 'desc' }] },
      { query: { prefix: { _routing: 'r1' } }, sort: ['_id'] },
      { query: { term: { text: 'b' } }, sort: ['_id'], search_after: ['500'] },
      { query: { exists: { field: '_ignored' } }, sort: [{ _seq_no: 'desc' }] },
      { query: { term: { text: 'a' } }, sort: ['_index', { _ignored: 'desc' }, '_id'] },
      {
        query: {
          bool: { must: { term: { text: 'a' } }, filter: { terms: { _routing: ['r2', 'r3'] } } },
        },
      },
      { query: { bool: { must: { term: { text: 'b' } }, must_not: { term: { _ignored: 'n' } } } } },
    ]
    for (const body of bodies) {
      const results: unknown[] = []
      for (const slices of [1, 2, 5]) {
        await rest.call('PUT /many/_settings', {
          'index.search.concurrent.max_slice_count': slices,
        })
        for (const profile of [false, true]) {
          const ask = { ...body, size: 40, track_total_hits: true, profile }
          const { status, json, text } = await rest.call('POST /many/_search', ask)
          expect(status, text).toBe(200)
          results.push(json.hits)
        }
      }
      const [first] = results as { hits: Hit[] }[]
      expect(first?.hits.length, `seed ${seed}`).toBe(40)
      for (const result of results) expect(result, JSON.stringify({ seed, body })).toEqual(first)
    }
  }, 60_000)
})
