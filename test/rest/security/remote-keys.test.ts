/** Keys of tokens that are fetched from their issuer. */
import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openRest } from '../../support/rest-calls.ts'
import { basicAuth, openSecured, type Reply, type SecuredRest } from '../../support/secured-rest.ts'

const PREFIX = 'plugins.security.authc.jwt'
const UNAVAILABLE = 'Authentication backend is unavailable: the keys of tokens cannot be fetched'

interface Pair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}
let first: Pair
let second: Pair
beforeAll(() => {
  first = generateKeyPairSync('rsa', { modulusLength: 2048 })
  second = generateKeyPairSync('rsa', { modulusLength: 2048 })
})

const jwkOf = ({ publicKey }: Pair, kid: string): object => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  alg: 'RS256',
  use: 'sig',
})
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = { sub: 'tom', exp: Math.floor(Date.now() / 1000) + 600, roles: 'staff' }
function tokenOf({ privateKey }: Pair, kid: string | undefined, more: object = {}): string {
  const text = `${part({ alg: 'RS256', kid })}.${part({ ...claims, ...more })}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey).toString('base64url')}`
}

/** What each test opened, closed behind it. */
const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

/** An issuer that answers as the listener does, and counts. */
async function issuer(answer: RequestListener): Promise<{ url: string; count: () => number }> {
  let count = 0
  const server: Server = createServer((request, response) => {
    count++
    answer(request, response)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  opened.push(async () => {
    server.closeAllConnections()
    await new Promise(done => server.close(done))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/keys?of=all`, count: () => count }
}

async function nodeOf(url: string, settings: Record<string, string> = {}): Promise<SecuredRest> {
  const secured = await openSecured({
    [`${PREFIX}.jwks_uri`]: url,
    [`${PREFIX}.roles_key`]: 'roles',
    // A fetch every 200 ms at most.
    [`${PREFIX}.refresh_rate_limit_time_window_ms`]: '2000',
    ...settings,
  })
  opened.push(() => secured.close())
  return secured
}

const ask = (node: SecuredRest, token: string): Promise<Reply> =>
  node.as(null, 'GET /_plugins/_security/authinfo', undefined, { authorization: `Bearer ${token}` })
const pause = (millis: number): Promise<void> => new Promise(done => setTimeout(done, millis))

describe('keys by URL', () => {
  it('are fetched with the first token, once for all that wait, and kept', async () => {
    const paths: (string | undefined)[] = []
    const { url, count } = await issuer((request, response) => {
      paths.push(request.url)
      setTimeout(() => response.end(JSON.stringify({ keys: [jwkOf(first, 'a')] })), 50)
    })
    const node = await nodeOf(url)
    expect(count()).toBe(0)
    const tokens = Array.from({ length: 8 }, (_, n) => tokenOf(first, 'a', { jti: String(n) }))
    for (const { status, json } of await Promise.all(tokens.map(token => ask(node, token))))
      expect([status, json.user_name, json.backend_roles]).toEqual([200, 'tom', ['staff']])
    expect([count(), paths]).toEqual([1, ['/keys?of=all']])
  })

  it('are fetched anew for a key that is not known, as often as the limit lets them', async () => {
    const keys = [jwkOf(first, 'a')]
    const { url, count } = await issuer((_request, response) => {
      response.end(JSON.stringify({ keys }))
    })
    const node = await nodeOf(url)
    expect((await ask(node, tokenOf(first, 'a'))).status).toBe(200)
    keys.push(jwkOf(second, 'b'))
    await expect
      .poll(async () => (await ask(node, tokenOf(second, 'b'))).status, { interval: 50 })
      .toBe(200)
    expect(count()).toBe(2)
    const started = performance.now()
    for (let n = 0; n < 60; n++) {
      const { status, text } = await ask(node, tokenOf(second, `made-up-${n}`))
      expect([401, 503]).toContain(status)
      expect(text).not.toContain('made-up')
      await pause(5)
    }
    const most = 2 + Math.ceil((performance.now() - started) / 200)
    expect(count()).toBeLessThanOrEqual(most)
    expect((await ask(node, tokenOf(first, 'a', { jti: 'x' }))).status).toBe(200)
  })

  it('have to be named, and are public ones', async () => {
    const secret = Buffer.from('a-secret-that-is-published-by-mistake')
    const shared = { kty: 'oct', kid: 's', alg: 'HS256', k: secret.toString('base64url') }
    const { url, count } = await issuer((_request, response) => {
      response.end(JSON.stringify({ keys: [jwkOf(first, 'a'), shared] }))
    })
    const node = await nodeOf(url)
    expect((await ask(node, tokenOf(first, undefined))).status).toBe(401)
    expect(count()).toBe(0)
    const text = `${part({ alg: 'HS256', kid: 's' })}.${part(claims)}`
    const signature = createHmac('sha256', secret).update(text).digest('base64url')
    expect((await ask(node, `${text}.${signature}`)).status).toBe(401)
    expect((await ask(node, tokenOf(second, 'a'))).status).toBe(401)
    expect((await ask(node, tokenOf(first, 'a'))).status).toBe(200)
  })

  it.each<readonly [string, RequestListener, Record<string, string>]>([
    [
      'is too long',
      (_request, response) => response.end(`{"keys":[],"x":"${'x'.repeat(5000)}"}`),
      { max_jwks_response_size_bytes: '4096' },
    ],
    [
      'is too long and never ends',
      (_request, response) => {
        response.write('x'.repeat(5000))
      },
      { max_jwks_response_size_bytes: '4096' },
    ],
    [
      'has too many keys',
      (_request, response) => response.end(JSON.stringify({ keys: [{}, {}, {}] })),
      { max_jwks_keys: '2' },
    ],
    ['comes too late', () => {}, { jwks_request_timeout_ms: '200' }],
    [
      'drips',
      (_request, response) => {
        const timer = setInterval(() => response.write(' '), 50)
        response.on('close', () => clearInterval(timer))
      },
      { jwks_request_timeout_ms: '300' },
    ],
    ['is no JSON', (_request, response) => response.end('<html>'), {}],
    ['is no set', (_request, response) => response.end('{"keys":{}}'), {}],
    [
      'is an error',
      (_request, response) => {
        response.statusCode = 500
        response.end('{"keys":[]}')
      },
      {},
    ],
  ])('are unavailable where the answer %s', async (_, answer, settings) => {
    const { url } = await issuer(answer)
    const named = Object.entries(settings).map(([name, value]) => [`${PREFIX}.${name}`, value])
    const node = await nodeOf(url, Object.fromEntries(named))
    const token = tokenOf(first, 'a')
    const started = performance.now()
    const { status, json, text } = await ask(node, token)
    expect([status, json.error.type, json.error.reason]).toEqual([
      503,
      'security_exception',
      UNAVAILABLE,
    ])
    expect(performance.now() - started).toBeLessThan(4_000)
    expect(text).not.toContain(token)
    // Passwords go on.
    const { status: by } = await node.as(null, 'GET /', undefined, {
      authorization: basicAuth('admin'),
    })
    expect(by).toBe(200)
  })

  it('are waited for while another token has them fetched, no longer than is said', async () => {
    let answer = (): void => {}
    const { url, count } = await issuer((_request, response) => {
      answer = () => response.end(JSON.stringify({ keys: [jwkOf(first, 'a')] }))
    })
    const node = await nodeOf(url, {
      [`${PREFIX}.jwks_queued_thread_timeout_ms`]: '200',
      [`${PREFIX}.jwks_request_timeout_ms`]: '10000',
    })
    const patient = ask(node, tokenOf(first, 'a', { jti: 'first' }))
    await expect.poll(count).toBe(1)
    const started = performance.now()
    const waiting = await Promise.all(
      ['second', 'third'].map(jti => ask(node, tokenOf(first, 'a', { jti }))),
    )
    const took = performance.now() - started
    for (const { status, json } of waiting)
      expect([status, json.error.reason]).toEqual([503, UNAVAILABLE])
    expect(took).toBeGreaterThanOrEqual(190)
    expect(took).toBeLessThan(5_000)
    answer()
    expect((await patient).status).toBe(200)
    // Keys that are known wait for nothing, whatever is fetched meanwhile.
    await pause(300)
    const unknown = ask(node, tokenOf(second, 'b'))
    await expect.poll(count, { timeout: 5_000 }).toBe(2)
    expect((await ask(node, tokenOf(first, 'a', { jti: 'fourth' }))).status).toBe(200)
    answer()
    expect((await unknown).status).toBe(401)
    expect(count()).toBe(2)
  })

  it('are not looked for where a redirect leads', async () => {
    const target = await issuer((_request, response) => {
      response.end(JSON.stringify({ keys: [jwkOf(first, 'a')] }))
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const { url, count } = await issuer((_request, response) => {
        response.writeHead(status, { location: target.url })
        response.end(JSON.stringify({ keys: [jwkOf(first, 'a')] }))
      })
      const node = await nodeOf(url)
      expect([(await ask(node, tokenOf(first, 'a'))).status, count()]).toEqual([503, 1])
    }
    expect(target.count()).toBe(0)
  })

  it('are there again once the issuer is, and are not asked for in between', async () => {
    let isUp = false
    const { url, count } = await issuer((_request, response) => {
      response.statusCode = isUp ? 200 : 502
      response.end(isUp ? JSON.stringify({ keys: [jwkOf(first, 'a')] }) : '')
    })
    const node = await nodeOf(url)
    const started = performance.now()
    for (let n = 0; n < 40; n++) expect((await ask(node, tokenOf(first, 'a'))).status).toBe(503)
    expect(count()).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - started) / 200))
    isUp = true
    // Refusals for want of keys are no failed logins: nothing backs off.
    await expect
      .poll(async () => (await ask(node, tokenOf(first, 'a'))).status, { interval: 50 })
      .toBe(200)
  })
})

it.each(['ftp://issuer.example/keys', 'issuer.example', 'https://tom:secret@issuer.example/keys'])(
  'does not start with the URL %s',
  async url => {
    const started = openRest({ 'plugins.security.disabled': 'false', [`${PREFIX}.jwks_uri`]: url })
    await expect(started).rejects.toThrow(
      `[${PREFIX}.jwks_uri] must be an http or https URL without a name and a password`,
    )
  },
)
