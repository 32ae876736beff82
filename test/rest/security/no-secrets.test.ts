import { createHash, createSign, generateKeyPairSync } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
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
import { tellCount } from '../../support/tell-count.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder('no-secrets')
const config = join(folder, 'config')
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const SALT = 'salt-pepper-1234'
const JWT = 'plugins.security.authc.jwt'

const lines: LogLine[] = []
/** All that was answered, with the requests' lines. */
const answers: string[] = []
let secured: SecuredRest

/** Everything that nobody may find anywhere. */
const secrets = new Set<string>([SALT])
/** A secret of a name, unlike any other text. */
function secret(name: string): string {
  const text = `Hush-${createHash('sha256').update(name).digest('hex').slice(0, 20)}-9!`
  secrets.add(text)
  return text
}
function credentials(user: string, password = passwordOf(user)): string {
  const header = basicAuth(user, password)
  secrets.add(password)
  secrets.add(header.slice('Basic '.length))
  return header
}
function token(sub: string, more: object = {}): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + 600
  const text = `${part({ alg: 'RS256' })}.${part({ sub, exp, nonce: sub, ...more })}`
  const signature = createSign('RSA-SHA256').update(text).sign(keys.privateKey)
  const whole = `${text}.${signature.toString('base64url')}`
  secrets.add(whole)
  secrets.add(whole.split('.')[2]!)
  return whole
}

beforeAll(async () => {
  mkdirSync(config, { recursive: true })
  const pem = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  writeFileSync(join(config, 'jwt.pem'), pem)
  secured = await openSecured(
    {
      'plugins.security.audit.type': 'log4j',
      'plugins.security.audit.config.disabled_rest_categories': 'NONE',
      'plugins.security.compliance.salt': SALT,
      [`${JWT}.signing_key_filepath`]: 'jwt.pem',
      [`${JWT}.jwt_header`]: 'x-token',
    },
    folder,
    { onLog: line => lines.push(line) },
  )
  const { rest } = secured
  await addUser(rest, 'ann', { opendistro_security_roles: [] })
  await addRole(rest, 'masks', {
    cluster_permissions: ['*'],
    index_permissions: [{ index_patterns: ['*'], masked_fields: ['name'], allowed_actions: ['*'] }],
  })
  await addUser(rest, 'mia', { opendistro_security_roles: ['masks'] })
})
afterAll(() => secured.close())

const ask = async (
  user: string | null,
  line: string,
  body?: object | string,
  headers: Record<string, string> = {},
): Promise<number> => {
  const given = user === null ? headers : { authorization: credentials(user), ...headers }
  const { status, text, headers: answered } = await secured.as(null, line, body, given)
  answers.push(`${line.split('?')[0]}: ${status} ${JSON.stringify(answered)} ${text}`)
  return status
}

/** Who asks, the line, the body, and further headers. */
type Request = readonly [
  user: string | null,
  line: string,
  body?: object | string | undefined,
  headers?: Record<string, string>,
]

it('leaves no secret in any log, error, task, audit line or file', async () => {
  const users = '/_plugins/_security/api/internalusers'
  const broken = secret('broken')
  const requests: readonly Request[] = [
    // Passwords that are set, weak, wrong and broken.
    ['admin', `PUT ${users}/new`, { password: secret('new') }],
    ['admin', `PUT ${users}/typed`, { password: [secret('list')] }],
    ['admin', `PUT ${users}/other`, { pasword: secret('key') }],
    ['admin', `PUT ${users}/cut`, `{"password":"${broken}`],
    ['admin', `PUT ${users}/cut`, `{"password":"${broken}",}`],
    ['admin', `PUT ${users}/cut`, `{"password":${broken}}`],
    ['admin', `PUT ${users}/hash`, { hash: secret('hash') }],
    ['admin', `PUT ${users}/short`, { password: 'Aa1!' }],
    [
      'admin',
      `PATCH ${users}`,
      [{ op: 'add', path: '/patched', value: { password: secret('patch') } }],
    ],
    ['admin', `PATCH ${users}`, [{ op: 'nonsense', path: '/x', value: secret('bad patch') }]],
    ['admin', `GET ${users}`],
    ['admin', `GET ${users}/new`],
    ['admin', `POST ${users}/new`, { password: secret('post') }],
    [
      'ann',
      'PUT /_plugins/_security/api/account',
      { current_password: secret('not mine'), password: secret('mine') },
    ],
    ['ann', 'PUT /_plugins/_security/api/account', { current_password: passwordOf('ann') }],
    // Logins.
    [null, 'GET /', undefined, { authorization: credentials('ann', secret('wrong')) }],
    [null, 'GET /', undefined, { authorization: credentials('nobody', secret('nobody')) }],
    [null, 'GET /', undefined, { authorization: `Basic ${secret('no base64')}` }],
    [null, 'GET /', undefined, { authorization: `Bearer ${secret('bearer')}` }],
    [null, 'GET /_search', undefined, { 'x-token': token('tom') }],
    [null, 'GET /_search', undefined, { 'x-token': `Bearer ${token('tim')}` }],
    [null, 'GET /', undefined, { 'x-token': `${token('tam').slice(0, -4)}AAAA` }],
    [null, 'GET /', undefined, { 'x-token': token('late', { exp: 1 }) }],
    ['ann', 'GET /_search', undefined, { cookie: secret('cookie') }],
    ['ann', 'GET /secret/_search', undefined, { opendistro_security_impersonate_as: 'admin' }],
    // Parameters and paths that are none.
    ['admin', `GET /_cluster/health?password=${secret('parameter')}`],
    ['admin', `GET /_plugins/_security/authinfo?auth_type=basic&verbose=true`],
    // Masks, with their salt.
    ['admin', 'PUT /staff/_doc/1?refresh', { name: 'Ada' }],
    ['mia', 'GET /staff/_search'],
    ['mia', 'GET /staff/_search?profile', { profile: true, query: { match: { name: 'Ada' } } }],
    // Deliveries.
    [
      'admin',
      'POST /_plugins/_notifications/configs',
      {
        config_id: 'hook',
        config: {
          name: 'hook',
          config_type: 'webhook',
          webhook: { url: 'http://127.0.0.1:9/x', header_params: { 'X-Key': secret('webhook') } },
        },
      },
    ],
    ['admin', 'GET /_plugins/_notifications/configs'],
    ['admin', 'POST /_plugins/_notifications/feature/test/hook'],
    // Servers that a reindex reads from.
    [
      'admin',
      'POST /_reindex',
      {
        source: {
          remote: { host: 'http://127.0.0.1:9', username: 'u', password: secret('remote') },
          index: 'x',
        },
        dest: { index: 'y' },
      },
    ],
    [
      'admin',
      'POST /_reindex?wait_for_completion=false',
      {
        source: {
          remote: {
            host: 'http://127.0.0.1:9',
            headers: { Authorization: secret('remote header') },
          },
          index: 'x',
        },
        dest: { index: 'y' },
      },
    ],
    // What a node tells of itself.
    ['admin', 'GET /_tasks?detailed'],
    ['admin', 'GET /_nodes'],
    ['admin', 'GET /_nodes/stats'],
    ['admin', 'GET /_cluster/state'],
    ['admin', 'GET /_cluster/settings?include_defaults'],
    ['admin', 'GET /_cluster/pending_tasks'],
    ['admin', 'GET /_nodes/hot_threads'],
    ['admin', 'GET /_all'],
    ['admin', 'GET /_plugins/_security/api/roles'],
    ['admin', 'GET /_plugins/_security/api/account'],
  ]
  const statuses: number[] = []
  for (const [user, line, body, headers] of requests) {
    statuses.push(await ask(user, line, body, headers))
    statuses.push(await ask('admin', 'GET /_tasks?detailed&actions=*reindex*'))
  }
  expect(statuses.filter(status => status >= 500 && status !== 503)).toEqual([])
  // Each kind of outcome came about, so that each was looked through.
  for (const status of [200, 201, 400, 401, 403]) expect(statuses).toContain(status)
  expect(lines.filter(({ logger }) => logger === 'audit').length).toBeGreaterThan(requests.length)
  await ask('admin', 'POST /_all/_flush')
  expect(secrets.size).toBeGreaterThan(30)
  expect(found(answers.join('\n'))).toEqual([])
  expect(found(lines.map(line => JSON.stringify(line)).join('\n'))).toEqual([])
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(file =>
    file.isFile(),
  )
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) {
    const path = join(file.parentPath ?? file.path, file.name)
    expect([path, found(readFileSync(path).toString('latin1'))]).toEqual([path, []])
  }
  tellCount('secrets that nothing tells', secrets.size)
  tellCount(
    'answers, lines of logs and files looked through',
    answers.length + lines.length + files.length,
  )
}, 60_000)

it('would be found', () => {
  const [first] = secrets
  expect(found(`a ${first} b`)).toEqual([first])
  expect(found(Buffer.from(`${first}`).toString('base64'))).toEqual([first])
})

/** The secrets that a text holds, as they are or in base64. */
function found(text: string): string[] {
  return [...secrets].filter(
    each => text.includes(each) || text.includes(Buffer.from(each).toString('base64').slice(0, -4)),
  )
}
