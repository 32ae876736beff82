import { beforeAll, describe, expect, it } from 'vitest'
import { addRole, addUser, securedForFile } from '../../support/secured-rest.ts'

const secured = securedForFile()
const roles = (...names: string[]): object => ({ opendistro_security_roles: names })

beforeAll(async () => {
  const { rest } = secured()
  await rest.call('PUT /files', {
    mappings: {
      properties: {
        team: { type: 'keyword' },
        rel: { type: 'join', relations: { a: 'b' } },
      },
    },
  })
  for (const [name, dls] of [
    ['reds', '{"term":{"team":"red"}}'],
    ['free', ''],
  ] as const)
    await addRole(rest, name, {
      cluster_permissions: ['cluster_composite_ops'],
      index_permissions: [{ index_patterns: ['files'], dls, allowed_actions: ['indices:*'] }],
    })
  await rest.call('PUT /files/_doc/1?refresh', { team: 'blue' })
  await addUser(rest, 'rhea', roles('reds'))
  await addUser(rest, 'seer', roles('free'))
})

describe('_validate/query with document restrictions', () => {
  const joins = { has_child: { type: 'b', query: { match_all: {} } } }

  it.each(['explain=true', ''])('takes joins with [%s], as a search does', async parameters => {
    const answer = await secured().as('rhea', `GET /files/_validate/query?${parameters}`, {
      query: joins,
    })
    expect([answer.status, answer.json.valid]).toEqual([200, true])
    const { status } = await secured().as('rhea', 'POST /files/_search', { query: joins })
    expect(status).toBe(200)
  })

  it('tells the query of the caller, and nothing of that of his role', async () => {
    const line = 'GET /files/_validate/query?explain=true'
    const { json } = await secured().as('rhea', line, { query: { term: { team: 'blue' } } })
    expect(json.explanations).toEqual([
      { index: 'files', valid: true, explanation: 'ConstantScore(team:blue)' },
    ])
  })

  // What a fuzzy term is rewritten to are terms of hidden documents.
  it.each(['rewrite=true', 'explain=true&rewrite=true', 'rewrite=true&all_shards=true'])(
    'refuses to rewrite with [%s]',
    async parameters => {
      const line = `GET /files/_validate/query?${parameters}`
      const query = { fuzzy: { team: 'blu' } }
      const answer = await secured().as('rhea', line, { query })
      expect([answer.status, answer.text]).toEqual([
        403,
        expect.stringContaining('Rewriting is not supported when DLS is activated'),
      ])
      expect(answer.text).not.toContain('blue')
      const whole = await secured().as('seer', line, { query })
      expect([whole.status, whole.text]).toEqual([200, expect.stringContaining('blue')])
    },
  )
})
