import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

type Json = Awaited<ReturnType<Rest['call']>>['json']

let rest: Rest

const RELATIONS = { question: ['answer', 'comment'], answer: 'vote' }
const DOCUMENTS: readonly (readonly [id: string, query: string, source: object])[] = [
  ['q1', '', { j: 'question', t: 'why tides' }],
  ['q2', '', { j: { name: 'question' }, t: 'why winds winds' }],
  ['q3', '', { j: 'question', t: 'why not' }],
  ['a1', '?routing=q1', { j: { name: 'answer', parent: 'q1' }, t: 'the moon', n: 3 }],
  ['a2', '?routing=q1', { j: { name: 'answer', parent: 'q1' }, t: 'moon moon and sun', n: 1 }],
  ['a3', '?routing=q2', { j: { name: 'answer', parent: 'q2' }, t: 'the sun', n: 2 }],
  ['c1', '?routing=q1', { j: { name: 'comment', parent: 'q1' }, t: 'good moon' }],
  ['v1', '?routing=q1', { j: { name: 'vote', parent: 'a1' }, t: 'up' }],
  ['v2', '?routing=q2', { j: { name: 'vote', parent: 'a3' }, t: 'down' }],
  ['lost', '?routing=q2', { j: { name: 'answer', parent: 'none' }, t: 'moon of nobody' }],
  ['x', '', { t: 'no relation, moon' }],
]

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /forum', {
    settings: { number_of_shards: 2, 'index.refresh_interval': '-1' },
    mappings: {
      properties: {
        j: { type: 'join', relations: RELATIONS },
        t: { type: 'text' },
        n: { type: 'integer' },
      },
    },
  })
  await rest.call('PUT /plain', { mappings: { properties: { t: { type: 'text' } } } })
  for (const [i, [id, query, source]] of DOCUMENTS.entries()) {
    expect((await rest.call(`PUT /forum/_doc/${id}${query}`, source)).status).toBe(201)
    // Several segments.
    if (i % 4 === 3) await rest.call('POST /forum/_refresh')
  }
  await rest.call('POST /forum/_refresh')
})
afterAll(() => rest.close())

const search = async (body: object, index = 'forum'): Promise<Json> => {
  const { status, json, text } = await rest.call(`POST /${index}/_search?size=50`, body)
  expect(status, text).toBe(200)
  return json
}
const idsOf = async (query: object): Promise<string[]> =>
  (await search({ query })).hits.hits.map((hit: { _id: string }) => hit._id).sort()
const errorOf = async (query: object, index = 'forum') => {
  const { status, json } = await rest.call(`POST /${index}/_search`, { query })
  const [root] = json.error.root_cause
  return { status, type: root.type, reason: root.reason }
}

describe('has_child', () => {
  it('finds the parents of matching children of one relation', async () => {
    const moon = { match: { t: 'moon' } }
    expect(await idsOf({ has_child: { type: 'answer', query: moon } })).toEqual(['q1'])
    expect(await idsOf({ has_child: { type: 'answer', query: { match_all: {} } } })).toEqual([
      'q1',
      'q2',
    ])
    expect(await idsOf({ has_child: { type: 'vote', query: { match_all: {} } } })).toEqual([
      'a1',
      'a3',
    ])
    expect(await idsOf({ has_child: { type: 'answer', query: { match: { t: 'zzz' } } } })).toEqual(
      [],
    )
  })

  it('runs within others, filters and itself', async () => {
    const grand = {
      has_child: {
        type: 'answer',
        query: { has_child: { type: 'vote', query: { match: { t: 'down' } } } },
      },
    }
    expect(await idsOf(grand)).toEqual(['q2'])
    const not = { bool: { filter: { term: { j: 'question' } }, must_not: grand } }
    expect(await idsOf(not)).toEqual(['q1', 'q3'])
    const { hits } = await search({ query: { term: { j: 'question' } }, post_filter: grand })
    expect(hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(['q2'])
    expect((await rest.call('POST /forum/_count', { query: grand })).json.count).toBe(1)
  })

  it('wants as many children as min_children and max_children say', async () => {
    const bounds = (more: object) => ({
      has_child: { type: 'answer', query: { match_all: {} }, ...more },
    })
    expect(await idsOf(bounds({ min_children: 2 }))).toEqual(['q1'])
    expect(await idsOf(bounds({ max_children: 1 }))).toEqual(['q2'])
    expect(await idsOf(bounds({ min_children: 0, max_children: 2 }))).toEqual(['q1', 'q2'])
    expect(await idsOf(bounds({ min_children: 3 }))).toEqual([])
  })

  it('has the score that its mode makes of the children', async () => {
    const inner = {
      function_score: { query: { match_all: {} }, field_value_factor: { field: 'n' } },
    }
    const scores = async (mode: string, boost = 1): Promise<[string, number][]> => {
      const query = { has_child: { type: 'answer', query: inner, score_mode: mode, boost } }
      const within = { bool: { must: query, must_not: { term: { _id: 'none' } } } }
      return (await search({ query: within })).hits.hits.map(
        (hit: { _id: string; _score: number }) => [hit._id, hit._score],
      )
    }
    await rest.call('PUT /forum/_doc/lost?routing=q2&refresh', {
      j: { name: 'answer', parent: 'none' },
      t: 'moon of nobody',
      n: 7,
    })
    expect(await scores('sum')).toEqual([
      ['q1', 4],
      ['q2', 2],
    ])
    expect(await scores('max')).toEqual([
      ['q1', 3],
      ['q2', 2],
    ])
    expect(await scores('min')).toEqual([
      ['q2', 2],
      ['q1', 1],
    ])
    expect(await scores('avg', 10)).toEqual(expect.arrayContaining([['q1', 20]]))
    expect((await scores('none', 3)).map(([, score]) => score)).toEqual([3, 3])
  })

  it('is explained and profiled as the classes of Lucene', async () => {
    const scored = {
      has_child: { type: 'answer', query: { match: { t: 'sun' } }, score_mode: 'max', boost: 2 },
    }
    const { hits, profile } = await search({ query: scored, explain: true, profile: true })
    expect(hits.hits.map((hit: Json) => hit._explanation.description)).toEqual([
      'A match, join value q2^2.0',
      'A match, join value q1^2.0',
    ])
    for (const hit of hits.hits) expect(hit._explanation.value).toBe(hit._score)
    const [query] = profile.shards
      .map((shard: Json) => shard.searches[0].query[0])
      .filter((each: Json) => each.type !== 'MatchNoDocsQuery')
    expect(query.type).toBe('BoostQuery')
    expect(query.description).toBe(
      '(GlobalOrdinalsQuery{joinField=j#question,min=1,max=2147483647,fromQuery=+t:sun #j:answer})^2.0',
    )
    const plain = { has_child: { type: 'answer', query: { match: { t: 'sun' } } } }
    const second = await search({ query: plain, profile: true, explain: true })
    const types = second.profile.shards.map((shard: Json) => shard.searches[0].query[0])
    expect(types[0]).toMatchObject({
      type: 'GlobalOrdinalsQuery',
      description: 'GlobalOrdinalsQuery{joinField=j#question}',
    })
    expect(types[0].children).toBeUndefined()
    const bounded = { has_child: { ...plain.has_child, min_children: 2 } }
    const third = await search({ query: bounded, profile: true })
    expect(third.profile.shards[0].searches[0].query[0].type).toBe('GlobalOrdinalsWithScoreQuery')
    expect(second.hits.hits[0]._explanation).toEqual({
      value: 1,
      description: expect.stringMatching(/^A match, join value q[12]$/),
      details: [],
    })
    const miss = await rest.call('GET /forum/_explain/q3', { query: plain })
    expect(miss.json.explanation.description).toBe('Not a match, join value q3')
    const none = await rest.call('GET /forum/_explain/x', { query: plain })
    expect(none.json.explanation.description).toBe('Not a match')
    const hit = await rest.call('GET /forum/_explain/q2', { query: scored })
    expect(hit.json.matched).toBe(true)
  })

  it('is validated as it stands, and as it runs', async () => {
    const query = { has_child: { type: 'answer', query: { match_all: {} } } }
    const plain = await rest.call('GET /forum/_validate/query?explain', { query })
    expect(plain.json.explanations[0].explanation).toBe('LateParsingQuery {joinField=j#question}')
    const rewritten = await rest.call('GET /forum/_validate/query?explain&rewrite&all_shards', {
      query,
    })
    expect(rewritten.json.explanations.map((each: Json) => each.explanation)).toContain(
      'GlobalOrdinalsQuery{joinField=j#question}',
    )
  })

  it('names the hits that it matches, also within a rescoring', async () => {
    const query = { has_child: { type: 'answer', query: { match_all: {} }, _name: 'answered' } }
    const { hits } = await search({
      query: { bool: { filter: { term: { j: 'question' } }, should: query } },
      rescore: { window_size: 5, query: { rescore_query: query, rescore_query_weight: 10 } },
    })
    expect(
      hits.hits
        .map((hit: Json) => [hit._id, hit.matched_queries, hit._score])
        .sort(([a]: string[], [b]: string[]) => (a! < b! ? -1 : 1)),
    ).toEqual([
      ['q1', ['answered'], 11],
      ['q2', ['answered'], 11],
      ['q3', undefined, 0],
    ])
  })

  it('passes over children whose parent is gone or deleted', async () => {
    await rest.call('PUT /life', {
      mappings: { properties: { j: { type: 'join', relations: { p: 'c' } } } },
    })
    await rest.call('PUT /life/_doc/1', { j: 'p' })
    await rest.call('PUT /life/_doc/2?routing=1', { j: { name: 'c', parent: '1' } })
    await rest.call('POST /life/_refresh')
    const query = { has_child: { type: 'c', query: { match_all: {} } } }
    const back = { has_parent: { parent_type: 'p', query: { match_all: {} } } }
    expect((await search({ query }, 'life')).hits.total.value).toBe(1)
    expect((await search({ query: back }, 'life')).hits.total.value).toBe(1)
    await rest.call('PUT /life/_doc/1?refresh', { j: 'p', again: true })
    expect((await search({ query }, 'life')).hits.hits[0]._source.again).toBe(true)
    await rest.call('DELETE /life/_doc/1?refresh')
    expect((await search({ query }, 'life')).hits.total.value).toBe(0)
    expect((await search({ query: back }, 'life')).hits.total.value).toBe(0)
  })
})

describe('has_parent', () => {
  it('finds the children of matching parents, of all relations', async () => {
    const tides = { match: { t: 'tides' } }
    expect(await idsOf({ has_parent: { parent_type: 'question', query: tides } })).toEqual([
      'a1',
      'a2',
      'c1',
    ])
    expect(
      await idsOf({ has_parent: { parent_type: 'answer', query: { match_all: {} } } }),
    ).toEqual(['v1', 'v2'])
  })

  it('has the score of the parent if it is asked for', async () => {
    const query = { match: { t: 'winds' } }
    const [parent] = (await search({ query: { bool: { must: query } } })).hits.hits
    const scored = await search({
      query: { has_parent: { parent_type: 'question', query, score: true } },
    })
    expect(scored.hits.hits.map((hit: Json) => [hit._id, hit._score])).toEqual([
      ['a3', parent._score],
    ])
    const plain = await search({ query: { has_parent: { parent_type: 'question', query } } })
    expect(plain.hits.hits[0]._score).toBe(1)
  })
})

describe('parent_id', () => {
  it('finds the children of one relation of one parent, by BM25 without lengths', async () => {
    expect(await idsOf({ parent_id: { type: 'answer', id: 'q1' } })).toEqual(['a1', 'a2'])
    expect(await idsOf({ parent_id: { type: 'comment', id: 'q1' } })).toEqual(['c1'])
    expect(await idsOf({ parent_id: { type: 'vote', id: 'q1' } })).toEqual([])
    const { profile } = await search({
      query: { parent_id: { type: 'answer', id: 'q1' } },
      profile: true,
    })
    expect(profile.shards[0].searches[0].query[0]).toMatchObject({
      type: 'BooleanQuery',
      description: '+j#question:q1 #j:answer',
    })
  })
})

describe('inner hits of joins', () => {
  it('are the children of a parent, best first, each a whole document', async () => {
    const { hits } = await search({
      query: {
        has_child: { type: 'answer', query: { match: { t: 'moon' } }, inner_hits: {} },
      },
    })
    const [{ inner_hits: inner }] = hits.hits
    expect(inner.answer.hits.total).toEqual({ value: 2, relation: 'eq' })
    expect(inner.answer.hits.hits.map((hit: Json) => hit._id).sort()).toEqual(['a1', 'a2'])
    const [best] = inner.answer.hits.hits
    expect(best).toMatchObject({
      _index: 'forum',
      _routing: 'q1',
      _source: { j: { parent: 'q1' } },
    })
    expect(best._nested).toBeUndefined()
    expect(inner.answer.hits.max_score).toBe(best._score)
  })

  it('take a name, a page, a sort and parts of hits', async () => {
    const { hits } = await search({
      query: {
        has_child: {
          type: 'answer',
          query: { match_all: {} },
          inner_hits: { name: 'own', size: 1, from: 1, sort: [{ n: 'desc' }], _source: false },
        },
      },
      sort: ['t.none', '_doc'].slice(1),
    })
    const [first] = hits.hits.filter((hit: Json) => hit._id === 'q1')
    expect(first.inner_hits.own.hits).toEqual({
      total: { value: 2, relation: 'eq' },
      max_score: null,
      hits: [{ _index: 'forum', _id: 'a2', _score: null, _routing: 'q1', sort: [1] }],
    })
  })

  it('are the parent of a child', async () => {
    const { hits } = await search({
      query: {
        has_parent: {
          parent_type: 'question',
          query: { match: { t: 'tides' } },
          inner_hits: { name: 'asked' },
        },
      },
    })
    expect(hits.hits.length).toBe(3)
    for (const hit of hits.hits)
      expect(hit.inner_hits.asked.hits.hits.map((each: Json) => each._id)).toEqual(['q1'])
  })

  it('lie within each other', async () => {
    const { hits } = await search({
      query: {
        has_child: {
          type: 'answer',
          query: {
            has_child: { type: 'vote', query: { match: { t: 'up' } }, inner_hits: {} },
          },
          inner_hits: {},
        },
      },
    })
    const [answer] = hits.hits[0].inner_hits.answer.hits.hits
    expect(answer._id).toBe('a1')
    expect(answer.inner_hits.vote.hits.hits.map((hit: Json) => hit._id)).toEqual(['v1'])
  })

  it('are named once, and no larger than their window', async () => {
    const one = { has_child: { type: 'answer', query: { match_all: {} }, inner_hits: {} } }
    expect(await errorOf({ bool: { must: [one, one] } })).toMatchObject({
      status: 400,
      reason: expect.stringContaining('[inner_hits] already contains an entry for key [answer]'),
    })
    const wide = { has_child: { ...one.has_child, inner_hits: { size: 101 } } }
    expect((await errorOf(wide)).reason).toContain(
      "the inner hit definition's [answer]'s from + size must be less than or equal to: [100] but was [101].",
    )
  })
})

describe('errors of joins', () => {
  it.each([
    [
      { has_child: { type: 'zzz', query: { match_all: {} } } },
      "[has_child] join field [j] doesn't hold [zzz] as a child",
    ],
    [
      { has_child: { type: 'question', query: { match_all: {} } } },
      "[has_child] join field [j] doesn't hold [question] as a child",
    ],
    [
      { has_parent: { parent_type: 'vote', query: { match_all: {} } } },
      "[has_parent] join field [j] doesn't hold [vote] as a parent",
    ],
    [
      { parent_id: { type: 'question', id: '1' } },
      '[parent_id] no relation found for child [question]',
    ],
  ])('%j', async (query, reason) => {
    expect(await errorOf(query)).toEqual({ status: 400, type: 'query_shard_exception', reason })
    const [name, body] = Object.entries(query)[0]!
    expect(await idsOf({ [name]: { ...body, ignore_unmapped: true } })).toEqual([])
  })

  it.each([
    [
      { has_child: { type: 'a', query: { match_all: {} } } },
      '[has_child] no join field has been configured',
    ],
    [
      { has_parent: { parent_type: 'a', query: { match_all: {} } } },
      '[has_parent] no join field has been configured',
    ],
    [{ parent_id: { type: 'a', id: '1' } }, '[parent_id] no join field found for index [plain]'],
  ])('%j without a join field', async (query, reason) => {
    expect(await errorOf(query, 'plain')).toEqual({
      status: 400,
      type: 'query_shard_exception',
      reason,
    })
  })

  it.each([
    [{ has_child: { query: { match_all: {} } } }, "[has_child] requires 'type' field"],
    [{ has_child: { type: 'answer' } }, "[has_child] requires 'query' field"],
    [
      { has_child: { type: 'answer', query: { match_all: {} }, min_children: -1 } },
      "[has_child] requires non-negative 'min_children' field",
    ],
    [
      { has_child: { type: 'answer', query: { match_all: {} }, max_children: -1 } },
      "[has_child] requires non-negative 'max_children' field",
    ],
    [
      { has_child: { type: 'answer', query: { match_all: {} }, min_children: 3, max_children: 2 } },
      "[has_child] 'max_children' is less than 'min_children'",
    ],
    [
      { has_child: { type: 'answer', query: { match_all: {} }, score_mode: 'total' } },
      'No score mode for child query [total] found',
    ],
    [{ has_parent: { query: { match_all: {} } } }, "[has_parent] requires 'parent_type' field"],
    [{ has_parent: { parent_type: 'question' } }, "[has_parent] requires 'query' field"],
    [{ parent_id: { id: '1' } }, "[parent_id] requires 'type' field"],
    [{ parent_id: { type: 'answer' } }, "[parent_id] requires 'id' field"],
  ])('%j is not whole', async (query, reason) => {
    expect(await errorOf(query)).toEqual({
      status: 400,
      type: 'illegal_argument_exception',
      reason,
    })
  })

  it.each([
    [{ has_child: { type: 'a', zzz: 1 } }, '[has_child] query does not support [zzz]'],
    [{ has_child: { type: ['a'] } }, '[has_child] query does not support [type]'],
    [{ has_parent: { parent_type: 'a', zzz: {} } }, '[has_parent] query does not support [zzz]'],
    [{ parent_id: { type: 'a', query: {} } }, '[parent_id] query does not support [query]'],
  ])('%j has an unknown key', async (query, reason) => {
    expect(await errorOf(query)).toEqual({ status: 400, type: 'parsing_exception', reason })
  })

  it('are those of expensive queries where these are forbidden', async () => {
    const set = (value: boolean | null) =>
      rest.call('PUT /_cluster/settings', {
        persistent: { 'search.allow_expensive_queries': value },
      })
    await set(false)
    try {
      for (const query of [
        { has_child: { type: 'answer', query: { match_all: {} } } },
        { has_parent: { parent_type: 'question', query: { match_all: {} } } },
        { parent_id: { type: 'answer', id: 'q1' } },
      ])
        expect((await errorOf(query)).reason).toContain(
          "[joining] queries cannot be executed when 'search.allow_expensive_queries' is set to false.",
        )
    } finally {
      await set(null)
    }
  })
})
