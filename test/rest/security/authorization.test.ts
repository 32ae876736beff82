import { beforeAll, describe, expect, it } from 'vitest'
import { ndjson } from '../../support/rest-calls.ts'
import { addRole, addUser, securedForFile } from '../../support/secured-rest.ts'

const secured = securedForFile()

const reader = (patterns: readonly string[], actions: readonly string[] = ['read']): object => ({
  cluster_permissions: ['cluster_composite_ops'],
  index_permissions: [{ index_patterns: patterns, allowed_actions: actions }],
})

/** Status, and the reason of an error. */
const outcome = async (user: string, line: string, body?: object | string): Promise<unknown[]> => {
  const { status, json } = await secured().as(user, line, body)
  return json?.error === undefined ? [status] : [status, json.error.reason ?? json.error]
}
const refusal = (action: string, user: string): unknown[] => [
  403,
  `no permissions for [${action}] and User [name=${user}, backend_roles=[], requestedTenant=null]`,
]

beforeAll(async () => {
  const { rest } = secured()
  for (const index of ['logs-1', 'logs-2', 'secret', 'rita'])
    await rest.call(`PUT /${index}/_doc/1?refresh`, { n: 1 })
  await rest.call('POST /_aliases', {
    actions: [
      { add: { index: 'logs-1', alias: 'shown' } },
      { add: { indices: ['logs-1', 'secret'], alias: 'mixed' } },
    ],
  })
  await addRole(rest, 'logs', reader(['logs-*']))
  await addRole(rest, 'writer', reader(['logs-*'], ['crud', 'create_index']))
  await addRole(rest, 'by-alias', reader(['shown']))
  await addRole(rest, 'one-sign', reader(['logs-?']))
  await addRole(rest, 'own', reader([`\${user.name}`]))
  await addRole(rest, 'team', reader([`logs-\${attr.internal.team}`]))
  await addRole(rest, 'monitor', { cluster_permissions: ['cluster_monitor'] })
  const roles = (...names: string[]): object => ({ opendistro_security_roles: names })
  await addUser(rest, 'lena', roles('logs'))
  await addUser(rest, 'walt', roles('writer'))
  await addUser(rest, 'alia', roles('by-alias'))
  await addUser(rest, 'ones', roles('one-sign'))
  await addUser(rest, 'rita', roles('own'))
  await addUser(rest, '*', roles('own'))
  await addUser(rest, 'teamed', { ...roles('team'), attributes: { team: '2' } })
  await addUser(rest, 'wildly', { ...roles('team'), attributes: { team: '*' } })
  await addUser(rest, 'none')
  await addUser(rest, 'mona', roles('monitor'))
})

describe('an action on an index', () => {
  it('is denied to a user without roles', async () => {
    const action = 'indices:data/read/search'
    expect(await outcome('none', 'GET /logs-1/_search')).toEqual(refusal(action, 'none'))
    expect(await outcome('none', 'GET /no-such/_search')).toEqual(refusal(action, 'none'))
    expect(await outcome('none', 'GET /_search')).toEqual(refusal(action, 'none'))
  })

  it('is allowed where a pattern of a role has the index', async () => {
    expect(await outcome('lena', 'GET /logs-1/_search')).toEqual([200])
    expect(await outcome('lena', 'GET /logs-*/_search')).toEqual([200])
    expect(await outcome('lena', 'GET /logs-1/_doc/1')).toEqual([200])
  })

  it('is denied on every other index, and on all together', async () => {
    const denied = refusal('indices:data/read/search', 'lena')
    for (const names of [
      'secret',
      'logs-1,secret',
      '*',
      '_all',
      'mixed',
      's*',
      'logs-*,-logs-9,secret',
    ])
      expect([names, await outcome('lena', `GET /${names}/_search`)]).toEqual([names, denied])
    expect(await outcome('lena', 'GET /secret/_doc/1')).toEqual(
      refusal('indices:data/read/get', 'lena'),
    )
  })

  it('is denied where the role does not have the action', async () => {
    const { status, json } = await secured().as('lena', 'PUT /logs-1/_doc/2', { n: 2 })
    expect([status, json.error.reason]).toEqual(refusal('indices:data/write/index', 'lena'))
    expect(await outcome('lena', 'DELETE /logs-1')).toEqual(refusal('indices:admin/delete', 'lena'))
  })

  it('is allowed on an index by the name of its alias, as the alias and as the index', async () => {
    expect(await outcome('alia', 'GET /shown/_search')).toEqual([200])
    expect(await outcome('alia', 'GET /logs-1/_search')).toEqual([200])
    expect((await outcome('alia', 'GET /mixed/_search'))[0]).toBe(403)
    expect((await outcome('alia', 'GET /logs-2/_search'))[0]).toBe(403)
  })

  it('is allowed by a pattern of one unknown character, and by names of the user', async () => {
    expect(await outcome('ones', 'GET /logs-1,logs-2/_search')).toEqual([200])
    expect(await outcome('rita', 'GET /rita/_search')).toEqual([200])
    expect(await outcome('teamed', 'GET /logs-2/_search')).toEqual([200])
    expect((await outcome('teamed', 'GET /logs-1/_search'))[0]).toBe(403)
  })

  it('takes no wildcard out of a name of the user', async () => {
    for (const name of ['*', 'wildly'])
      expect((await outcome(name, 'GET /logs-1/_search'))[0]).toBe(403)
  })

  it('is decided for each operation of a bulk', async () => {
    const body = ndjson(
      { index: { _index: 'logs-1', _id: 'a' } },
      { n: 1 },
      { index: { _index: 'secret', _id: 'a' } },
      { n: 1 },
      { delete: { _index: 'secret', _id: '1' } },
    )
    const { status, json } = await secured().as('walt', 'POST /_bulk?refresh', body)
    expect(status).toBe(200)
    expect(json.items.map((item: object) => Object.values(item)[0].status)).toEqual([201, 403, 403])
    expect((await secured().rest.call('GET /secret/_count')).json.count).toBe(1)
  })

  it('is decided for each search of several, and each document of several', async () => {
    const lines = ndjson({ index: 'logs-1' }, {}, { index: 'secret' }, {})
    const { json } = await secured().as('lena', 'GET /_msearch', lines)
    expect(json.responses.map((one: { status: number }) => one.status)).toEqual([200, 403])
    const docs = [
      { _index: 'logs-1', _id: '1' },
      { _index: 'secret', _id: '1' },
    ]
    const got = await secured().as('lena', 'GET /_mget', { docs })
    expect(got.json.docs[0].found).toBe(true)
    expect(got.json.docs[1].error.type).toBe('security_exception')
    expect(got.text).not.toContain('"n":1}},{"_index":"secret","_id":"1","_version"')
  })

  it('lets nobody make an index outside his patterns, not even by a write', async () => {
    expect(await outcome('walt', 'PUT /logs-9')).toEqual([200])
    expect((await outcome('walt', 'PUT /other'))[0]).toBe(403)
    expect((await outcome('walt', 'PUT /other/_doc/1', {}))[0]).toBe(403)
    expect((await secured().rest.call('HEAD /other')).status).toBe(404)
  })
})

describe('an action on the cluster', () => {
  it('is denied without a permission for it', async () => {
    expect(await outcome('lena', 'GET /_cluster/health')).toEqual(
      refusal('cluster:monitor/health', 'lena'),
    )
    expect(await outcome('lena', 'PUT /_cluster/settings', { persistent: {} })).toEqual(
      refusal('cluster:admin/settings/update', 'lena'),
    )
  })

  it('is allowed by a group of actions', async () => {
    expect(await outcome('mona', 'GET /_cluster/health')).toEqual([200])
    expect(await outcome('mona', 'GET /')).toEqual([200])
    expect((await outcome('mona', 'PUT /_cluster/settings', { persistent: {} }))[0]).toBe(403)
  })

  it('is an analysis without an index, one with an index is of that', async () => {
    const text = { analyzer: 'standard', text: 'a b' }
    expect(await outcome('lena', 'GET /_analyze', text)).toEqual(
      refusal('cluster:admin/analyze', 'lena'),
    )
    expect((await outcome('walt', 'GET /logs-1/_analyze', text))[0]).toBe(403)
    expect(await outcome('admin', 'GET /_analyze', text)).toEqual([200])
    expect(await outcome('admin', 'GET /logs-1/_analyze', text)).toEqual([200])
  })
})

describe('what a user holds', () => {
  it('is a scroll of nobody else', async () => {
    await addUser(secured().rest, 'lars', { opendistro_security_roles: ['logs'] })
    const { json } = await secured().as('lena', 'GET /logs-*/_search?scroll=1m&size=1')
    const next = { scroll: '1m', scroll_id: json._scroll_id }
    expect((await secured().as('lars', 'POST /_search/scroll', next)).status).toBe(404)
    expect((await secured().as('admin', 'POST /_search/scroll', next)).status).toBe(404)
    expect((await secured().as('lena', 'POST /_search/scroll', next)).json.hits.hits).toHaveLength(
      1,
    )
  })

  it('is a point in time of nobody else', async () => {
    await addRole(secured().rest, 'points', reader(['logs-*'], ['manage_point_in_time', 'read']))
    for (const name of ['pia', 'paul'])
      await addUser(secured().rest, name, { opendistro_security_roles: ['points'] })
    const line = 'POST /logs-*/_search/point_in_time?keep_alive=1m'
    const { pit_id: id } = (await secured().as('pia', line)).json
    const body = { pit: { id } }
    expect((await secured().as('paul', 'GET /_search', body)).status).toBe(404)
    expect((await secured().as('pia', 'GET /_search', body)).json.hits.total.value).toBe(3)
    const all = (await secured().as('paul', 'GET /_search/point_in_time/_all')).json
    expect(all.pits).toEqual([])
    await secured().as('paul', 'DELETE /_search/point_in_time/_all')
    expect((await secured().as('pia', 'GET /_search', body)).status).toBe(200)
  })
})

describe('a mapping of roles', () => {
  const roleOf = async (user: string): Promise<string[]> =>
    (await secured().as(user, 'GET /_plugins/_security/authinfo')).json.roles

  it('gives a role by name, backend roles, all of several, and address', async () => {
    const { rest } = secured()
    const path = '/_plugins/_security/api/rolesmapping'
    for (const role of ['m-user', 'm-backend', 'm-both', 'm-host', 'm-other'])
      await addRole(rest, role, { cluster_permissions: [], description: 'a role' })
    await addUser(rest, 'mapped-1', { backend_roles: ['red', 'blue'] })
    await addUser(rest, 'mapped-2', { backend_roles: ['red'] })
    await rest.call(`PUT ${path}/m-user`, { users: ['mapped-?'] })
    await rest.call(`PUT ${path}/m-backend`, { backend_roles: ['blu*'] })
    await rest.call(`PUT ${path}/m-both`, { and_backend_roles: ['red', 'blue'] })
    await rest.call(`PUT ${path}/m-host`, { hosts: ['127.0.*'] })
    await rest.call(`PUT ${path}/m-other`, { hosts: ['10.*'], users: ['somebody'] })
    expect(await roleOf('mapped-1')).toEqual(['m-backend', 'm-both', 'm-host', 'm-user'])
    expect(await roleOf('mapped-2')).toEqual(['m-host', 'm-user'])
    expect(await roleOf('lena')).toEqual(['logs', 'm-host'])
    // A change is seen at once.
    await rest.call(`DELETE ${path}/m-host`)
    expect(await roleOf('lena')).toEqual(['logs'])
  })
})
