import { beforeAll, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../../../src/rest/routes.ts'
import { ndjson, openRest } from '../../support/rest-calls.ts'
import { addRole, addUser, securedForFile } from '../../support/secured-rest.ts'

const secured = securedForFile()
const ALLOWED = { accessAllowed: true, missingPrivileges: [] }
const missing = (...missingPrivileges: string[]): object => ({
  accessAllowed: false,
  missingPrivileges,
})

beforeAll(async () => {
  const { rest } = secured()
  for (const index of ['logs', 'secret']) await rest.call(`PUT /${index}/_doc/1?refresh`, { n: 1 })
  await addRole(rest, 'writer', {
    cluster_permissions: ['cluster_composite_ops'],
    index_permissions: [{ index_patterns: ['logs*'], allowed_actions: ['crud'] }],
  })
  await addUser(rest, 'walt', { opendistro_security_roles: ['writer'] })
  await addUser(rest, 'none')
})

/** The answer to the question, and that to the same question without one. */
const ask = async (user: string, line: string, body?: object | string): Promise<unknown> => {
  const mark = line.includes('?') ? '&' : '?'
  const { status, json } = await secured().as(
    user,
    `${line}${mark}perform_permission_check=true`,
    body,
  )
  expect([line, status]).toEqual([line, 200])
  return json
}
const countOf = async (index: string): Promise<number> => {
  const { rest } = secured()
  await rest.call(`POST /${index}/_refresh`)
  return (await rest.call(`GET /${index}/_count`)).json.count
}

describe('perform_permission_check', () => {
  it('tells whether a request may be made, and makes none', async () => {
    expect(await ask('walt', 'PUT /logs/_doc/2', { n: 2 })).toEqual(ALLOWED)
    expect(await ask('walt', 'DELETE /logs/_doc/1')).toEqual(ALLOWED)
    expect(await ask('walt', 'POST /logs/_update/1', { doc: { n: 5 } })).toEqual(ALLOWED)
    expect(await ask('walt', 'DELETE /logs')).toEqual(missing('indices:admin/delete'))
    expect(await ask('walt', 'PUT /secret/_doc/2', { n: 2 })).toEqual(
      missing('indices:data/write/index'),
    )
    expect(await ask('none', 'GET /logs/_search')).toEqual(missing('indices:data/read/search'))
    expect(await ask('walt', 'GET /logs/_search')).toEqual(ALLOWED)
    expect(await ask('walt', 'PUT /_cluster/settings', { persistent: {} })).toEqual(
      missing('cluster:admin/settings/update'),
    )
    expect([await countOf('logs'), await countOf('secret')]).toEqual([1, 1])
    const { json } = await secured().rest.call('GET /logs/_doc/1')
    expect([json._source, json._version]).toEqual([{ n: 1 }, 1])
  })

  it('asks of requests of several parts, and of work that goes on, for the permission of the whole', async () => {
    const lines = ndjson(
      { index: { _index: 'logs' } },
      { n: 3 },
      { delete: { _index: 'logs', _id: '1' } },
    )
    expect(await ask('walt', 'POST /_bulk', lines)).toEqual(ALLOWED)
    expect(await ask('none', 'POST /_bulk', lines)).toEqual(missing('indices:data/write/bulk'))
    const all = { query: { match_all: {} } }
    const work = 'POST /logs/_delete_by_query?wait_for_completion=false'
    expect(await ask('walt', work, all)).toMatchObject({ accessAllowed: expect.any(Boolean) })
    expect(await ask('none', work, all)).toMatchObject({ accessAllowed: false })
    expect(await ask('none', 'POST /logs/_forcemerge?wait_for_completion=false')).toEqual(
      missing('indices:admin/forcemerge'),
    )
    expect(await countOf('logs')).toBe(1)
  })

  it('changes no account and no documents of security', async () => {
    const change = { current_password: 'x', password: 'y' }
    expect(await ask('walt', 'PUT /_plugins/_security/api/account', change)).toEqual(ALLOWED)
    const role = 'PUT /_plugins/_security/api/roles/own'
    expect(await ask('walt', role, {})).toEqual(missing('restapi:admin/roles'))
    expect((await secured().rest.call('GET /_plugins/_security/api/roles/own')).status).toBe(404)
  })

  it('changes nothing by any endpoint, for one who may do everything', async () => {
    const { rest, as } = secured()
    await addUser(rest, 'root', { opendistro_security_roles: ['all_access'] })
    const before = [rest.engine.cluster.stateVersion, await countOf('logs')]
    const statuses = new Set<number>()
    for (const { routes, body } of ENDPOINTS)
      for (const [method, path] of routes) {
        const line = `${method} ${path.replace(/\{\w+\}/g, 'logs')}?perform_permission_check=true`
        const sent = body === 'none' ? undefined : body === 'lines' ? '{}\n{}\n' : {}
        const { status, json } = await as('root', line, sent)
        statuses.add(status)
        if (status === 200 && method !== 'HEAD') expect([line, json]).toEqual([line, ALLOWED])
      }
    expect([...statuses]).toContain(200)
    expect([rest.engine.cluster.stateVersion, await countOf('logs')]).toEqual(before)
  })

  it('refuses what is no request, as without it', async () => {
    const { as } = secured()
    const line = 'GET /logs/_search?perform_permission_check'
    expect((await as('walt', `${line}&what=1`)).status).toBe(400)
    expect((await as('walt', `${line}=maybe`)).status).toBe(400)
    expect((await as('walt', line, { query: 5 })).status).toBe(400)
    expect((await as('walt', `${line}=false`)).json.hits.total.value).toBe(1)
    expect((await as('walt', `${line}&filter_path=accessAllowed`)).json).toEqual({
      accessAllowed: true,
    })
  })

  it('lets the program itself do everything, and is no parameter where nobody is asked for a user', async () => {
    const { json } = await secured().rest.call('DELETE /logs?perform_permission_check=true')
    expect(json).toEqual(ALLOWED)
    expect(await countOf('logs')).toBe(1)
    const open = await openRest()
    try {
      const { status, json } = await open.call('DELETE /logs?perform_permission_check=true')
      expect([status, json.error.reason]).toEqual([
        400,
        expect.stringContaining('unrecognized parameter: [perform_permission_check]'),
      ])
    } finally {
      await open.close()
    }
  })
})
