import { beforeAll, expect, it } from 'vitest'
import { addRole, addUser, securedForFile } from '../../support/secured-rest.ts'

const ISM = '/_plugins/_ism'
const secured = securedForFile()

const policy = {
  description: 'd',
  default_state: 'a',
  states: [{ name: 'a', actions: [{ delete: {} }], transitions: [] }],
}

beforeAll(async () => {
  const { rest } = secured()
  for (const index of ['mine-1', 'theirs-1']) await rest.call(`PUT /${index}`)
  await rest.call(`PUT ${ISM}/policies/gone`, { policy })
  await rest.call(`POST ${ISM}/add/theirs-1`, { policy_id: 'gone' })
  await addRole(rest, 'keeper', {
    cluster_permissions: ['cluster:admin/opendistro/ism/*'],
    index_permissions: [
      {
        index_patterns: ['mine-*'],
        allowed_actions: ['indices:admin/opensearch/ism/managedindex'],
      },
    ],
  })
  await addRole(rest, 'reader', {
    cluster_permissions: ['cluster:admin/opendistro/ism/policy/get'],
    index_permissions: [{ index_patterns: ['mine-*'], allowed_actions: ['read'] }],
  })
  await addUser(rest, 'kim', { opendistro_security_roles: ['keeper'] })
  await addUser(rest, 'rae', { opendistro_security_roles: ['reader'] })
})

it('puts under a policy what its user may, and nothing else', async () => {
  const { as } = secured()
  const body = { policy_id: 'gone' }
  expect((await as('kim', `POST ${ISM}/add/mine-1`, body)).json).toMatchObject({
    updated_indices: 1,
  })
  for (const line of ['add', 'remove', 'change_policy', 'retry'])
    expect((await as('kim', `POST ${ISM}/${line}/theirs-1`, body)).status).toBe(403)
  expect((await as('admin', `GET ${ISM}/explain/theirs-1`)).json['theirs-1']).toMatchObject({
    policy_id: 'gone',
    enabled: true,
  })
})

it('tells of the indices that its user may manage', async () => {
  const { as } = secured()
  const { json } = await as('kim', `GET ${ISM}/explain`)
  expect(Object.keys(json)).toEqual(['mine-1', 'total_managed_indices'])
  expect(json.total_managed_indices).toBe(1)
  expect((await as('kim', `GET ${ISM}/explain/theirs-1`)).status).toBe(403)
})

it('simulates on the indices that its user may manage', async () => {
  const { as } = secured()
  const simulate = (user: string, index: string): ReturnType<typeof as> =>
    as(user, `POST ${ISM}/simulate`, { policy_id: 'gone', indices: [index] })
  const names = async (index: string): Promise<unknown[]> =>
    (await simulate('kim', index)).json.simulate_results.map(
      (each: { index_name: string }) => each.index_name,
    )
  expect(await names('mine-1')).toEqual(['mine-1'])
  expect(await names('mine-*')).toEqual(['mine-1'])
  expect((await simulate('kim', '*')).status).toBe(403)
  expect((await simulate('kim', 'theirs-1')).status).toBe(403)
  expect((await simulate('rae', 'mine-1')).status).toBe(403)
})

it('asks for the action of each endpoint', async () => {
  const { as } = secured()
  expect((await as('rae', `GET ${ISM}/policies/gone`)).status).toBe(200)
  for (const line of [
    `GET ${ISM}/policies`,
    `DELETE ${ISM}/policies/gone`,
    `POST ${ISM}/add/mine-1`,
    `POST ${ISM}/remove/mine-1`,
    `GET ${ISM}/explain/mine-1`,
  ])
    expect([line, (await as('rae', line)).status]).toEqual([line, 403])
  expect((await as('rae', `PUT ${ISM}/policies/new`, { policy })).status).toBe(403)
  expect((await as(null, `GET ${ISM}/explain`)).status).toBe(401)
})
