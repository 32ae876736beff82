/** Roles whose document restrictions take terms from a document of another index. */
import { beforeAll, describe, expect, it } from 'vitest'
import { ndjson } from '../../support/rest-calls.ts'
import { addRole, addUser, type Reply, securedForFile } from '../../support/secured-rest.ts'

const secured = securedForFile()

const ALL = { match_all: {} }
/** The query of a role that goes by the teams of its user. */
const teamsOf = (more: object = {}): object => ({
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the name of the user stands there
  terms: { team: { index: 'staff', id: '${user.name}', path: 'works.teams', ...more } },
})
const ROLES: Readonly<Record<string, object>> = {
  ann: teamsOf(),
  // Under an alias, with the routing of the document.
  ben: teamsOf({ index: 'crew', routing: 'r' }),
  cat: { bool: { must_not: teamsOf() } },
  dan: teamsOf({ id: 'gone' }),
  eve: teamsOf({ index: 'missing' }),
  fay: teamsOf({ index: 'shut' }),
  gus: { terms: { team: { index: 'staff', path: 'works.teams', query: { match_all: {} } } } },
  hal: { more_like_this: { fields: ['note'], like: [{ _index: 'staff', _id: 'ann' }] } },
  ivy: teamsOf({ path: 'works' }),
}
const SEEN: Readonly<Record<string, readonly string[]>> = {
  ann: ['1', '3'],
  ben: ['2'],
  cat: ['2', '4'],
  dan: [],
}

beforeAll(async () => {
  const { rest } = secured()
  const team = { type: 'keyword' }
  const mappings = {
    properties: { team, word: team, note: { type: 'text', term_vector: 'yes' } },
  }
  await rest.call('PUT /notes', { settings: { number_of_shards: 2 }, mappings })
  const teams = ['red', 'blue', 'green', 'grey']
  const lines = teams.flatMap((each, i) => [
    { index: { _id: String(i + 1) } },
    { team: each, word: `word-${each}`, note: `of ${each}` },
  ])
  await rest.call('POST /notes/_bulk?refresh', ndjson(...lines))
  await rest.call('PUT /staff', { aliases: { crew: {} } })
  const works = (...names: string[]): object => ({ works: { teams: names } })
  await rest.call('PUT /staff/_doc/ann', works('red', 'green'))
  await rest.call('PUT /staff/_doc/ben?routing=r', works('blue'))
  await rest.call('PUT /staff/_doc/cat', works('red', 'green'))
  await rest.call('PUT /staff/_doc/ivy', works('red'))
  await rest.call('PUT /shut/_doc/fay', works('red'))
  await rest.call('POST /shut/_close')
  for (const [name, query] of Object.entries(ROLES)) {
    await addRole(rest, name, {
      cluster_permissions: ['cluster_composite_ops'],
      index_permissions: [
        { index_patterns: ['notes'], dls: JSON.stringify(query), allowed_actions: ['*'] },
      ],
    })
    await addUser(rest, name, { opendistro_security_roles: [name] })
  }
})

const as = (user: string, line: string, body?: object): Promise<Reply> =>
  secured().as(user, line, body)
const idsOf = ({ json }: Reply): string[] =>
  json.hits.hits.map((hit: { _id: string }) => hit._id).sort()

describe.each(Object.entries(SEEN))('a restriction that looks terms up (%s)', (user, ids) => {
  it('holds for searches, counts and aggregations, with any number of slices', async () => {
    for (const slices of [1, 3]) {
      await secured().rest.call('PUT /notes/_settings', {
        'index.search.concurrent.max_slice_count': slices,
      })
      const aggs = { all: { global: {}, aggs: { words: { terms: { field: 'word' } } } } }
      const found = await as(user, 'GET /notes/_search', { query: ALL, aggs })
      expect([found.text, found.status]).toEqual([found.text, 200])
      expect(idsOf(found)).toEqual(ids)
      expect(found.json.aggregations.all.words.buckets).toHaveLength(ids.length)
      expect((await as(user, 'GET /notes/_count')).json.count).toBe(ids.length)
    }
  })

  it('holds for reads by id, alone and of several', async () => {
    const docs = ['1', '2', '3', '4'].map(_id => ({ _index: 'notes', _id }))
    const several = await as(user, 'GET /_mget', { docs })
    for (const [i, { _id }] of docs.entries()) {
      const isSeen = ids.includes(_id)
      expect([_id, (await as(user, `GET /notes/_doc/${_id}`)).json.found]).toEqual([_id, isSeen])
      expect([_id, several.json.docs[i].found]).toEqual([_id, isSeen])
      const explained = await as(user, `GET /notes/_explain/${_id}`, { query: ALL })
      expect([_id, explained.json.matched]).toEqual([_id, isSeen])
      const vectors = await as(user, `GET /notes/_termvectors/${_id}?fields=note`)
      expect([_id, vectors.json.found]).toEqual([_id, isSeen])
    }
  })

  it('does not let its user read what it looks into', async () => {
    for (const line of ['GET /staff/_search', 'GET /staff/_doc/ann', 'GET /crew/_count'])
      expect([line, (await as(user, line)).status]).toEqual([line, 403])
    const terms = { team: { index: 'staff', id: 'ann', path: 'works.teams' } }
    expect((await as(user, 'GET /notes/_search', { query: { terms } })).status).toBe(403)
  })
})

it('goes by the document of the moment, refreshed or not, past every cache', async () => {
  const { rest } = secured()
  const size0 = { size: 0, track_total_hits: true, aggs: { t: { terms: { field: 'team' } } } }
  const counted = async (): Promise<unknown> => {
    const { json } = await as('ann', 'GET /notes/_search?request_cache=true', size0)
    return json.aggregations.t.buckets.map((bucket: { key: string }) => bucket.key)
  }
  expect([await counted(), await counted()]).toEqual([
    ['green', 'red'],
    ['green', 'red'],
  ])
  const scroll = (await as('ann', 'GET /notes/_search?scroll=1m&size=1')).json._scroll_id
  await rest.call('PUT /staff/_doc/ann', { works: { teams: ['grey'] } })
  expect(await counted()).toEqual(['grey'])
  expect((await as('ann', 'GET /notes/_doc/1')).json.found).toBe(false)
  expect((await as('ann', 'GET /notes/_doc/4')).json.found).toBe(true)
  // What was opened before goes on over what it found then.
  const next = await as('ann', 'POST /_search/scroll', { scroll_id: scroll })
  expect(idsOf(next)).toHaveLength(1)
  await rest.call('DELETE /staff/_doc/ann')
  expect(await counted()).toEqual([])
  await rest.call('PUT /staff/_doc/ann', { works: { teams: ['red', 'green'] } })
})

it('keeps writes by query to what is seen', async () => {
  const { json } = await as('ben', 'POST /notes/_update_by_query?refresh', {
    query: ALL,
    script: { source: "ctx._source.word = 'changed'" },
  })
  expect([json.total, json.updated]).toEqual([1, 1])
  const { json: all } = await secured().rest.call('GET /notes/_count?q=word:changed')
  expect(all.count).toBe(1)
})

it.each([
  ['eve', 'A document restriction does not fit the index'],
  ['fay', 'A document restriction does not fit the index'],
  ['gus', 'Only lookups of terms by id are supported in document restrictions'],
  ['hal', 'Only lookups of terms by id are supported in document restrictions'],
  ['ivy', 'A document restriction does not fit the index'],
])('shows %s nothing where it cannot be decided, and tells no more', async (user, reason) => {
  for (const line of ['GET /notes/_search', 'GET /notes/_count', 'GET /notes/_doc/1']) {
    const { status, text } = await as(user, line)
    expect([line, status, text]).toEqual([line, 403, expect.stringContaining(reason)])
    expect(text).not.toMatch(/missing|shut|staff|works|word-/)
  }
})

it('does not tell of terms and bounds of others by capabilities that are filtered', async () => {
  const { rest } = secured()
  await rest.call('PUT /notes/_mapping', { properties: { at: { type: 'date' } } })
  await rest.call('PUT /notes/_doc/9?refresh', { team: 'other', at: '2030-01-01', word: 'hush' })
  for (const [present, absent] of [
    [{ range: { at: { gte: '2029-01-01' } } }, { range: { at: { gte: '2031-01-01' } } }],
    [{ fuzzy: { word: 'husk' } }, { fuzzy: { word: 'zzzzzzz' } }],
    [{ prefix: { word: 'hus' } }, { prefix: { word: 'zzz' } }],
    [{ term: { word: 'hush' } }, { term: { word: 'zzz' } }],
  ]) {
    const told = async (user: string, index_filter: unknown): Promise<unknown> =>
      (
        await as(user, 'POST /notes/_field_caps?fields=at', {
          index_filter: index_filter as object,
        })
      ).json.indices
    expect(await told('ann', present)).toEqual(await told('ann', absent))
  }
})
