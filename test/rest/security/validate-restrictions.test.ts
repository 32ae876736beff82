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
  await addUser(rest, 'rhea', roles('reds'))
  await addUser(rest, 'seer', roles('free'))
})

describe('_validate/query with document restrictions', () => {
  const joins = { has_child: { type: 'b', query: { match_all: {} } } }

  it.each(['explain=true', 'rewrite=true', 'explain=true&rewrite=true', ''])(
    'refuses joins with [%s], as a search does',
    async parameters => {
      const answer = await secured().as('rhea', `GET /files/_validate/query?${parameters}`, {
        query: joins,
      })
      expect([answer.status, answer.text]).toEqual([
        403,
        expect.stringContaining('Joining is not supported when DLS is activated'),
      ])
      const { status } = await secured().as('rhea', 'POST /files/_search', { query: joins })
      expect(status).toBe(403)
    },
  )

  it('answers all others', async () => {
    const line = 'GET /files/_validate/query?rewrite=true'
    const plain = await secured().as('rhea', line, { query: { term: { team: 'red' } } })
    expect([plain.status, plain.json.valid]).toEqual([200, true])
    const whole = await secured().as('seer', line, { query: joins })
    expect([whole.status, whole.json.valid]).toEqual([200, true])
  })
})
