import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /books', {
    mappings: { properties: { n: { type: 'integer' }, title: { type: 'keyword' } } },
  })
  await rest.call(
    'POST /books/_bulk?refresh',
    ndjson(...[1, 2, 3, 4].flatMap(n => [{ index: { _id: `${n}` } }, { n, title: `t${n}` }])),
  )
})

afterAll(() => rest.close())

const ALL = { query: { match_all: {} }, sort: ['n'] }

const rated = (ratings: Record<string, number>): object[] =>
  Object.entries(ratings).map(([id, rating]) => ({ _index: 'books', _id: id, rating }))

/** Evaluates the ranking 1, 2, 3, 4. */
async function evaluated(
  metric: object,
  ratings: Record<string, number>,
): Promise<{ score: number; details: object }> {
  const { json } = await rest.call('POST /books/_rank_eval', {
    requests: [{ id: 'q', request: ALL, ratings: rated(ratings) }],
    metric,
  })
  const [details] = Object.values(json.details.q.metric_details)
  expect(json.metric_score).toBe(json.details.q.metric_score)
  return { score: json.metric_score, details: details as object }
}

it('prints every hit with its rating, and those that have none', async () => {
  const { json } = await rest.call('GET /_rank_eval', {
    requests: [
      { id: 'a', request: { ...ALL, size: 1 }, ratings: rated({ 1: 1, 2: 0, 9: 1 }) },
      { id: 'b', request: ALL, ratings: [], summary_fields: ['title'] },
    ],
    metric: { precision: { k: 3 } },
    max_concurrent_searches: 1,
  })
  expect(json.failures).toEqual({})
  expect(json.metric_score).toBeCloseTo(1 / 6, 15)
  expect(json.details.a).toEqual({
    metric_score: 1 / 3,
    unrated_docs: [{ _index: 'books', _id: '3' }],
    hits: [
      { hit: { _index: 'books', _id: '1', _score: null, sort: [1] }, rating: 1 },
      { hit: { _index: 'books', _id: '2', _score: null, sort: [2] }, rating: 0 },
      { hit: { _index: 'books', _id: '3', _score: null, sort: [3] }, rating: null },
    ],
    metric_details: { precision: { relevant_docs_retrieved: 1, docs_retrieved: 3 } },
  })
  expect(json.details.b.hits[0].hit._source).toEqual({ title: 't1' })
})

it.each<[string, object, Record<string, number>, number, object]>([
  ['precision', {}, { 1: 1, 2: 2, 3: 0 }, 0.5, { relevant_docs_retrieved: 2, docs_retrieved: 4 }],
  [
    'precision',
    { ignore_unlabeled: true },
    { 1: 1, 3: 0 },
    0.5,
    { relevant_docs_retrieved: 1, docs_retrieved: 2 },
  ],
  [
    'precision',
    { relevant_rating_threshold: 2, k: 2 },
    { 1: 1, 2: 2 },
    0.5,
    { relevant_docs_retrieved: 1, docs_retrieved: 2 },
  ],
  [
    'precision',
    { ignore_unlabeled: true },
    {},
    0,
    { relevant_docs_retrieved: 0, docs_retrieved: 0 },
  ],
  [
    'recall',
    { k: 2 },
    { 1: 1, 2: 0, 3: 1, 9: 1 },
    1 / 3,
    { relevant_docs_retrieved: 1, relevant_docs: 3 },
  ],
  ['recall', {}, { 1: 0 }, 0, { relevant_docs_retrieved: 0, relevant_docs: 0 }],
  ['mean_reciprocal_rank', {}, { 1: 0, 3: 1 }, 1 / 3, { first_relevant: 3 }],
  ['mean_reciprocal_rank', { k: 2 }, { 3: 1 }, 0, { first_relevant: -1 }],
  ['dcg', {}, { 1: 3, 2: 2 }, 7 + 3 / Math.log2(3), { dcg: 7 + 3 / Math.log2(3), unrated_docs: 2 }],
  [
    'dcg',
    { normalize: true, k: 2 },
    { 1: 1, 2: 2 },
    (1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3)),
    {
      dcg: 1 + 3 / Math.log2(3),
      ideal_dcg: 3 + 1 / Math.log2(3),
      normalized_dcg: (1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3)),
      unrated_docs: 0,
    },
  ],
  [
    'expected_reciprocal_rank',
    { maximum_relevance: 1, k: 3 },
    { 1: 1, 3: 1 },
    0.5 + 0.25 / 3,
    { unrated_docs: 1 },
  ],
  [
    'expected_reciprocal_rank',
    { maximum_relevance: 1, unknown_doc_rating: 1, k: 2 },
    {},
    0.5 + 0.125,
    { unrated_docs: 2 },
  ],
])('scores a ranking by %s with %j and %j', async (name, params, ratings, score, details) => {
  const found = await evaluated({ [name]: params }, ratings)
  expect(found.score).toBeCloseTo(score, 12)
  for (const [key, value] of Object.entries(details))
    expect((found.details as Record<string, number>)[key]).toBeCloseTo(value as number, 12)
  expect(Object.keys(found.details)).toEqual(Object.keys(details))
})

it('tells of queries that fail, and takes the mean of the others', async () => {
  const bad = { query: { range: { n: { gte: 'x' } } } }
  const requests = [
    { id: 'good', request: ALL, ratings: rated({ 1: 1 }) },
    { id: 'bad', request: bad, ratings: [] },
  ]
  const { json } = await rest.call('POST /books/_rank_eval', {
    requests,
    metric: { mean_reciprocal_rank: {} },
  })
  expect([json.metric_score, Object.keys(json.details)]).toEqual([1, ['good']])
  expect(json.failures.bad.error.type).toBe('search_phase_execution_exception')
  const none = await rest.call('POST /books/_rank_eval', {
    requests: [requests[1]],
    metric: { precision: {} },
  })
  expect(none.json.metric_score).toBe('NaN')
})

it('ranks by the statistics of all shards where its search type says so', async () => {
  const words = ['sea', 'sea', 'sea ship', 'ship', 'ship whale', 'whale', 'sea whale']
  for (const [index, shards] of Object.entries({ one: 1, three: 3 })) {
    await rest.call(`PUT /${index}`, { settings: { number_of_shards: shards } })
    for (const [i, word] of words.entries())
      await rest.call(`PUT /${index}/_doc/${i}?refresh`, { word })
  }
  const scores = async (index: string, params = ''): Promise<string[]> => {
    const { json } = await rest.call(`POST /${index}/_rank_eval${params}`, {
      requests: [{ id: 'q', request: { query: { match: { word: 'sea whale' } } }, ratings: [] }],
      metric: { precision: {} },
    })
    return json.details.q.hits
      .map(({ hit }: { hit: { _id: string; _score: number } }) => `${hit._id} ${hit._score}`)
      .sort()
  }
  const whole = await scores('one')
  expect(whole).toHaveLength(6)
  expect(await scores('three', '?search_type=dfs_query_then_fetch')).toEqual(whole)
  expect(await scores('three')).not.toEqual(whole)
  const { json } = await rest.call('POST /one/_rank_eval?search_type=scan', {})
  expect(json.error.reason).toBe('No search type for [scan]')
})

const ONE = { id: 'q', request: ALL, ratings: [] }
const PRECISION = { precision: {} }

it.each<[object, string]>([
  [{ requests: [ONE] }, 'Required [metric]'],
  [
    { metric: PRECISION },
    'Cannot evaluate ranking if no search requests with rated results are provided. Seen: []',
  ],
  [{ requests: [{ request: ALL, ratings: [] }], metric: PRECISION }, 'Required [id]'],
  [{ requests: [{ id: 'q', request: ALL }], metric: PRECISION }, 'Required [ratings]'],
  [
    { requests: [{ id: 'q', ratings: [] }], metric: PRECISION },
    'Need to set at least test request or test request template parameters.',
  ],
  [
    {
      requests: [{ ...ONE, ratings: [...rated({ 1: 1 }), ...rated({ 1: 0 })] }],
      metric: PRECISION,
    },
    'Found duplicate rated document key [{"_index":"books","_id":"1"}] in evaluation request [q]',
  ],
  [
    { requests: [{ ...ONE, ratings: [{ _id: '1', rating: 1 }] }], metric: PRECISION },
    'Required [_index]',
  ],
  [
    { requests: [{ ...ONE, ratings: [{ _index: 'a', rating: 1 }] }], metric: PRECISION },
    'Required [_id]',
  ],
  [
    { requests: [{ ...ONE, ratings: [{ _index: 'a', _id: '1' }] }], metric: PRECISION },
    'Required [rating]',
  ],
  [
    { requests: [{ ...ONE, request: { suggest: {} } }], metric: PRECISION },
    'Query in rated requests should not contain a suggest section.',
  ],
  [
    { requests: [{ ...ONE, request: { aggs: {} } }], metric: PRECISION },
    'Query in rated requests should not contain aggregations.',
  ],
  [
    { requests: [{ ...ONE, request: { highlight: {} } }], metric: PRECISION },
    'Query in rated requests should not contain a highlighter section.',
  ],
  [
    { requests: [{ ...ONE, request: { explain: true } }], metric: PRECISION },
    'Query in rated requests should not use explain.',
  ],
  [
    { requests: [{ ...ONE, request: { profile: 'true' } }], metric: PRECISION },
    'Query in rated requests should not use profile.',
  ],
  [{ requests: [ONE], metric: { precision: { k: 0 } } }, 'Window size k must be positive.'],
  [
    { requests: [ONE], metric: { recall: { relevant_rating_threshold: -1 } } },
    'Relevant rating threshold for precision must be positive integer.',
  ],
  [{ requests: [ONE], metric: { expected_reciprocal_rank: {} } }, 'Required [maximum_relevance]'],
  [{ requests: [ONE], metric: { precisions: {} } }, '[1:99] unknown field [precisions]'],
  [{ requests: [ONE], metric: { dcg: { kk: 1 } } }, '[1:106] [dcg] unknown field [kk]'],
  [
    { requests: [ONE], metrics: {} },
    '[1:89] [rank_eval] unknown field [metrics] did you mean [metric]?',
  ],
  [
    { requests: [{ ...ONE, template_id: 'a' }], metric: PRECISION },
    'Ambiguous rated request: Set both, verbatim test request and test request template parameters.',
  ],
  [
    { requests: [{ ...ONE, params: { a: 1 } }], metric: PRECISION },
    'Ambiguous rated request: Set both, verbatim test request and test request template parameters.',
  ],
  [
    { requests: [{ id: 'q', ratings: [], params: {}, template_id: 'a' }], metric: PRECISION },
    'Need to set at least test request or test request template parameters.',
  ],
  [
    { requests: [{ id: 'q', ratings: [], params: { a: 1 } }], metric: PRECISION },
    'If template parameters are supplied need to set id of template to apply them to too.',
  ],
  [
    { requests: [ONE], metric: PRECISION, max_concurrent_searches: 0 },
    'maxConcurrentSearchRequests must be positive',
  ],
])('refuses %j', async (body, reason) => {
  const { status, json } = await rest.call('POST /books/_rank_eval', body)
  let innermost = json.error
  while (innermost.caused_by !== undefined) innermost = innermost.caused_by
  expect([status, innermost.reason]).toEqual([400, reason])
})

describe('templates', () => {
  const TEMPLATE = { source: { query: { match_all: {} }, sort: ['{{field}}'] } }
  const asked = (template_id: string, templates: readonly object[]): object => ({
    templates,
    requests: [{ id: 'q', template_id, params: { field: 'n' }, ratings: rated({ 1: 1 }) }],
    metric: PRECISION,
  })

  it('make searches of the parameters of requests', async () => {
    const body = asked('t', [{ id: 't', template: TEMPLATE }])
    const { json } = await rest.call('POST /books/_rank_eval', body)
    const hits = json.details.q.hits.map(({ hit }: { hit: { _id: string } }) => hit._id)
    expect([hits, json.failures]).toEqual([['1', '2', '3', '4'], {}])
  })

  it.each([
    [asked('u', [{ id: 't', template: TEMPLATE }]), 'No template exists for id: u'],
    [
      asked('t', [{ id: 't', template: { source: { aggs: {} } } }]),
      'Query in rated requests should not contain aggregations.',
    ],
  ])('refuses %j', async (body, reason) => {
    const { status, json } = await rest.call('POST /books/_rank_eval', body)
    expect([status, json.error.reason]).toEqual([400, reason])
  })
})
