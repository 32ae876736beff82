/** The texts of errors that the specification quotes for searches, and that no other test asks for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { profiled } from '../support/search-shapes.ts'

let index: FieldIndex
beforeAll(async () => {
  index = await fieldIndex({
    t: { type: 'text' },
    bare: { type: 'text', index_options: 'docs' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    geo: { type: 'geo_point' },
  })
  await index.add({ t: 'a b', k: 'x', n: 1, geo: [1, 2] })
  const unsigned = { mappings: { properties: { n: { type: 'unsigned_long' } } } }
  await index.rest.call('PUT /unsigned', unsigned)
  await index.rest.call('PUT /unsigned/_doc/1?refresh', { n: 5 })
  const many = Object.fromEntries(
    Array.from({ length: 1030 }, (_, i) => [`m${i}`, { type: 'keyword' }]),
  )
  const settings = { 'index.mapping.total_fields.limit': 2000 }
  await index.rest.call('PUT /many', { settings, mappings: { properties: many } })
})
afterAll(() => index.close())

interface Failure {
  readonly type: string
  readonly reason: string
  readonly caused_by?: Failure
}

/** Status and root cause of an error. */
async function failure(body: object | string, line = 'POST /i/_search'): Promise<unknown[]> {
  const { json, status, text } = await index.rest.call(line, body)
  expect(json.error, text).toBeDefined()
  const { type, reason } = json.error.root_cause[0]
  return [status, type, reason]
}

/** What a query could not be made of on the shard, and the error that it was. */
async function queryFailure(query: object, target = 'i'): Promise<unknown[]> {
  const { json, status, text } = await index.rest.call(`POST /${target}/_search`, { query })
  expect(status, text).toBe(400)
  const shard: Failure = json.error.failed_shards[0].reason
  expect(shard.type).toBe('query_shard_exception')
  expect(shard.reason).toBe(`failed to create query: ${shard.caused_by?.reason}`)
  return [shard.caused_by?.type, shard.caused_by?.reason]
}

const terms = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({ term: { k: `v${i}` } }))

describe('queries', () => {
  it.each<[object, string]>([
    [
      { terms: { k: ['a'], t: { index: 'i', id: '1', path: 'x' } } },
      '[terms] query does not support more than one field. Already got: [k] but also found [t]',
    ],
    [
      { match: { t: { query: 'a', zero_terms_query: 'x' } } },
      'Unsupported zero_terms_query value [x]',
    ],
    [
      { constant_score: { filter: [{ term: { k: 1 } }, { term: { k: 2 } }] } },
      "[constant_score] accepts only one 'filter' element.",
    ],
    [
      { boosting: { negative: { match_all: {} }, negative_boost: 1 } },
      "[boosting] query requires 'positive' query to be set'",
    ],
    [
      { boosting: { positive: { match_all: {} }, negative_boost: 1 } },
      "[boosting] query requires 'negative' query to be set'",
    ],
    [
      { boosting: { positive: { match_all: {} }, negative: { match_all: {} } } },
      "[boosting] query requires 'negative_boost' to be set to be a positive value'",
    ],
  ])('cannot be read: %j', async (query, reason) => {
    expect(await failure({ query })).toEqual([400, 'parsing_exception', reason])
  })

  it.each<[object, string]>([
    [{ prefix_length: -1 }, '[match] requires prefix length to be non-negative.'],
    [{ max_expansions: 0 }, '[match] requires maxExpansions to be positive.'],
  ])('have values out of range: %j', async (more, reason) => {
    const query = { match: { t: { query: 'a', ...more } } }
    expect(await failure({ query })).toEqual([400, 'illegal_argument_exception', reason])
  })

  it.each<[object, string, string]>([
    [
      { match_phrase: { bare: 'a b' } },
      'illegal_state_exception',
      'field:[bare] was indexed without position data; cannot run PhraseQuery',
    ],
    [
      { match_phrase_prefix: { n: 'a b' } },
      'illegal_argument_exception',
      'Can only use phrase prefix queries on text fields - not on [n] which is of type [long]',
    ],
    [{ bool: { should: terms(1025) } }, 'too_many_clauses', 'maxClauseCount is set to 1024'],
  ])('do not fit a field: %#', async (query, type, reason) => {
    expect(await queryFailure(query)).toEqual([type, reason])
  })

  it('are too many clauses in all, or match too many fields', async () => {
    const should = [{ bool: { should: terms(600), boost: 2 } }, { bool: { must: terms(600) } }]
    expect(await failure({ query: { bool: { should } } })).toEqual([
      400,
      'too_many_nested_clauses',
      'Query contains too many nested clauses; maxClauseCount is set to 1024',
    ])
    const query = { multi_match: { query: 'a', fields: ['m*'] } }
    expect(await queryFailure(query, 'many')).toEqual([
      'illegal_argument_exception',
      'field expansion for [m*] matches too many fields, limit: 1024, got: 1030',
    ])
  })

  it('match nothing, and say why', async () => {
    const lenient = { match: { n: { query: 'foo', lenient: true } } }
    expect(await profiled(index, lenient)).toEqual([
      'MatchNoDocsQuery',
      'MatchNoDocsQuery("failed [n] query, caused by number_format_exception:[For input string: "foo"]")',
    ])
    const distance = { distance_feature: { field: 'nowhere', origin: 'now', pivot: '1d' } }
    expect(await profiled(index, distance)).toEqual([
      'MatchNoDocsQuery',
      `MatchNoDocsQuery("Can't run [distance_feature] query on unmapped fields!")`,
    ])
  })

  it('are too expensive where settings say so', async () => {
    const allow = (value: boolean | null): Promise<unknown> =>
      index.rest.call('PUT /_cluster/settings', {
        transient: { 'search.allow_expensive_queries': value },
      })
    await allow(false)
    try {
      for (const [query, reason] of [
        [
          { prefix: { t: 'a' } },
          "[prefix] queries cannot be executed when 'search.allow_expensive_queries' is set to false. For optimised prefix queries on text fields please enable [index_prefixes].",
        ],
        [
          { range: { k: { gte: 'a' } } },
          "[range] queries on [text] or [keyword] fields cannot be executed when 'search.allow_expensive_queries' is set to false.",
        ],
        [
          { wildcard: { k: 'a*' } },
          "[wildcard] queries cannot be executed when 'search.allow_expensive_queries' is set to false.",
        ],
      ] as const)
        expect(await queryFailure(query)).toEqual(['exception', reason])
    } finally {
      await allow(null)
    }
  })
})

describe('requests', () => {
  it.each<[object | string, string, number, string, string]>([
    [
      {},
      'POST /i/_search?pre_filter_shard_size=0',
      400,
      'illegal_argument_exception',
      'preFilterShardSize must be >= 1',
    ],
    [
      {},
      'POST /i/_search?max_concurrent_shard_requests=0',
      400,
      'illegal_argument_exception',
      'maxConcurrentShardRequests must be >= 1',
    ],
    [
      { from: 9999, size: 10 },
      'POST /i/_search',
      400,
      'illegal_argument_exception',
      'Result window is too large, from + size must be less than or equal to: [10000] but was [10009]. ' +
        'See the scroll api for a more efficient way to request large data sets. This limit can be set ' +
        'by changing the [index.max_result_window] index level setting.',
    ],
    [
      { search_after: [1] },
      'POST /i/_search',
      400,
      'illegal_argument_exception',
      'Sort must contain at least one field.',
    ],
    [
      { sort: [{ _score: 'desc' }], search_after: [1, 2] },
      'POST /i/_search',
      400,
      'illegal_argument_exception',
      'Sort must contain at least one field.',
    ],
    [
      { sort: ['n', 'k'], search_after: [1] },
      'POST /i/_search',
      400,
      'illegal_argument_exception',
      'search_after has 1 value(s) but sort has 2.',
    ],
    [
      { rescore: { query: { rescore_query: { match_all: {} } } } },
      'POST /i/_search?scroll=1m',
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: using [rescore] is not allowed in a scroll context;',
    ],
    [
      { collapse: { field: 'k' } },
      'POST /i/_search?scroll=1m',
      500,
      'search_exception',
      'cannot use `collapse` in a scroll context',
    ],
    [
      { _source: 5 },
      'POST /i/_search',
      400,
      'parsing_exception',
      'Expected one of [VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT] but found [VALUE_NUMBER]',
    ],
    [
      { docvalue_fields: Array.from({ length: 101 }, (_, i) => `f${i}`) },
      'POST /i/_search',
      400,
      'illegal_argument_exception',
      'Trying to retrieve too many docvalue_fields. Must be less than or equal to: [100] but was [101]. ' +
        'This limit can be set by changing the [index.max_docvalue_fields_search] index level setting.',
    ],
    [
      { query: { match: { t: 'a' } }, highlight: { type: 'fvh', fields: { t: {} } } },
      'POST /i/_search',
      400,
      'illegal_argument_exception',
      'the field [t] should be indexed with term vector with position offsets to be used with fast ' +
        'vector highlighter',
    ],
    [
      '{}\n{"query":{"match_all":{}}}',
      'POST /i/_msearch',
      400,
      'illegal_argument_exception',
      'The msearch request must be terminated by a newline [\\n]',
    ],
  ])('%j of %s', async (body, line, status, type, reason) => {
    expect(await failure(body, line)).toEqual([status, type, reason])
  })

  it('go on after a value that is none, whose own error is the cause', async () => {
    const body = { sort: ['n'], search_after: ['x'] }
    const { json, status } = await index.rest.call('POST /i/_search', body)
    const { type, reason, caused_by } = json.error.failed_shards[0].reason
    expect([status, type, reason]).toEqual([
      400,
      'illegal_argument_exception',
      'Failed to parse search_after value for field [n].',
    ])
    expect(caused_by).toEqual({
      type: 'number_format_exception',
      reason: 'For input string: "x"',
    })
  })

  it.each([
    ['{"size":1} {"size":2}', 'START_OBJECT', 12],
    ['{"size":1}[]', 'START_ARRAY', 11],
    ['{"size":1} "x"', 'VALUE_STRING', 12],
    ['{"size":1} 5', 'VALUE_NUMBER', 12],
    ['{"size":1} true', 'VALUE_BOOLEAN', 12],
    ['{"size":1} null', 'VALUE_NULL', 12],
  ])('more behind the object: %s', async (body, token, col) => {
    const { json, status } = await index.rest.call('POST /i/_search', body)
    expect(status).toBe(400)
    expect(json.error.root_cause).toEqual([
      {
        type: 'parsing_exception',
        reason: `Unexpected token [${token}] found after the main object.`,
        line: 1,
        col,
      },
    ])
  })

  it.each(['{"size":1} x', '{"size":1}}', '{"size":1},'])('no JSON behind it: %s', async body => {
    const { json, status } = await index.rest.call('POST /i/_search', body)
    expect([status, json.error.type]).toEqual([400, 'json_parse_exception'])
  })

  it('sort by unsigned numbers in one index and others in another', async () => {
    const { json, status } = await index.rest.call('POST /i,unsigned/_search', { sort: 'n' })
    expect(status).toBe(400)
    expect(JSON.stringify(json.error)).toContain(
      "Can't do sort across indices, as a field has [unsigned_long] type in one index, and different type in another index!",
    )
  })
})
