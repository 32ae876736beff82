/** The text of a role's filter stands in no answer: neither its terms nor the fields that it names. */
import { beforeAll, describe, expect, it } from 'vitest'
import { ndjson } from '../../support/rest-calls.ts'
import { addRole, addUser, type Reply, securedForFile } from '../../support/secured-rest.ts'

const secured = securedForFile()

/** Stands in the filter of the role, and in sources that no call of these tests prints. */
const OF_FILTER = /sienna|clearance|twelve/

const role = (dls: string): object => ({
  cluster_permissions: ['cluster_composite_ops'],
  index_permissions: [{ index_patterns: ['notes'], dls, allowed_actions: ['indices:*'] }],
})

beforeAll(async () => {
  const { rest } = secured()
  await rest.call('PUT /notes', {
    settings: { number_of_shards: 1 },
    mappings: {
      properties: {
        note: { type: 'text' },
        clearance: { type: 'text' },
        n: { type: 'integer' },
      },
    },
  })
  await rest.call(
    'POST /_bulk?refresh',
    ndjson(
      { index: { _index: 'notes', _id: '1' } },
      { note: 'amber fox', clearance: 'sienna', n: 1 },
      { index: { _index: 'notes', _id: '2' } },
      { note: 'amber cat', clearance: 'umber', n: 2 },
    ),
  )
  await addRole(rest, 'siennas', role('{"match":{"clearance":"sienna"}}'))
  await addRole(rest, 'unfit', role('{"term":{"n":"twelve"}}'))
  await addUser(rest, 'rhea', { opendistro_security_roles: ['siennas'] })
  await addUser(rest, 'otto', { opendistro_security_roles: ['unfit'] })
})

const asked = async (line: string, body: object): Promise<Reply> => {
  const reply = await secured().as('rhea', line, body)
  expect([line, reply.text]).toEqual([line, expect.not.stringMatching(OF_FILTER)])
  return reply
}

const query = { match: { note: 'fox' } }

describe('a filter of a role', () => {
  it('is no part of the explanation of a hit, whose score it does not change', async () => {
    const { json } = await asked('GET /notes/_search', { query, explain: true, _source: false })
    const [hit] = json.hits.hits
    expect(hit._explanation.value).toBe(hit._score)
    expect(hit._explanation.description).toMatch(/^weight\(note:fox in 0\)/)
    const whole = await secured().as('admin', 'GET /notes/_search', { query, explain: true })
    expect(hit._explanation).toEqual(whole.json.hits.hits[0]._explanation)
  })

  it('is no part of why one document matches, or does not', async () => {
    const matched = await asked('GET /notes/_explain/1', { query })
    expect([matched.json.matched, matched.json.explanation.description]).toEqual([
      true,
      expect.stringMatching(/^weight\(note:fox in 0\)/),
    ])
    const missed = await asked('GET /notes/_explain/1', { query: { match: { note: 'cat' } } })
    expect([missed.json.matched, missed.json.explanation.description]).toEqual([
      false,
      'no matching term',
    ])
    const hidden = await asked('GET /notes/_explain/2', { query: { match: { note: 'cat' } } })
    expect([hidden.status, hidden.json.matched]).toEqual([404, false])
  })

  it('marks nothing in texts', async () => {
    const fields = { '*': { require_field_match: false } }
    for (const type of ['unified', 'plain', 'fvh']) {
      const { json } = await asked('GET /notes/_search', {
        query,
        _source: false,
        highlight: { type, fields: type === 'fvh' ? { note: { type: 'unified' } } : fields },
      })
      expect(json.hits.hits[0].highlight).toEqual({ note: ['amber <em>fox</em>'] })
    }
  })

  it('is no part of the query that is checked, named, or profiled', async () => {
    const { json } = await asked('GET /notes/_validate/query?explain=true', { query })
    expect(json.explanations[0].explanation).toBe('note:fox')
    const named = await asked('GET /notes/_search', {
      query: { match: { note: { query: 'fox', _name: 'mine' } } },
      _source: false,
    })
    expect(named.json.hits.hits[0].matched_queries).toEqual(['mine'])
    const profiled = await asked('GET /notes/_search', { query, profile: true })
    expect(profiled.status).toBe(403)
  })

  it.each([
    ['GET /notes/_search', { query }],
    ['GET /notes/_count', { query }],
    ['GET /notes/_explain/1', { query }],
    ['GET /notes/_doc/1', undefined],
    ['POST /notes/_delete_by_query', { query }],
  ] as const)('that does not fit the index is not told by %s', async (line, body) => {
    const { status, text } = await secured().as('otto', line, body)
    expect([status, text]).toEqual([
      403,
      expect.stringContaining('A document restriction does not fit the index'),
    ])
    expect(text).not.toMatch(OF_FILTER)
  })
})
