import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Asker, TRUSTED_ACCESS } from '../../../src/task/access.ts'
import type { Action } from '../../../src/task/actions.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import {
  type Attempt,
  allAttempts,
  allowedReads,
  CANARY,
  leakOf,
  RESTRICTED,
  type RestrictedUser,
  SECRET,
  SHOWN,
} from '../../support/bypass-attempts.ts'
import {
  addRole,
  addUser,
  basicAuth,
  openSecured,
  type SecuredRest,
} from '../../support/secured-rest.ts'
import { tellCount } from '../../support/tell-count.ts'

let secured: SecuredRest
const PEER = { address: '127.0.0.1', port: 1 }

beforeAll(async () => {
  secured = await openSecured()
  const { rest } = secured
  const composite = 'cluster_composite_ops'
  const role = (cluster: string[], actions: string[]): object => ({
    cluster_permissions: cluster,
    index_permissions: [{ index_patterns: ['open-*'], allowed_actions: actions }],
  })
  await addRole(rest, 'reading', role([composite], ['indices:data/read*']))
  await addRole(rest, 'writing', role([composite], ['indices:*']))
  await addRole(rest, 'operating', { cluster_permissions: ['cluster:monitor/*'] })
  await addUser(rest, 'nobody')
  await addUser(rest, 'reader', { opendistro_security_roles: ['reading'] })
  await addUser(rest, 'writer', { opendistro_security_roles: ['writing'] })
  await addUser(rest, 'operator', { opendistro_security_roles: ['operating'] })
  await rest.call(`PUT /${SHOWN}/_doc/1?refresh`, { n: 1 })
  await rest.call(`PUT /${SECRET}`, {
    mappings: { properties: { [`field-${CANARY}`]: { type: 'keyword' } } },
    aliases: { [`alias-${CANARY}`]: {} },
  })
  await rest.call(`PUT /${SECRET}/_doc/1?refresh`, { [`field-${CANARY}`]: CANARY, n: 1 })
  await rest.call('PUT /_index_template/streams', {
    index_patterns: ['secret-stream-*'],
    data_stream: {},
    _meta: { mark: CANARY },
  })
  // Patterns of some actions reach closed indices or streams alone.
  await rest.call('PUT /_data_stream/secret-stream-1')
  await rest.call('PUT /secret-closed-1', { aliases: { [`alias-closed-${CANARY}`]: {} } })
  await rest.call('POST /secret-closed-1/_close')
}, 60_000)
afterAll(() => secured.close())

/** Who a user is, found out by his password as a server would. */
async function askerOf(name: string): Promise<Asker> {
  const head = { headers: { authorization: basicAuth(name) }, peer: PEER }
  const found = await secured.rest.dispatcher.admit('GET', head)
  if ('refusal' in found) throw new Error(`${name} was refused with ${found.refusal.status}`)
  return found
}

async function send(
  asker: Asker,
  { method, path, body }: Pick<Attempt, 'method' | 'path' | 'body'>,
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await secured.rest.dispatcher.dispatch(
    {
      method,
      path,
      headers: body === '' ? {} : { 'content-type': 'application/json' },
      body: encodeUtf8(body),
    },
    asker,
  )
  return {
    status: answer.status,
    text: `${JSON.stringify(answer.headers)} ${Buffer.from(answer.body).toString()}`,
  }
}

/** Leaks that the attempts of a user find. */
async function leaks(
  user: RestrictedUser,
  attempts: readonly Attempt[],
  asked: () => Promise<Asker> = () => askerOf(user.name),
): Promise<string[]> {
  const found: string[] = []
  for (const attempt of attempts) {
    const { status, text } = await send(await asked(), attempt)
    const leak = leakOf(user, attempt, status, text)
    if (leak !== null) found.push(`${attempt.method} ${attempt.path}: ${status} ${leak}`)
    if (status >= 500 && status !== 503) found.push(`${attempt.method} ${attempt.path}: ${status}`)
  }
  return found
}

/** All that a change of the secret index or of the cluster would change. */
async function state(): Promise<unknown> {
  const { rest } = secured
  const lines = [
    `GET /${SECRET}`,
    `GET /${SECRET}/_doc/1`,
    `GET /${SECRET}/_count`,
    `GET /_data_stream`,
    '/_cluster/settings',
    '/_index_template',
    '/_component_template',
    '/_template',
    '/_ingest/pipeline',
    '/_search/pipeline',
    '/_scripts/1',
    '/_snapshot',
    '/_plugins/_security/api/roles',
    '/_plugins/_security/api/internalusers',
    '/_plugins/_security/api/rolesmapping',
    '/_plugins/_security/api/tenants',
  ].map(line => (line.startsWith('/') ? `GET ${line}` : line))
  return Promise.all(lines.map(async line => [line, (await rest.call(line)).json]))
}

it('serves no restricted user what he may not have, by any route and any name', async () => {
  const attempts = allAttempts()
  const before = await state()
  const counts: Record<string, number> = {}
  for (const user of RESTRICTED) {
    expect([user.name, await leaks(user, attempts)]).toEqual([user.name, []])
    counts[user.name] = attempts.length
    expect(await state()).toEqual(before)
  }
  const sent = Object.values(counts).reduce((sum, count) => sum + count, 0)
  expect(Object.keys(counts)).toHaveLength(RESTRICTED.length)
  expect(sent).toBeGreaterThan(3_000)
  tellCount('attempts of restricted users', sent)
}, 300_000)

it('refuses every route to whoever gives no credentials, or wrong ones', async () => {
  let refused = 0
  const { dispatcher } = secured.rest
  const given = [undefined, 'Basic', 'Bearer x', `Basic ${Buffer.from('a').toString('base64')}`]
  for (const { method } of allAttempts())
    for (const authorization of given) {
      const headers = authorization === undefined ? {} : { authorization }
      const found = await dispatcher.admit(method, { headers, peer: PEER })
      expect('refusal' in found && found.refusal.status).toBe(401)
      refused++
    }
  expect(refused).toBeGreaterThan(3_000)
  tellCount('attempts without credentials', refused)
})

it('refuses an administrator nothing that reads', async () => {
  const reads = allAttempts().filter(({ method }) => method === 'GET' || method === 'HEAD')
  const wrong: string[] = []
  let served = 0
  for (const attempt of reads) {
    const { status } = await send(await askerOf('admin'), attempt)
    if (status === 401 || status === 403) wrong.push(`${attempt.method} ${attempt.path}: ${status}`)
    if (status === 200) served++
  }
  expect(wrong).toEqual([])
  expect(served).toBeGreaterThan(500)
}, 120_000)

it('refuses no user what he may read, by any route', async () => {
  let sent = 0
  for (const user of RESTRICTED) {
    const wrong: string[] = []
    for (const attempt of allowedReads(user)) {
      const { status, text } = await send(await askerOf(user.name), attempt)
      if (status === 401 || status === 403 || status >= 500)
        wrong.push(`${attempt.method} ${attempt.path}: ${status} ${text.slice(0, 300)}`)
      sent++
    }
    expect([user.name, wrong]).toEqual([user.name, []])
  }
  expect(sent).toBeGreaterThan(300)
  tellCount('requests that are allowed', sent)
}, 120_000)

it('refuses a user nothing of what he has', async () => {
  const wrong: string[] = []
  let served = 0
  for (const name of ['open-1', 'open-*', 'o*n-*'])
    for (const line of [
      'GET /{}/_search',
      'GET /{}/_count',
      'GET /{}/_mapping',
      'GET /{}/_settings',
      'GET /{}/_stats',
      'GET /{}',
      'GET /{}/_alias',
      'GET /{}/_field_caps?fields=*',
      'GET /_cat/indices/{}',
      'GET /_cat/shards/{}',
      'GET /_cat/count/{}',
      'GET /{}/_segments',
      'GET /{}/_recovery',
      'POST /{}/_refresh',
      'POST /{}/_flush',
      'GET /{}/_validate/query',
      'GET /{}/_search_shards',
      'GET /_resolve/index/{}',
    ]) {
      const [method = '', path = ''] = line.replace('{}', name).split(' ')
      const { status, text } = await send(await askerOf('writer'), { method, path, body: '' })
      if (status !== 200) wrong.push(`${line} ${name}: ${status} ${text}`)
      else served++
    }
  expect(wrong).toEqual([])
  expect(served).toBe(54)
})

it.each<Action>([
  'indices:data/read/search',
  'indices:data/read/get',
  'indices:data/read/field_caps',
  'indices:admin/mappings/get',
  'indices:monitor/settings/get',
  'indices:monitor/stats',
  'indices:admin/aliases/get',
  'indices:admin/get',
  'cluster:monitor/state',
  'restapi:admin/internalusers',
])('would find out if nobody looked at permissions for %s', async action => {
  const reads = allAttempts().filter(
    each => each.action === action && (each.method === 'GET' || each.method === 'HEAD'),
  )
  const unwatched = async (): Promise<Asker> => ({
    principal: (await askerOf('nobody')).principal,
    access: TRUSTED_ACCESS,
  })
  const { length } = await leaks(RESTRICTED[0]!, reads, unwatched)
  expect(length).toBeGreaterThan(0)
  tellCount(`leaks without the check of ${action}`, length)
})
