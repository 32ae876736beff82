import { beforeAll, describe, expect, it } from 'vitest'
import { ndjson } from '../../support/rest-calls.ts'
import {
  addRole,
  addUser,
  openSecured,
  type SecuredRest,
  securedForFile,
} from '../../support/secured-rest.ts'

const secured = securedForFile()
/** Stands in the documents that `rhea` may not see. */
const HIDDEN = 'cobalt'

const restricted = (dls: string, actions: readonly string[] = ['indices:*']): object => ({
  cluster_permissions: ['cluster_composite_ops', 'manage_snapshots', 'cluster:admin/repository/*'],
  index_permissions: [{ index_patterns: ['teams*', 'own*'], dls, allowed_actions: actions }],
})
const roles = (...names: string[]): object => ({ opendistro_security_roles: names })

beforeAll(async () => {
  const { rest } = secured()
  await rest.call('PUT /teams', {
    mappings: {
      properties: {
        team: { type: 'keyword' },
        note: { type: 'text', term_vector: 'yes' },
        fill: { type: 'completion' },
        rel: { type: 'join', relations: { a: 'b' } },
      },
    },
  })
  const lines: unknown[] = []
  for (let i = 0; i < 20; i++) {
    const team = i % 2 === 0 ? 'red' : 'blue'
    const word = i % 2 === 0 ? 'amber' : HIDDEN
    lines.push({ index: { _index: 'teams', _id: String(i) } })
    lines.push({ team, note: `${word} note ${i}`, n: i, word, fill: word, list: [{ w: word }] })
  }
  await rest.call('POST /_bulk?refresh', ndjson(...lines))
  await rest.call('POST /_aliases', { actions: [{ add: { index: 'teams', alias: 'all-teams' } }] })
  await addRole(rest, 'reds', restricted('{"term":{"team":"red"}}'))
  await addRole(rest, 'lows', restricted('{"range":{"n":{"lt":2}}}'))
  await addRole(rest, 'all', restricted(''))
  await addRole(rest, 'attributed', restricted(`{"term":{"team":"\${attr.internal.team}"}}`))
  await addRole(rest, 'backed', restricted(`{"terms":{"team":[\${user.roles}]}}`))
  await addRole(rest, 'listed', restricted(`{"terms":{"team":[\${attr.internal.team}]}}`))
  await addRole(rest, 'itself', restricted(`{"terms":{"team":[\${user_securityRoles}]}}`))
  await addRole(rest, 'blue', restricted('{"match_none":{}}'))
  await addRole(rest, 'broken', restricted('{"no_such_query":{}}'))
  await addUser(rest, 'rhea', roles('reds'))
  await addUser(rest, 'both', roles('reds', 'lows'))
  await addUser(rest, 'free', roles('all'))
  await addUser(rest, 'lifted', roles('reds', 'all'))
  await addUser(rest, 'attr', { ...roles('attributed'), attributes: { team: 'blue' } })
  await addUser(rest, 'quoted', { ...roles('attributed'), attributes: { team: '"}},"x":{"' } })
  await addUser(rest, 'bare', roles('attributed'))
  await addUser(rest, 'backs', { ...roles('backed'), backend_roles: ['blue', 'green'] })
  await addUser(rest, 'lists', { ...roles('listed'), attributes: { team: '"blue", "x"' } })
  await addUser(rest, 'words', { ...roles('listed'), attributes: { team: 'blue' } })
  await addUser(rest, 'ends', {
    ...roles('listed'),
    attributes: { team: '"x"]}},{"terms":{"team":["blue"' },
  })
  await addUser(rest, 'own', roles('itself', 'blue'))
  await addUser(rest, 'broke', roles('broken'))
})

const count = async (user: string, line = 'GET /teams/_count'): Promise<unknown> =>
  (await secured().as(user, line)).json.count

describe('the documents that a user sees', () => {
  it('are those that the query of his role matches', async () => {
    expect([await count('rhea'), await count('admin')]).toEqual([10, 20])
    const { json } = await secured().as('rhea', 'GET /teams/_search?size=20')
    expect(json.hits.hits.map((hit: { _source: { team: string } }) => hit._source.team)).toEqual(
      Array.from({ length: 10 }, () => 'red'),
    )
  })

  it('are those of any of several roles, which an unrestricted one does not lift', async () => {
    expect(await count('both')).toBe(11)
    expect(await count('lifted')).toBe(10)
  })

  it('depend on what he is and has, taken as text', async () => {
    expect(await count('attr')).toBe(10)
    expect(await count('quoted')).toBe(0)
    expect(await count('bare')).toBe(0)
    expect(await count('backs')).toBe(10)
  })

  it('depend on lists of values of his, which end no part of the query', async () => {
    expect(await count('lists')).toBe(10)
    expect(await count('own')).toBe(10)
    expect(await count('words')).toBe(0)
    expect(await count('ends')).toBe(0)
  })

  it('are none where the query is no query', async () => {
    const { status, text } = await secured().as('broke', 'GET /teams/_search')
    expect(status).toBe(403)
    expect(text).not.toContain('amber')
    expect((await secured().as('broke', 'GET /teams/_doc/0')).status).toBe(403)
  })

  it('are all where the setting lets an unrestricted role lift the others', async () => {
    const other: SecuredRest = await openSecured({
      'plugins.security.dfm_empty_overrides_all': 'true',
    })
    await other.rest.call('PUT /teams/_doc/1?refresh', { team: 'blue' })
    await addRole(other.rest, 'reds', restricted('{"term":{"team":"red"}}'))
    await addRole(other.rest, 'all', restricted(''))
    await addUser(other.rest, 'one', roles('reds'))
    await addUser(other.rest, 'two', roles('reds', 'all'))
    expect((await other.as('one', 'GET /teams/_count')).json.count).toBe(0)
    expect((await other.as('two', 'GET /teams/_count')).json.count).toBe(1)
    await other.close()
  })
})

/** Ways to a document that the query does not match, each a line and a body. */
const WAYS: readonly (readonly [line: string, body?: object | string])[] = [
  ['GET /teams/_search?size=50'],
  ['GET /teams/_search?q=cobalt'],
  ['GET /all-teams/_search?size=50'],
  ['GET /t*/_search?size=50'],
  ['GET /teams/_search?scroll=1m&size=50'],
  ['GET /teams/_search', { query: { ids: { values: ['1', '3'] } } }],
  ['GET /teams/_search', { query: { bool: { should: [{ match_all: {} }] } }, size: 50 }],
  ['GET /teams/_search', { query: { constant_score: { filter: { term: { team: 'blue' } } } } }],
  ['GET /teams/_search', { post_filter: { term: { team: 'blue' } } }],
  ['GET /teams/_search', { query: { hybrid: { queries: [{ match: { note: HIDDEN } }] } } }],
  [
    'GET /teams/_search',
    { query: { match_all: {} }, sort: [{ 'word.keyword': 'desc' }], size: 50 },
  ],
  ['GET /teams/_search', { collapse: { field: 'team', inner_hits: { name: 'x', size: 30 } } }],
  ['GET /teams/_search', { size: 0, aggs: { a: { terms: { field: 'word.keyword' } } } }],
  [
    'GET /teams/_search',
    { size: 0, aggs: { g: { global: {}, aggs: { a: { terms: { field: 'word.keyword' } } } } } },
  ],
  ['GET /teams/_search', { size: 0, aggs: { a: { top_hits: { size: 30 } } } }],
  [
    'GET /teams/_search',
    { size: 0, aggs: { g: { global: {}, aggs: { a: { top_hits: { size: 30 } } } } } },
  ],
  [
    'GET /teams/_search',
    { size: 0, aggs: { a: { terms: { field: 'word.keyword', min_doc_count: 0 } } } },
  ],
  [
    'GET /teams/_search',
    {
      size: 0,
      aggs: {
        f: {
          filter: { match_all: {} },
          aggs: { a: { terms: { field: 'word.keyword', min_doc_count: 0 } } },
        },
      },
    },
  ],
  [
    'GET /teams/_search',
    { size: 0, aggs: { a: { significant_terms: { field: 'word.keyword', min_doc_count: 0 } } } },
  ],
  [
    'GET /teams/_search',
    {
      size: 0,
      aggs: { a: { composite: { sources: [{ w: { terms: { field: 'word.keyword' } } }] } } },
    },
  ],
  [
    'GET /teams/_search',
    {
      size: 0,
      aggs: {
        a: {
          scripted_metric: {
            init_script: 'state.l = []',
            map_script: "state.l.add(doc['word.keyword'].value)",
            combine_script: 'return state.l',
            reduce_script: 'return states',
          },
        },
      },
    },
  ],
  ['GET /teams/_search', { suggest: { s: { text: 'cobald', term: { field: 'note' } } } }],
  ['GET /teams/_search', { suggest: { s: { text: 'cobald', phrase: { field: 'note' } } } }],
  ['GET /teams/_search', { suggest: { s: { prefix: 'cob', completion: { field: 'fill' } } } }],
  ['GET /teams/_search', { profile: true, query: { match: { note: HIDDEN } } }],
  [
    'GET /teams/_search',
    { highlight: { fields: { note: {} } }, query: { match: { note: HIDDEN } } },
  ],
  [
    'GET /teams/_search',
    { docvalue_fields: ['word.keyword'], fields: ['*'], _source: false, size: 50 },
  ],
  [
    'GET /teams/_search',
    { script_fields: { w: { script: "doc['word.keyword'].value" } }, size: 50 },
  ],
  ['GET /teams/_search', { query: { script: { script: "doc['team'].value == 'blue'" } } }],
  [
    'GET /teams/_search',
    { query: { function_score: { script_score: { script: '1' } } }, size: 50 },
  ],
  [
    'GET /teams/_search',
    {
      query: { match_all: {} },
      rescore: { window_size: 50, query: { rescore_query: { match: { note: HIDDEN } } } },
      size: 50,
    },
  ],
  [
    'GET /teams/_search',
    { query: { terms: { 'word.keyword': { index: 'teams', id: '1', path: 'word' } } } },
  ],
  [
    'GET /teams/_search',
    {
      query: {
        more_like_this: {
          fields: ['note'],
          like: [{ _index: 'teams', _id: '1' }],
          min_term_freq: 1,
          min_doc_freq: 1,
        },
      },
    },
  ],
  [
    'GET /teams/_search',
    { query: { has_child: { type: 'b', query: { match: { note: HIDDEN } } } } },
  ],
  ['GET /teams/_search', { query: { has_parent: { parent_type: 'a', query: { match_all: {} } } } }],
  ['GET /_msearch', ndjson({ index: 'teams' }, { size: 50 }, { index: 'all-teams' }, { size: 50 })],
  ['GET /teams/_search/template', { source: '{"size":{{n}}}', params: { n: 50 } }],
  ['GET /_msearch/template', ndjson({ index: 'teams' }, { source: '{"size":50}' })],
  ['GET /teams/_doc/1'],
  ['GET /teams/_doc/1?realtime=true'],
  ['GET /teams/_doc/1?refresh=true'],
  ['GET /teams/_doc/1?stored_fields=word'],
  ['GET /teams/_source/1'],
  ['GET /all-teams/_doc/1'],
  ['GET /teams/_mget', { ids: ['1', '3', '5'] }],
  ['GET /_mget', { docs: [{ _index: 'all-teams', _id: '1' }] }],
  ['GET /teams/_explain/1', { query: { match: { note: HIDDEN } } }],
  ['GET /teams/_explain/1?_source=true', { query: { match_all: {} } }],
  ['GET /teams/_termvectors/1?fields=note'],
  ['GET /_mtermvectors', { docs: [{ _index: 'teams', _id: '1', fields: ['note'] }] }],
  [
    'GET /teams/_rank_eval',
    {
      requests: [
        {
          id: 'r',
          request: { query: { match_all: {} }, size: 50 },
          ratings: [{ _index: 'teams', _id: '0', rating: 1 }],
        },
      ],
      metric: { precision: { k: 50 } },
    },
  ],
  ['GET /teams/_validate/query?explain=true&rewrite=true', { query: { prefix: { note: 'cob' } } }],
  ['POST /teams/_update/1', { script: { source: 'ctx._source.n = 1' }, _source: true }],
  ['POST /teams/_update/1', { doc: { n: 7 }, _source: true }],
  [
    'POST /_bulk',
    ndjson({ update: { _index: 'teams', _id: '1', _source: true } }, { doc: { n: 7 } }),
  ],
  ['PUT /teams/_clone/own-copy', {}],
  ['POST /_reindex?refresh', { source: { index: 'teams' }, dest: { index: 'own-copy' } }],
  ['GET /own-copy/_search?size=50'],
  ['POST /teams/_update_by_query?refresh', { query: { match_all: {} } }],
]

describe('a document that a user may not see', () => {
  it.each(WAYS.map(([line, body]) => ({ line, body })))(
    'does not show by $line $body',
    async way => {
      const { line, body } = way
      const { status, text } = await secured().as('rhea', line, body)
      // An answer may repeat parts of its request.
      const said = `${line} ${typeof body === 'string' ? body : JSON.stringify(body ?? '')}`
      if (!said.includes(HIDDEN)) expect(text).not.toContain(HIDDEN)
      expect(text).not.toMatch(/cobalt note|"team":"blue"|"_id":"1"[^}]*"_source"/)
      expect(status).toBeLessThan(500)
    },
  )

  it('is looked for by at least fifty ways, of which most would find it', async () => {
    expect(WAYS.length).toBeGreaterThanOrEqual(50)
    let found = 0
    for (const [line, body] of WAYS.filter(([each]) => each.startsWith('GET ')))
      if (/cobalt note|cobalt"|"team":"blue"/.test((await secured().as('free', line, body)).text))
        found++
    expect(found).toBeGreaterThanOrEqual(25)
  })

  it('is changed by none of them, and in no copy', async () => {
    const { json } = await secured().as('admin', 'GET /teams/_doc/1')
    expect([json._version, json._source.n]).toEqual([1, 1])
    expect((await secured().as('admin', 'GET /own-copy/_count')).json.count).toBe(10)
  })

  it('counts in no answer', async () => {
    const hits = async (body: object): Promise<number> =>
      (await secured().as('rhea', 'GET /teams/_search', body)).json.hits.total.value
    expect(await hits({ query: { match: { note: HIDDEN } } })).toBe(0)
    expect(await hits({ query: { bool: { must_not: [{ match: { note: 'amber' } }] } } })).toBe(0)
    expect(await hits({ track_total_hits: true, size: 0 })).toBe(10)
    const aggs = { g: { global: {}, aggs: { n: { value_count: { field: 'n' } } } } }
    const { json } = await secured().as('rhea', 'GET /teams/_search', { size: 0, aggs })
    expect([json.aggregations.g.doc_count, json.aggregations.g.n.value]).toEqual([10, 10])
  })

  it('is in no cached answer of somebody else', async () => {
    const line = 'GET /teams/_search?request_cache=true'
    const body = { size: 0, aggs: { t: { terms: { field: 'team' } } } }
    const teams = async (user: string): Promise<unknown> =>
      (await secured().as(user, line, body)).json.aggregations.t.buckets.length
    expect([await teams('admin'), await teams('rhea'), await teams('admin')]).toEqual([2, 1, 2])
  })
})

describe('a document that a user may see', () => {
  it.each<{ readonly line: string; readonly body?: object }>([
    { line: 'GET /teams/_doc/0' },
    { line: 'GET /teams/_source/0' },
    { line: 'GET /teams/_explain/0', body: { query: { match: { note: 'amber' } } } },
    { line: 'GET /teams/_termvectors/0?fields=note' },
    { line: 'GET /teams/_mget', body: { ids: ['0'] } },
  ])('shows by $line', async ({ line, body }) => {
    const { status, text } = await secured().as('rhea', line, body)
    expect([status, /amber|"found":true|"matched":true/.test(text)]).toEqual([200, true])
  })

  it('is found with the same score as by somebody who sees all', async () => {
    const score = async (user: string): Promise<number> =>
      (
        await secured().as(user, 'GET /teams/_search?size=1', {
          query: { match: { note: 'amber' } },
        })
      ).json.hits.max_score
    expect(await score('rhea')).toBe(await score('admin'))
  })
})

it('refuses what would tell of other documents, with a reason', async () => {
  const reason = async (line: string, body: object): Promise<unknown[]> => {
    const { status, json } = await secured().as('rhea', line, body)
    const { error } = json
    return [status, error.caused_by?.reason ?? error.root_cause?.[0].reason]
  }
  const of = (text: string): unknown[] => [403, `${text} is not supported when DLS is activated`]
  const search = 'GET /teams/_search'
  expect(await reason(search, { profile: true })).toEqual(of('Profiling'))
  const zero = { aggs: { a: { terms: { field: 'team', min_doc_count: 0 } } } }
  expect(await reason(search, zero)).toEqual(of('min_doc_count 0'))
  const activated = 'is not supported when FLS or DLS or Fieldmasking is activated'
  expect(await reason('POST /teams/_update/0', { doc: { n: 1 } })).toEqual([
    403,
    `Update ${activated}`,
  ])
  expect(await reason('PUT /teams/_clone/own-2', {})).toEqual([403, `Resize ${activated}`])
})
