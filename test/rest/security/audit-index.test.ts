/** The audit log as an index. */
import { afterEach, describe, expect, it } from 'vitest'
import type { LogLine } from '../../../src/engine/api/log-line.ts'
import { auditIndexNaming } from '../../../src/service/security/audit-index-name.ts'
import { openRest } from '../../support/rest-calls.ts'
import {
  addRole,
  addUser,
  basicAuth,
  openSecured,
  type SecuredRest,
} from '../../support/secured-rest.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const PREFIX = 'plugins.security.audit'
const TYPE = { [`${PREFIX}.type`]: 'internal_opensearch' }

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

async function open(
  settings: Record<string, string> = {},
  folder: string | null = null,
): Promise<{ readonly node: SecuredRest; readonly lines: LogLine[] }> {
  const lines: LogLine[] = []
  const all = { ...TYPE, ...settings }
  const node = await openSecured(all, folder, { onLog: line => lines.push(line) })
  opened.push(() => node.close())
  return { node, lines }
}

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON, looked into by tests
type Event = any

/** The events of an index, in order of their writes; [] where there is none yet. */
async function eventsIn({ rest }: SecuredRest, index = 'security-auditlog-*'): Promise<Event[]> {
  await rest.call(`POST /${index}/_refresh`)
  const { json } = await rest.call(`GET /${index}/_search`, { size: 1000, sort: ['_doc'] })
  return (json.hits?.hits ?? []).map((hit: Event) => hit._source)
}

const until = (events: () => Promise<Event[]>, count: number): Promise<void> =>
  expect.poll(async () => (await events()).length, { timeout: 5_000 }).toBe(count)

const SEEN = {
  [`${PREFIX}.config.disabled_rest_categories`]:
    'GRANTED_PRIVILEGES,COMPLIANCE_INTERNAL_CONFIG_WRITE',
}

describe('events in an index', () => {
  it('are those of the log, in an index of their day', async () => {
    const { node, lines } = await open(SEEN)
    await addRole(node.rest, 'logs', {
      index_permissions: [{ index_patterns: ['logs-*'], allowed_actions: ['read'] }],
    })
    await addUser(node.rest, 'ann', { opendistro_security_roles: ['logs'] })
    await node.rest.call('PUT /secret/_doc/1', { n: 1 })
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '.')
    await node.as('ann', 'GET /secret/_search?q=parameter')
    const headers = { authorization: basicAuth('ann', 'wrong-secret') }
    await node.as(null, 'DELETE /secret', undefined, headers)
    await until(() => eventsIn(node), 3)
    const events = await eventsIn(node, `security-auditlog-${day}`)
    const common = {
      audit_cluster_name: 'lamella',
      audit_node_name: 'lamella-0',
      audit_node_id: expect.any(String),
      audit_format_version: 4,
      audit_request_origin: 'REST',
      audit_request_layer: 'REST',
      '@timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      audit_request_remote_address: '127.0.0.1',
      audit_request_effective_user: 'ann',
    }
    const searched = {
      audit_rest_request_method: 'GET',
      audit_rest_request_path: '/secret/_search',
    }
    expect(events).toEqual([
      { ...common, ...searched, audit_category: 'AUTHENTICATED' },
      {
        ...common,
        ...searched,
        audit_category: 'MISSING_PRIVILEGES',
        audit_request_privilege: 'indices:data/read/search',
        audit_trace_resolved_indices: ['secret'],
        audit_request_user_roles: ['logs'],
      },
      {
        ...common,
        audit_category: 'FAILED_LOGIN',
        audit_rest_request_method: 'DELETE',
        audit_rest_request_path: '/secret',
      },
    ])
    const text = JSON.stringify(await eventsIn(node))
    expect(text).not.toMatch(/wrong-secret|parameter|Correct-Horse|authorization/i)
    // Nothing of it stands in the log of the node.
    expect(lines.filter(({ logger }) => logger === 'audit')).toEqual([])
  })

  it('tell of no write of their own, however long one waits', async () => {
    const { node } = await open({
      [`${PREFIX}.config.disabled_rest_categories`]: 'COMPLIANCE_INTERNAL_CONFIG_WRITE',
    })
    await node.as('admin', 'GET /security-auditlog-*/_search')
    const categories = async (): Promise<string[]> =>
      (await eventsIn(node)).map(event => event.audit_category)
    const wanted = ['AUTHENTICATED', 'GRANTED_PRIVILEGES']
    await expect.poll(categories, { timeout: 5_000 }).toEqual(wanted)
    for (let n = 0; n < 10; n++) {
      await new Promise(done => setTimeout(done, 30))
      expect(await categories()).toEqual(wanted)
    }
  })

  it('may be read by those alone whose roles say so', async () => {
    const { node } = await open(SEEN)
    await addRole(node.rest, 'logs', {
      cluster_permissions: ['cluster_composite_ops'],
      index_permissions: [{ index_patterns: ['logs-*'], allowed_actions: ['*'] }],
    })
    await addUser(node.rest, 'ann', { opendistro_security_roles: ['logs'] })
    await node.as('ann', 'GET /logs-1')
    await expect.poll(async () => (await eventsIn(node)).length).toBeGreaterThan(0)
    for (const line of ['GET /security-auditlog-*/_search', 'DELETE /security-auditlog-*']) {
      const { status, text } = await node.as('ann', line)
      expect([line, status === 403 || !text.includes('audit_category')]).toEqual([line, true])
    }
    expect((await eventsIn(node)).length).toBeGreaterThan(0)
  })

  it('go on in the name that is given, be it an alias', async () => {
    const { node } = await open({ ...SEEN, [`${PREFIX}.config.index`]: 'who-was-here' })
    await node.rest.call('PUT /trail-000001', {
      aliases: { 'who-was-here': { is_write_index: true } },
    })
    await node.as('admin', 'GET /')
    await until(() => eventsIn(node, 'trail-000001'), 1)
    await node.rest.call('POST /who-was-here/_rollover')
    await node.as('admin', 'GET /')
    await until(() => eventsIn(node, 'trail-000002'), 1)
  })

  it('wait where they cannot be written, as many as may, and are lost with a word beyond', async () => {
    const { node, lines } = await open({
      ...SEEN,
      [`${PREFIX}.config.index`]: 'trail',
      [`${PREFIX}.threadpool.max_queue_len`]: '5',
    })
    const headers = { authorization: basicAuth('nobody', 'wrong-secret') }
    const knock = async (times: number): Promise<void> => {
      for (let n = 0; n < times; n++) await node.as(null, `GET /knock-${n}`, undefined, headers)
    }
    await knock(1)
    await until(() => eventsIn(node, 'trail'), 1)
    await node.rest.call('PUT /trail/_settings', { 'index.blocks.write': true })
    await knock(9)
    await expect.poll(() => lines.length).toBe(1)
    await node.rest.call('PUT /trail/_settings', { 'index.blocks.write': false })
    await until(() => eventsIn(node, 'trail'), 6)
    const told = lines.map(({ logger, level, message }) => [logger, level, message])
    expect(told).toEqual([
      ['audit', 'WARN', expect.stringContaining('events cannot be written: index [trail] blocked')],
      ['audit', 'WARN', '4 events were lost: more than [5] waited'],
    ])
    const paths = (await eventsIn(node, 'trail')).map(event => event.audit_rest_request_path)
    expect(paths).toEqual(['/knock-0', ...[0, 1, 2, 3, 4].map(n => `/knock-${n}`)])
  })

  it('are lost alone where the index refuses one for its fields', async () => {
    const { node, lines } = await open({ ...SEEN, [`${PREFIX}.config.index`]: 'trail' })
    const mappings = { properties: { audit_request_effective_user: { type: 'long' } } }
    await node.rest.call('PUT /trail', { mappings })
    const knock = (user: string): Promise<unknown> =>
      node.as(null, 'GET /', undefined, { authorization: basicAuth(user, 'wrong-secret') })
    await Promise.all([knock('ann'), knock('42')])
    await until(() => eventsIn(node, 'trail'), 1)
    expect((await eventsIn(node, 'trail'))[0].audit_request_effective_user).toBe('42')
    await expect.poll(() => lines.length).toBe(1)
    expect(lines[0]?.message).toContain(
      '1 events were lost: failed to parse field [audit_request_effective_user] of type [long]',
    )
  })

  it('are written before the node ends', async () => {
    const folder = tempFolder('audit-index')
    const settings = { ...SEEN, [`${PREFIX}.config.index`]: 'trail' }
    const { node, lines } = await open(settings, folder)
    const waiting = Array.from({ length: 20 }, () => node.as('admin', 'GET /'))
    await Promise.all(waiting)
    await opened.pop()!()
    expect(lines).toEqual([])
    const after = await openRest({ ...TYPE, ...settings }, folder)
    opened.push(() => after.close())
    const { json } = await after.call('GET /trail/_count')
    expect(json.count).toBe(20)
  })
})

it.each([
  ["'security-auditlog-'YYYY.MM.dd", 'security-auditlog-2026.03.07'],
  ["'trail-'yyyy-MM-dd-HH", 'trail-2026-03-07-04'],
  ["yyyy'x'M'y'd", '2026x3y7'],
  ["'trail'", "'trail'"],
  ['trail', 'trail'],
  ['auditlog6', 'auditlog6'],
  ["'open-YYYY", "'open-YYYY"],
])('names the index of %s', (pattern, name) => {
  expect(auditIndexNaming(pattern)(Date.UTC(2026, 2, 7, 4, 5))).toBe(name)
})
