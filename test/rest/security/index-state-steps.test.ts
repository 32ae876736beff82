import { afterAll, beforeAll, expect, it } from 'vitest'
import { addRole, addUser, openSecured, type SecuredRest } from '../../support/secured-rest.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const ISM = '/_plugins/_ism'
const path = `${tempFolder('ism-steps')}/node`

let now = Date.UTC(2026, 0, 1)
let secured: SecuredRest

const open = (): Promise<SecuredRest> =>
  openSecured({}, path, {}, { now: () => now, everyMillis: () => () => {} })

/** Runs every job once. */
async function sweep(): Promise<void> {
  now += 3_600_000
  await secured.rest.services.ism.sweep()
}

const deleting = (patterns: readonly string[] = []): object => ({
  policy: {
    description: 'd',
    default_state: 'a',
    states: [{ name: 'a', actions: [{ retry: { count: 0 }, delete: {} }], transitions: [] }],
    ...(patterns.length === 0 ? {} : { ism_template: [{ index_patterns: patterns }] }),
  },
})
const exists = async (index: string): Promise<boolean> =>
  (await secured.rest.call(`HEAD /${index}`)).status === 200
const infoOf = async (index: string): Promise<unknown> =>
  (await secured.rest.call(`GET ${ISM}/explain/${index}`)).json[index].info

/** May write policies, and put indices of a pattern under them; deletes none. */
const keeper = (...more: object[]): object => ({
  cluster_permissions: ['cluster:admin/opendistro/ism/*'],
  index_permissions: [
    {
      index_patterns: ['mine-*'],
      allowed_actions: ['indices:admin/opensearch/ism/managedindex'],
    },
    ...more,
  ],
})

beforeAll(async () => {
  secured = await open()
  const { rest } = secured
  await addRole(rest, 'keeper', keeper())
  await addUser(rest, 'kim', { opendistro_security_roles: ['keeper'] })
})
afterAll(() => secured.close())

const DENIED = (index: string, user: string): object => ({
  message: `Failed to delete index [index=${index}]`,
  cause: expect.stringContaining(
    `no permissions for [indices:admin/delete] and User [name=${user}, backend_roles=[]`,
  ),
})

it('takes steps in the name of who wrote the template, after a restart too', async () => {
  const put = await secured.as('kim', `PUT ${ISM}/policies/gone`, deleting(['theirs-*']))
  expect(put.status).toBe(201)
  expect(put.text).not.toContain('kim')
  await secured.as('admin', 'PUT /theirs-1')
  await sweep()
  await secured.close()
  secured = await open()
  await sweep()
  await sweep()
  expect(await infoOf('theirs-1')).toEqual(DENIED('theirs-1', 'kim'))
  expect(await exists('theirs-1')).toBe(true)
})

it('takes steps in the name of who put an index under a policy, whoever wrote it', async () => {
  await secured.as('admin', `PUT ${ISM}/policies/end`, deleting())
  for (const index of ['mine-1', 'mine-2']) await secured.rest.call(`PUT /${index}`)
  const body = { policy_id: 'end' }
  expect((await secured.as('kim', `POST ${ISM}/add/mine-1`, body)).json.updated_indices).toBe(1)
  expect((await secured.as('admin', `POST ${ISM}/add/mine-2`, body)).json.updated_indices).toBe(1)
  for (let run = 0; run < 3; run++) await sweep()
  expect(await infoOf('mine-1')).toEqual(DENIED('mine-1', 'kim'))
  expect([await exists('mine-1'), await exists('mine-2')]).toEqual([true, false])
})

it('goes by the permissions of the moment, and a user who is gone has none', async () => {
  const more = { index_patterns: ['mine-*'], allowed_actions: ['indices:admin/delete'] }
  await addRole(secured.rest, 'keeper', keeper(more))
  await secured.as('kim', `POST ${ISM}/retry/mine-1`)
  for (let run = 0; run < 2; run++) await sweep()
  expect(await exists('mine-1')).toBe(false)

  await addUser(secured.rest, 'lee', { opendistro_security_roles: ['keeper'] })
  await secured.rest.call('PUT /mine-3')
  await secured.as('lee', `POST ${ISM}/add/mine-3`, { policy_id: 'end' })
  await secured.rest.call('DELETE /_plugins/_security/api/internalusers/lee')
  for (let run = 0; run < 3; run++) await sweep()
  expect(await infoOf('mine-3')).toEqual(DENIED('mine-3', 'lee'))
  expect(await exists('mine-3')).toBe(true)
})

it('passes over to the name of who changes the policy', async () => {
  const idle = { default_state: 'a', states: [{ name: 'a', actions: [], transitions: [] }] }
  await secured.as('admin', `PUT ${ISM}/policies/idle`, { policy: { description: 'd', ...idle } })
  await addRole(secured.rest, 'keeper', keeper())
  await secured.rest.call('PUT /mine-4')
  await secured.as('admin', `POST ${ISM}/add/mine-4`, { policy_id: 'idle' })
  const change = { policy_id: 'end' }
  const { json } = await secured.as('kim', `POST ${ISM}/change_policy/mine-4`, change)
  expect(json.updated_indices).toBe(1)
  for (let run = 0; run < 4; run++) await sweep()
  expect(await infoOf('mine-4')).toEqual(DENIED('mine-4', 'kim'))
  expect(await exists('mine-4')).toBe(true)
})
