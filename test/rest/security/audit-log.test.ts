import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LogLine } from '../../../src/engine/api/log-line.ts'
import {
  addRole,
  addUser,
  basicAuth,
  openSecured,
  passwordOf,
  type SecuredRest,
} from '../../support/secured-rest.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder('audit')
const lines: LogLine[] = []
const texts: string[] = []
let secured: SecuredRest
beforeAll(async () => {
  const settings = {
    'plugins.security.audit.type': 'log4j',
    'plugins.security.audit.config.disabled_rest_categories': 'GRANTED_PRIVILEGES',
  }
  secured = await openSecured(settings, folder, { onLog: line => lines.push(line) })
  await addRole(secured.rest, 'logs', {
    index_permissions: [{ index_patterns: ['logs-*'], allowed_actions: ['read'] }],
  })
  await addUser(secured.rest, 'ann', { opendistro_security_roles: ['logs'] })
  await secured.rest.call('PUT /secret/_doc/1', { n: 1 })
  lines.length = 0
})
afterAll(() => secured.close())

/** Events since the last call, without what differs from run to run. */
function events(): unknown[] {
  return lines.splice(0).map(({ logger, level, message }) => {
    expect([logger, level, message.includes('\n')]).toEqual(['audit', 'INFO', false])
    texts.push(message)
    const { '@timestamp': time, audit_node_id: id, ...event } = JSON.parse(message)
    expect([Number.isNaN(Date.parse(time)), typeof id]).toEqual([false, 'string'])
    return event
  })
}
const common = {
  audit_cluster_name: 'lamella',
  audit_node_name: 'lamella-0',
  audit_format_version: 4,
  audit_request_origin: 'REST',
  audit_request_layer: 'REST',
  audit_request_remote_address: '127.0.0.1',
}

it('tells who was let in, who was not, and what was refused', async () => {
  await secured.as('ann', 'GET /secret/_search?q=parameter')
  expect(events()).toEqual([
    {
      ...common,
      audit_category: 'AUTHENTICATED',
      audit_request_effective_user: 'ann',
      audit_rest_request_method: 'GET',
      audit_rest_request_path: '/secret/_search',
    },
    {
      ...common,
      audit_category: 'MISSING_PRIVILEGES',
      audit_request_effective_user: 'ann',
      audit_rest_request_method: 'GET',
      audit_rest_request_path: '/secret/_search',
      audit_request_privilege: 'indices:data/read/search',
      audit_trace_resolved_indices: ['secret'],
      audit_request_user_roles: ['logs'],
    },
  ])
  await secured.as(null, 'DELETE /secret')
  const headers = { authorization: basicAuth('ann', 'wrong-secret') }
  await secured.as(null, 'DELETE /secret', undefined, headers)
  expect(events()).toMatchObject([
    { audit_category: 'FAILED_LOGIN', audit_request_effective_user: '<NONE>' },
    { audit_category: 'FAILED_LOGIN', audit_request_effective_user: 'ann' },
  ])
})

it('tells who changed users and roles, and nothing of what was refused', async () => {
  const path = '/_plugins/_security/api/internalusers/bob'
  await secured.as('admin', `PUT ${path}`, { password: 'short' })
  await secured.as('admin', `PUT ${path}`, { password: passwordOf('bob') })
  const writes = events().filter(event => JSON.stringify(event).includes('CONFIG_WRITE'))
  expect(writes).toEqual([
    {
      ...common,
      audit_category: 'COMPLIANCE_INTERNAL_CONFIG_WRITE',
      audit_request_effective_user: 'admin',
      audit_rest_request_method: 'PUT',
      audit_rest_request_path: path,
    },
  ])
})

it('keeps lines whole, whatever a user is called', async () => {
  const headers = { authorization: basicAuth('a"}, {"b"\u2028', 'x') }
  await secured.as(null, 'GET /', undefined, headers)
  expect(events()).toMatchObject([{ audit_request_effective_user: 'a"}, {"b"\u2028' }])
})

it('leaves no password in a log, an answer, a task or a file', async () => {
  const secrets = [passwordOf('admin'), passwordOf('ann'), passwordOf('bob'), 'wrong-secret']
  for (const line of [
    'GET /_tasks?detailed',
    'GET /_nodes',
    'GET /_nodes/stats',
    'GET /_cluster/state',
    'GET /_cluster/settings?include_defaults=true',
    'GET /_plugins/_security/api/internalusers',
    'GET /_plugins/_security/authinfo?verbose',
    'PUT /_plugins/_security/api/internalusers/bob',
  ])
    texts.push((await secured.as('admin', line)).text)
  events()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
  expect(files.length).toBeGreaterThan(3)
  for (const secret of secrets) {
    const forms = [secret, Buffer.from(secret).toString('base64').slice(0, -4)]
    for (const form of forms)
      for (const text of [...texts, ...files]) expect(text.includes(form)).toBe(false)
  }
})

it('writes nothing unless it is told to', async () => {
  const quiet: LogLine[] = []
  const other = await openSecured({}, null, { onLog: line => quiet.push(line) })
  await other.as(null, 'GET /')
  expect(quiet).toEqual([])
  await other.close()
})
