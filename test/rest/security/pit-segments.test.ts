import { expect, it } from 'vitest'
import { addRole, addUser, securedForFile } from '../../support/secured-rest.ts'

const secured = securedForFile()

it('shows the segments of points in time to those alone who hold them, while they may', async () => {
  const { rest, as } = secured()
  await rest.call('PUT /logs/_doc/1?refresh', { n: 1 })
  const monitor = (pattern: string): object => ({
    index_permissions: [
      { index_patterns: [pattern], allowed_actions: ['read', 'indices:monitor/*', 'search'] },
    ],
  })
  await addRole(rest, 'watching', monitor('logs'))
  await addRole(rest, 'reading', {
    index_permissions: [{ index_patterns: ['logs'], allowed_actions: ['read'] }],
  })
  for (const name of ['wilma', 'other'])
    await addUser(rest, name, { opendistro_security_roles: ['watching'] })
  await addUser(rest, 'rita', { opendistro_security_roles: ['reading'] })
  const opened = await as('wilma', 'POST /logs/_search/point_in_time?keep_alive=5m')
  const { pit_id } = opened.json
  const all = 'GET /_cat/pit_segments/_all?h=index,segment'
  const one = 'GET /_cat/pit_segments?h=index,segment'
  expect((await as('wilma', all)).text).toBe('logs _0\n')
  expect((await as('wilma', one, { pit_id })).text).toBe('logs _0\n')
  expect((await as('other', all)).text).toBe('')
  expect((await as('other', one, { pit_id })).text).toBe('')
  const { status, json } = await as('rita', all)
  expect([status, json.error.reason]).toEqual([
    403,
    expect.stringContaining('no permissions for [indices:monitor/point_in_time/segments]'),
  ])
  await addRole(rest, 'watching', monitor('others'))
  expect((await as('wilma', all)).status).toBe(403)
})
