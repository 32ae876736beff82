import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineApi } from '../../src/engine/api/engine-api.ts'
import { Dispatcher } from '../../src/rest/dispatch.ts'
import { type HttpServer, startHttpServer } from '../../src/rest/http-server.ts'
import { Settings } from '../../src/schema/settings.ts'
import { openServices } from '../../src/service/services.ts'
import { Random } from '../../src/util/random.ts'
import { bulk, createIndex, engineWith } from '../support/engine-calls.ts'

const MAX_BODY = 10_000
const SETTINGS = {
  'http.max_content_length': `${MAX_BODY}b`,
  'http.max_initial_line_length': '2kb',
  'http.max_header_size': '4kb',
  'http.allowed_hosts': 'search.example',
  'http.cors.allow-origin': 'https://app.example',
}

let engine: EngineApi
let dispatcher: Dispatcher
let server: HttpServer

beforeAll(async () => {
  engine = await engineWith(null)
  dispatcher = new Dispatcher(engine, openServices(engine), { maxContentLength: MAX_BODY })
  server = await start()
  await createIndex(engine, 'books', { 'index.number_of_shards': '1' })
  const lines = Array.from({ length: 40 }, (_, i) => [{ index: {} }, { title: `volume ${i}` }])
  await bulk(engine, 'books', lines.flat(), 'true')
})

afterAll(async () => {
  await server.close(0)
  await engine.close()
})

function start(): Promise<HttpServer> {
  const settings = new Settings(Object.entries(SETTINGS))
  return startHttpServer(dispatcher, { host: '127.0.0.1', port: 0, settings })
}

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Sends one request on a connection of its own. */
function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body: string | Uint8Array = '',
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: server.host, port: server.port, method, path, headers, agent: false },
      response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        )
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/** Writes text to a socket and reads all that comes back until it is closed. */
function raw(...parts: readonly string[]): Promise<string> {
  return exchange(socket => {
    for (const part of parts) socket.write(part)
  })
}

/** What comes back on a connection of its own until it is closed. */
function exchange(write: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, server.host)
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
    write(socket)
  })
}

function errorOf(reply: Reply | string): { type: string; reason: string; status: number } {
  const text =
    typeof reply === 'string' ? reply.slice(reply.indexOf('\r\n\r\n')) : String(reply.body)
  const { error, status } = JSON.parse(text)
  expect(error.root_cause).toHaveLength(1)
  return { type: error.type, reason: error.reason, status }
}

const JSON_TYPE = { 'content-type': 'application/json' }

describe('the HTTP server', () => {
  it('gives the bytes that the dispatcher gives', async () => {
    const path = '/books/_search?size=1&filter_path=hits.hits._source'
    const reply = await send('GET', path)
    const own = await dispatcher.dispatch({ method: 'GET', path })
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe('application/json; charset=UTF-8')
    expect(reply.body.equals(own.body)).toBe(true)
  })

  it('answers HEAD with the length of the GET and no body', async () => {
    const head = await send('HEAD', '/')
    const get = await send('GET', '/')
    expect(head.body).toHaveLength(0)
    expect(head.headers['content-length']).toBe(String(get.body.length))
  })

  it('takes a GET with a body, and an absolute target', async () => {
    const body = '{"query":{"match":{"title":"3"}}}'
    // Without a length a client's GET has no body at all.
    const headers = { ...JSON_TYPE, 'content-length': String(body.length) }
    const reply = await send('GET', '/books/_count', headers, body)
    expect(JSON.parse(String(reply.body)).count).toBe(1)
    const absolute = await send('GET', 'http://localhost/books/_count?pretty')
    expect(JSON.parse(String(absolute.body)).count).toBe(40)
  })

  it('reads compressed bodies and compresses long answers', async () => {
    const body = gzipSync('{"size":40}')
    const reply = await send(
      'POST',
      '/books/_search',
      { ...JSON_TYPE, 'content-encoding': 'gzip', 'accept-encoding': 'gzip, deflate' },
      body,
    )
    expect(reply.headers['content-encoding']).toBe('gzip')
    expect(reply.headers['content-length']).toBe(String(reply.body.length))
    expect(JSON.parse(String(gunzipSync(reply.body))).hits.hits).toHaveLength(40)
    const plain = await send('GET', '/books/_search?size=40', { 'accept-encoding': 'gzip;q=0' })
    expect(plain.headers['content-encoding']).toBeUndefined()
  })

  it('refuses a coding that it does not know, and damaged data', async () => {
    const path = '/books/_search'
    const unknown = await send('POST', path, { ...JSON_TYPE, 'content-encoding': 'br' }, 'x')
    expect(errorOf(unknown)).toMatchObject({ type: 'illegal_argument_exception', status: 400 })
    const damaged = await send('POST', path, { ...JSON_TYPE, 'content-encoding': 'gzip' }, 'x')
    expect(errorOf(damaged).reason).toMatch(/^the body is no valid \[gzip\] data: Z_/)
  })

  it('refuses bodies over the limit: declared, sent in chunks, or hidden by compression', async () => {
    const expected = { type: 'content_too_long_exception', status: 413 }
    const declared = await raw(
      `POST /_bulk HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10001\r\nConnection: close\r\n\r\n`,
    )
    expect(declared).toMatch(/^HTTP\/1.1 413 /)
    expect(errorOf(declared)).toEqual({
      ...expected,
      reason: 'entity content is too long [10001] for the configured buffer limit [10000]',
    })
    const chunked = await send(
      'POST',
      '/_bulk',
      { ...JSON_TYPE, 'transfer-encoding': 'chunked' },
      'x'.repeat(MAX_BODY + 1),
    )
    expect(errorOf(chunked)).toMatchObject(expected)
    const bomb = gzipSync(Buffer.alloc(1_000_000))
    expect(bomb.length).toBeLessThan(MAX_BODY)
    const packed = await send('POST', '/_bulk', { ...JSON_TYPE, 'content-encoding': 'gzip' }, bomb)
    expect(errorOf(packed)).toMatchObject(expected)
    expect((await send('GET', '/')).status).toBe(200)
  })

  it('refuses bodies that memory has no room for, and takes the next that fits', async () => {
    // Estimates count twice.
    const limit = async (value: string | null): Promise<void> => {
      const body = { transient: { 'network.breaker.inflight_requests.limit': value } }
      await send('PUT', '/_cluster/settings', JSON_TYPE, JSON.stringify(body))
    }
    await limit('120b')
    const url = `http://127.0.0.1:${server.port}/books/_count`
    const post = (body: string): Promise<Response> =>
      fetch(url, { method: 'POST', headers: JSON_TYPE, body })
    const reply = await post(`{"query":{"match_all":{}}${' '.repeat(60)}}`)
    expect(reply.status).toBe(429)
    expect(await reply.json()).toMatchObject({
      error: { type: 'circuit_breaking_exception', bytes_limit: 120, durability: 'TRANSIENT' },
    })
    for (let i = 0; i < 3; i++) {
      const fits = await post('{"query":{"match_all":{}}}')
      expect(fits.status).toBe(200)
      await fits.text()
    }
    await limit(null)
  })

  it('lets a client that asks first send a body, unless it is too long', async () => {
    const head = 'POST /books/_count HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n'
    const body = '{"query":{"match_all":{}}}'
    const type = 'Content-Type: application/json\r\nExpect: 100-continue\r\n'
    const fine = await raw(`${head}${type}Content-Length: ${body.length}\r\n\r\n`, body)
    expect(fine).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/)
    const long = await raw(`${head}${type}Content-Length: 10001\r\n\r\n`)
    expect(long).toMatch(/^HTTP\/1.1 413 /)
    const other = await raw(`${head}Expect: a-miracle\r\n\r\n`)
    expect(other).toMatch(/^HTTP\/1.1 417 /)
    expect(errorOf(other).reason).toContain('Expect header [a-miracle] is not supported')
  })

  it('refuses hosts that are not its own, against rebound names', async () => {
    for (const host of ['localhost', 'localhost:9200', '127.0.0.1:1', '[::1]:9', 'search.example'])
      expect((await send('GET', '/', { host })).status).toBe(200)
    const reply = await send('GET', '/', { host: 'evil.example:9200' })
    expect(reply.status).toBe(403)
    expect(errorOf(reply)).toEqual({
      type: 'security_exception',
      status: 403,
      reason:
        'Host header [evil.example:9200] is not allowed: use an address or [localhost], ' +
        'or name the host in [http.allowed_hosts]',
    })
  })

  it('refuses foreign origins and lets those of the settings read', async () => {
    const foreign = await send('POST', '/books/_doc', { origin: 'https://evil.example' }, '{}')
    expect(errorOf(foreign)).toMatchObject({ type: 'security_exception', status: 403 })
    expect((await send('GET', '/', { origin: 'null' })).status).toBe(403)
    const own = { host: 'localhost:9200', origin: 'http://localhost:9200' }
    const same = await send('GET', '/', own)
    expect(same.status).toBe(200)
    expect(same.headers['access-control-allow-origin']).toBeUndefined()
    const origin = 'https://app.example'
    const allowed = await send('GET', '/', { origin })
    expect(allowed.headers['access-control-allow-origin']).toBe(origin)
    const zipped = await send('GET', '/books/_search?size=40', {
      origin,
      'accept-encoding': 'gzip',
    })
    expect(zipped.headers.vary).toBe('accept-encoding, origin')
    const asks = { origin, 'access-control-request-method': 'PUT' }
    const preflight = await send('OPTIONS', '/books/_doc/1', asks)
    expect(preflight.status).toBe(200)
    expect(preflight.headers['access-control-allow-methods']).toContain('PUT')
  })

  it.each(['1.0', '1.1'])('answers a request of HTTP/%s without a host', async version => {
    const answer = await raw(`GET /_cluster/health HTTP/${version}\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/)
  })

  it('answers what the parser refuses in the envelope', async () => {
    const broken = await raw('NOT HTTP AT ALL\r\n\r\n')
    expect(broken).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
    expect(errorOf(broken).type).toBe('illegal_argument_exception')
    const headers = await raw(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(9000)}\r\n\r\n`)
    expect(headers).toMatch(/^HTTP\/1.1 431 /)
    expect(errorOf(headers).status).toBe(431)
    const line = await send('GET', `/${'a'.repeat(2048)}`)
    expect(errorOf(line).reason).toBe('An HTTP line is larger than 2048 bytes.')
    const both = 'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n'
    expect(await raw(`POST / HTTP/1.1\r\nHost: localhost\r\n${both}\r\n`)).toMatch(
      /^HTTP\/1.1 400 /,
    )
    const tunnel = await raw('CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n')
    expect(errorOf(tunnel).reason).toContain('no proxy')
  })

  it('goes on in HTTP/1.1 with a client that offers something newer', async () => {
    const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AA' }
    const reply = await send('GET', '/', offer)
    expect(reply.status).toBe(200)
    expect(JSON.parse(String(reply.body)).version.distribution).toBe('opensearch')
  })

  it('outlives noise on its socket', async () => {
    const random = new Random(7)
    const fine =
      'POST /books/_count?pretty HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
      'Content-Length: 2\r\n\r\n{}'
    for (let i = 0; i < 300; i++) {
      const bytes = Buffer.from(fine.repeat(1 + random.below(2)))
      for (let n = random.below(6); n >= 0; n--)
        bytes[random.below(bytes.length)] = random.below(256)
      const sent = bytes.subarray(0, random.below(4) === 0 ? random.below(bytes.length) : undefined)
      const text = await exchange(socket => socket.end(sent)).catch(() => '')
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))
      expect(
        statuses.filter(status => status >= 500),
        String(sent),
      ).toEqual([])
    }
    expect((await send('GET', '/')).status).toBe(200)
  })

  it('fails to start on a taken port with the code of the system', async () => {
    await expect(
      startHttpServer(dispatcher, {
        host: '127.0.0.1',
        port: server.port,
        settings: Settings.EMPTY,
      }),
    ).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('finishes what runs before it closes, and cancels it after the grace', async () => {
    const patient = await start()
    const url = `http://127.0.0.1:${patient.port}`
    const waits = '/_cluster/health/absent?timeout=30s'
    const running = fetch(`${url}${waits}`)
    // A second connection has been answered once the first one is being served.
    await (await fetch(url)).text()
    const closed = patient.close(50)
    expect(patient.close(50)).toBe(closed)
    await expect(fetch(url)).rejects.toThrow()
    const reply = await running
    expect(reply.headers.get('connection')).toBe('close')
    expect(reply.status).toBe(408)
    await closed
  })

  it('does not wait for connections that never asked for anything', async () => {
    const patient = await start()
    const silent = connect(patient.port, patient.host)
    const ended = new Promise(resolve => silent.once('close', resolve))
    // Accepted in order: once this is answered, the silent one is known to the server.
    await (await fetch(`http://127.0.0.1:${patient.port}`)).text()
    await patient.close(60_000)
    await ended
  })

  it('cancels what a client that leaves waited for, but never its write', async () => {
    await createIndex(engine, 'slow', { 'index.refresh_interval': '-1' })
    const gone = new AbortController()
    const url = `http://127.0.0.1:${server.port}`
    const writing = fetch(`${url}/slow/_doc/1?refresh=wait_for`, {
      method: 'PUT',
      body: '{}',
      headers: JSON_TYPE,
      signal: gone.signal,
    })
    const waiting = fetch(`${url}/_cluster/health/absent?timeout=30s`, { signal: gone.signal })
    const ended = Promise.allSettled([writing, waiting])
    const [write, wait] = ['indices:data/write/index', 'cluster:monitor/health']
    for (let both = false; !both; ) both = (await isListed(write)) && (await isListed(wait))
    gone.abort()
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    while (await isListed(wait));
    expect(await isListed(write)).toBe(true)
    while (await isListed(write)) await send('POST', '/slow/_refresh')
    expect((await send('GET', '/slow/_doc/1')).status).toBe(200)
  })
})

/** Whether a task of an action runs. */
async function isListed(action: string): Promise<boolean> {
  const { body } = await send('GET', `/_tasks?group_by=none&actions=${action}`)
  return JSON.parse(String(body)).tasks.length > 0
}
