import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startHttpServer } from '../../../src/rest/http-server.ts'
import { Settings } from '../../../src/schema/settings.ts'
import { newAuthority } from '../../support/certificates.ts'
import { failureOf, ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

const SECRET = 'pa55-canary'
const PASSPHRASE = 'phrase-canary'

/** The other servers of a test, closed behind it. */
const closing: (() => unknown)[] = []
let rest: Rest
beforeAll(async () => {
  rest = await openRest({ 'reindex.remote.allowlist': '127.0.0.1:*,localhost:*,[::1]:*,named:*' })
})
afterAll(() => rest.close())
beforeEach(async () => {
  await rest.call('DELETE /*')
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

type Handler = (request: IncomingMessage, body: string, response: ServerResponse) => void

/** A server that answers as a test says; its port. */
async function stand(handler: Handler): Promise<number> {
  const server: Server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', chunk => chunks.push(chunk))
    incoming.on('end', () => handler(incoming, Buffer.concat(chunks).toString(), response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as { port: number }).port
}

const json = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const body = (port: number | string, source: object = {}, remote: object = {}): object => ({
  source: {
    index: 'from',
    remote: { host: `http://127.0.0.1:${port}`, ...remote },
    ...source,
  },
  dest: { index: 'to' },
})

/** Another node with documents, on a port of its own. */
async function servedNode(): Promise<number> {
  const other = await openRest()
  const lines = Array.from({ length: 25 }, (_, n) => [
    { index: { _id: `${n}`, routing: n === 3 ? 'r' : null } },
    { n, text: n % 2 === 0 ? 'even' : 'odd' },
  ])
  await okOf(() => other)('POST /from/_bulk?refresh=true', ndjson(...lines.flat()))
  const settings = Settings.EMPTY
  const server = await startHttpServer(other.dispatcher, { host: '127.0.0.1', port: 0, settings })
  closing.push(async () => {
    const { _all } = await okOf(() => other)('GET /from/_stats/search')
    expect(_all.total.search.open_contexts).toBe(0)
    await server.close(1000)
    await other.close()
  })
  return server.port
}

describe('a reindex from another node', () => {
  it('copies its documents page by page, with their routing, and ends its scroll', async () => {
    const port = await servedNode()
    const answer = await ok('POST /_reindex?refresh=true', body(port, { size: 10 }))
    expect(answer).toMatchObject({ total: 25, created: 25, batches: 3, failures: [] })
    expect((await ok('GET /to/_search?size=0')).hits.total.value).toBe(25)
    expect((await ok('GET /to/_doc/3?routing=r'))._routing).toBe('r')
  })

  it('sends the query as it is, asks for some fields, and goes through scripts', async () => {
    const port = await servedNode()
    const source = {
      query: { term: { text: 'odd' } },
      _source: ['n'],
      sort: [{ n: 'desc' }],
      size: 5,
    }
    const request = { ...body(port, source), max_docs: 2, script: { source: 'ctx._source.x = 1' } }
    expect(await ok('POST /_reindex?refresh=true', request)).toMatchObject({ created: 2 })
    const { hits } = await ok('GET /to/_search?sort=n')
    expect(hits.hits.map((hit: { _source: object }) => hit._source)).toEqual([
      { n: 21, x: 1 },
      { n: 23, x: 1 },
    ])
  })

  it('tells what the other node refuses, with its status', async () => {
    const port = await servedNode()
    const [status, type, reason] = await failure(
      'POST /_reindex',
      body(port, { query: { garbage: 'not a query' } }),
    )
    expect([status, type]).toEqual([400, 'status_exception'])
    expect(reason).toContain('[garbage] query malformed')
    expect((await failure('POST /_reindex', body(port, { index: 'none' })))[0]).toBe(404)
  })

  it('takes versions and conflicts into account', async () => {
    const port = await servedNode()
    await ok('PUT /to/_doc/1?version=5&version_type=external', { n: 1 })
    const request = {
      ...body(port),
      dest: { index: 'to', version_type: 'external' },
      conflicts: 'proceed',
    }
    expect(await ok('POST /_reindex', request)).toMatchObject({ created: 24, version_conflicts: 1 })
  })
})

/** Answers of a scroll in three pages, as versions 6 to 3 of the API have them. */
function scrolling(
  version: object,
  total: (count: number) => unknown,
): {
  readonly handler: Handler
  readonly seen: { method: string; path: string; body: string; authorization: string }[]
} {
  const seen: { method: string; path: string; body: string; authorization: string }[] = []
  const pages = [[1, 2], [3], []]
  const handler: Handler = (incoming, text, response) => {
    const { method = '', url = '', headers } = incoming
    seen.push({ method, path: url, body: text, authorization: headers.authorization ?? '' })
    if (url === '/' || url === '/prefix/') return json(response, { version })
    if (method === 'DELETE') return json(response, { succeeded: true, num_freed: 1 })
    const hits = pages.shift()!.map(n => ({
      _index: 'from',
      _type: '_doc',
      _id: `${n}`,
      _version: n,
      _score: null,
      _source: { n },
      sort: [n],
    }))
    json(response, {
      _scroll_id: `scroll-${pages.length}`,
      took: 1,
      timed_out: false,
      _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
      hits: { total: total(3), max_score: null, hits },
    })
  }
  return { handler, seen }
}

describe('the scroll that another server speaks', () => {
  it.each([
    ['6.8', { number: '6.8.23' }, (count: number) => count, true],
    ['6.2', { number: '6.2.4' }, (count: number) => count, false],
    ['7.10', { number: '7.10.2' }, (value: number) => ({ value, relation: 'eq' }), true],
    [
      '3.6',
      { distribution: 'opensearch', number: '3.6.0' },
      (value: number) => ({ value, relation: 'eq' }),
      true,
    ],
  ])('of version %s is understood', async (_, version, total, refusesPartial) => {
    const { handler, seen } = scrolling(version, total)
    const port = await stand(handler)
    const request = body(port, { size: 2 }, { username: 'user', password: SECRET })
    expect(await ok('POST /_reindex', request)).toMatchObject({ total: 3, created: 3, batches: 2 })
    const [first, search, next, end] = seen
    expect(first).toMatchObject({ method: 'GET', path: '/' })
    const url = new URL(search!.path, 'http://other')
    expect([search!.method, url.pathname]).toEqual(['POST', '/from/_search'])
    expect(Object.fromEntries(url.searchParams)).toEqual({
      scroll: '300000ms',
      size: '2',
      version: 'true',
      sort: '_doc',
      ...(refusesPartial ? { allow_partial_search_results: 'false' } : {}),
    })
    expect(JSON.parse(search!.body)).toEqual({ query: { match_all: {} }, _source: true })
    expect([next!.method, next!.path, JSON.parse(next!.body)]).toEqual([
      'POST',
      '/_search/scroll?scroll=300000ms',
      { scroll_id: 'scroll-2' },
    ])
    expect([end!.method, end!.path, JSON.parse(end!.body)]).toEqual([
      'DELETE',
      '/_search/scroll',
      { scroll_id: ['scroll-1'] },
    ])
    const credentials = `Basic ${Buffer.from(`user:${SECRET}`).toString('base64')}`
    expect(seen.map(({ authorization }) => authorization)).toEqual(seen.map(() => credentials))
  })

  it('goes below the path prefix, with headers of one’s own', async () => {
    const { handler, seen } = scrolling({ number: '7.10.2' }, value => ({ value, relation: 'eq' }))
    const port = await stand(handler)
    const remote = {
      host: `http://127.0.0.1:${port}/prefix/`,
      headers: { authorization: 'Bearer x' },
    }
    await ok('POST /_reindex', body(port, {}, remote))
    expect(seen.every(({ path }) => path.startsWith('/prefix/'))).toBe(true)
    expect(seen[0]!.authorization).toBe('Bearer x')
  })

  it('is asked again when it refuses for too much work', async () => {
    const { handler } = scrolling({ number: '3.6.0' }, value => ({ value, relation: 'eq' }))
    let refusals = 1
    const port = await stand((incoming, text, response) => {
      if (incoming.method === 'POST' && refusals-- > 0)
        return json(response, { error: 'busy' }, 429)
      handler(incoming, text, response)
    })
    const answer = await ok('POST /_reindex', body(port))
    expect(answer).toMatchObject({ created: 3, retries: { search: 1, bulk: 0 } })
  })

  it('tells of shards that failed, and of searches that ran out of time', async () => {
    const reason = { type: 'x_exception', reason: 'broken' }
    const page =
      (more: object): Handler =>
      (incoming, _, response) =>
        incoming.url === '/'
          ? json(response, { version: { number: '3.6.0' } })
          : json(response, {
              _scroll_id: 's',
              timed_out: false,
              _shards: {},
              hits: { total: { value: 0 }, hits: [] },
              ...more,
            })
    const failing = await stand(
      page({ _shards: { failures: [{ shard: 2, index: 'from', node: 'n', reason }] } }),
    )
    const failed = await rest.call('POST /_reindex', body(failing))
    expect([failed.status, failed.json.failures]).toEqual([
      500,
      [{ shard: 2, index: 'from', node: 'n', reason, status: 500 }],
    ])
    const late = await stand(page({ timed_out: true }))
    const timedOut = await rest.call('POST /_reindex', body(late))
    expect([timedOut.status, timedOut.json.timed_out]).toEqual([408, true])
  })
})

describe('a hostile server', () => {
  const NO_SERVER = 'Error parsing the response, remote is likely not an OpenSearch instance'
  const version = { version: { number: '3.6.0' } }
  const behindVersion =
    (text: string): Handler =>
    (incoming, _, response) => {
      if (incoming.url === '/') return json(response, version)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(text)
    }
  const hits = (text: string): string => `{"_scroll_id":"s","hits":{"total":1,"hits":[${text}]}}`

  it.each([
    ['no JSON', '<html>'],
    ['nothing', ''],
    ['another value', '[]'],
    ['no hits', '{"_scroll_id":"s"}'],
    ['hits of no form', '{"_scroll_id":"s","hits":[]}'],
    ['no total', '{"_scroll_id":"s","hits":{"hits":[]}}'],
    ['a total of no number', '{"_scroll_id":"s","hits":{"total":"x","hits":[]}}'],
    ['a hit of no form', hits('1')],
    ['a hit without an id', hits('{"_index":"i"}')],
    ['an id of no text', hits('{"_index":"i","_id":1}')],
    ['a source of no form', hits('{"_index":"i","_id":"1","_source":[]}')],
    ['a scroll of no text', '{"_scroll_id":7,"hits":{"total":1,"hits":[]}}'],
    ['no scroll', '{"hits":{"total":1,"hits":[]}}'],
    ['half an answer', '{"_scroll_id":"s","hits":{"total":1,"hits":[{"_in'],
    ['deep nesting', hits(`{"_index":"i","_id":"1","x":${'['.repeat(2000)}${']'.repeat(2000)}}`)],
  ])('that answers %s is told apart', async (_, text) => {
    const port = await stand(behindVersion(text))
    expect(await failure('POST /_reindex', body(port))).toEqual([500, 'exception', NO_SERVER])
  })

  it.each([
    ['no version', {}],
    ['a version of no text', { version: { number: 7 } }],
    ['a version of no form', { version: { number: 'x' } }],
  ])('that has %s is told apart', async (_, answer) => {
    const port = await stand((__, ___, response) => json(response, answer))
    expect(await failure('POST /_reindex', body(port))).toEqual([500, 'exception', NO_SERVER])
  })

  it('that speaks of another type of content is told apart', async () => {
    const port = await stand((_, __, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('{}')
    })
    expect(await failure('POST /_reindex', body(port))).toEqual([500, 'exception', NO_SERVER])
  })

  it('is not followed elsewhere', async () => {
    let visits = 0
    const victim = await stand((_, __, response) => {
      visits++
      json(response, version)
    })
    const port = await stand((_, __, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${victim}/` })
      response.end()
    })
    expect((await failure('POST /_reindex', body(port))).slice(0, 2)).toEqual([
      500,
      'status_exception',
    ])
    expect(visits).toBe(0)
  })

  it('that answers without end is left', async () => {
    const chunk = Buffer.alloc(1 << 20, 0x20)
    const port = await stand((incoming, _, response) => {
      if (incoming.url === '/') return json(response, version)
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', more)
      more()
    })
    expect(await failure('POST /_reindex', body(port))).toEqual([
      400,
      'illegal_argument_exception',
      'Remote responded with a chunk that was too large. Use a smaller batch size.',
    ])
  })

  it('that says nothing is left when its time is up, or the task is cancelled', async () => {
    const port = await stand(() => {})
    expect(await failure('POST /_reindex', body(port, {}, { socket_timeout: '50ms' }))).toEqual([
      500,
      'socket_timeout_exception',
      'Read timed out after 50 milliseconds',
    ])
    const { task } = await ok('POST /_reindex?wait_for_completion=false', body(port))
    await ok(`POST /_tasks/${task}/_cancel?wait_for_completion=true`)
    const { response } = await ok(`GET /_tasks/${task}?wait_for_completion=true`)
    expect(response).toMatchObject({ canceled: 'by user request', created: 0 })
  })

  it('that drips its answer is left when the task is cancelled', async () => {
    let left: () => void = () => {}
    const gone = new Promise<void>(resolve => {
      left = resolve
    })
    const port = await stand((incoming, _, response) => {
      if (incoming.url === '/') return json(response, version)
      response.writeHead(200, { 'content-type': 'application/json' })
      const drops = setInterval(() => response.write(' '), 5)
      response.on('close', () => {
        clearInterval(drops)
        left()
      })
    })
    const { task } = await ok('POST /_reindex?wait_for_completion=false', body(port))
    await new Promise(resolve => setTimeout(resolve, 50))
    await ok(`POST /_tasks/${task}/_cancel?wait_for_completion=true`)
    await gone
    const { response } = await ok(`GET /_tasks/${task}`)
    expect(response).toMatchObject({ canceled: 'by user request', total: 0, created: 0 })
  })

  it('that has always one more page is left at a limit, or when the task is cancelled', async () => {
    let page = 0
    const port = await stand((incoming, _, response) => {
      if (incoming.url === '/') return json(response, version)
      if (incoming.method === 'DELETE') return json(response, {})
      const hit = { _index: 'i', _id: `${page++}`, _source: { page } }
      json(response, { _scroll_id: 's', hits: { total: 1000, hits: [hit] } })
    })
    const limited = await ok('POST /_reindex?max_docs=3', body(port, { size: 1 }))
    expect(limited).toMatchObject({ total: 3, created: 3, batches: 3 })
    const { task } = await ok('POST /_reindex?wait_for_completion=false', body(port, { size: 1 }))
    while ((await ok(`GET /_tasks/${task}`)).task.status.batches < 10);
    await ok(`POST /_tasks/${task}/_cancel?wait_for_completion=true`)
    const { response } = await ok(`GET /_tasks/${task}`)
    expect(response).toMatchObject({ canceled: 'by user request', failures: [] })
    expect(response.created).toBeGreaterThanOrEqual(9)
  })

  it('that sends back what it was sent gets no secret shown', async () => {
    const port = await stand((incoming, _, response) => {
      const { authorization = '' } = incoming.headers
      const text = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()
      json(response, { seen: [authorization, text, incoming.headers['x-key']] }, 403)
    })
    const remote = { username: 'user', password: SECRET, headers: { 'x-key': 'k3y-canary' } }
    const { status, text } = await rest.call('POST /_reindex', body(port, {}, remote))
    expect([status, text.includes('***')]).toEqual([403, true])
    for (const secret of [SECRET, 'k3y-canary', Buffer.from(`user:${SECRET}`).toString('base64')])
      expect(text).not.toContain(secret)
  })

  it('that hangs up, or is not there, is told of', async () => {
    const port = await stand(incoming => incoming.socket.destroy())
    expect((await failure('POST /_reindex', body(port))).slice(0, 2)).toEqual([500, 'exception'])
    expect(await failure('POST /_reindex', body(0))).toEqual([
      500,
      'connect_exception',
      'Connection refused',
    ])
  })
})

describe('a remote that is refused', () => {
  const parseFailure = async (remote: unknown, source: object = {}): Promise<unknown[]> => {
    const request = { source: { index: 'i', remote, ...source }, dest: { index: 'to' } }
    const { status, json: found, text } = await rest.call('POST /_reindex', request)
    expect(text).not.toContain(SECRET)
    return [
      status,
      found.error.caused_by?.type ?? found.error.type,
      found.error.caused_by?.reason ?? found.error.reason,
    ]
  }
  const illegal = (reason: string): unknown[] => [400, 'illegal_argument_exception', reason]
  const form = (host: string): string =>
    `[host] must be of the form [scheme]://[host]:[port](/[pathPrefix])? but was [${host}]`

  it.each([
    'badremote',
    'http://badremote',
    'badremote:9200',
    'ftp://badremote:9200',
    'http://:9200',
    'http://badremote:99999',
    'http://bad remote:9200',
    'http://[badremote]:9200',
    'http://badremote:9200?x=1',
    'file:///etc/passwd',
    '',
  ])('has the host %j', async host => {
    expect(await parseFailure({ host })).toEqual(illegal(form(host)))
  })

  it('names a user in its host, which is not shown', async () => {
    expect(await parseFailure({ host: `http://u:${SECRET}@h:9200` })).toEqual(
      illegal(form('http://h:9200')),
    )
  })

  it.each([
    [{}, '[host] must be specified to reindex from a remote cluster'],
    [
      { host: 'http://h:1', weird: 'stuff', badkey: 1 },
      'Unsupported fields in [remote]: [weird,badkey]',
    ],
    [{ host: 7 }, 'Expected [host] to be a string'],
    [{ host: 'http://h:1', username: 7 }, 'Expected [username] to be a string'],
    [
      { host: 'http://h:1', headers: { a: 1 } },
      'Expected [headers] to be an object containing strings',
    ],
    [
      { host: 'http://h:1', headers: { a: 'x\r\ny: z' } },
      '[headers] has a name or value that no header may have: [a]',
    ],
    [{ host: 'http://h:1', socket_timeout: 'borked' }, 'failed to parse [borked]'],
    [
      { host: 'http://h:1', connect_timeout: '0s' },
      '[connect_timeout] must be above 0 but was [0s]',
    ],
    [7, 'Expected [remote] to be an object'],
  ])('has the parts %j', async (remote, reason) => {
    expect(await parseFailure(remote)).toEqual(illegal(reason))
  })

  it('asks for a query of no form, or for slices', async () => {
    expect(await parseFailure({ host: 'http://h:1' }, { query: 'x' })).toEqual(
      illegal('Expected [query] to be an object'),
    )
    expect(await failure('POST /_reindex?slices=2', body(9))).toEqual([
      400,
      'action_request_validation_exception',
      "Validation Failed: 1: reindex from remote sources doesn't support slices > 1 but was [2];",
    ])
  })

  it.each(['badremote:9200', '[::2]:9200', '127.0.0.2:9200', '0x7f.1:9200', '2130706433:9200'])(
    'is [%s], which is not listed',
    async place => {
      expect(await failure('POST /_reindex', body('', {}, { host: `http://${place}` }))).toEqual(
        illegal(`[${place}] not allowlisted in reindex.remote.allowlist`),
      )
    },
  )

  it('shows no secret in its task', async () => {
    const port = await stand(() => {})
    const remote = { username: 'user', password: SECRET, headers: { 'x-key': SECRET } }
    const { task } = await ok('POST /_reindex?wait_for_completion=false', body(port, {}, remote))
    const shown = await rest.call(`GET /_tasks/${task}`)
    expect(shown.json.task.description).toBe(
      `reindex from [host=127.0.0.1 port=${port} query={"match_all":{}} username=user password=<<>>][from] to [to]`,
    )
    expect(shown.text).not.toContain(SECRET)
    await ok(`POST /_tasks/${task}/_cancel?wait_for_completion=true`)
  })
})

it('refuses a list that lets every server pass', async () => {
  const open = await openRest({ 'reindex.remote.allowlist': '*:*' })
  const [status, , reason] = await failure('POST /_reindex', body(9), open)
  expect(status).toBe(400)
  expect(reason).toContain('Refusing to start because allowlist [*:*] accepts all addresses.')
  await open.close()
})

describe('a reindex over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lamella-tls-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const authority = newAuthority()
  const client = authority.issue('client')
  for (const [name, text] of Object.entries({
    'ca.pem': authority.cert,
    'other.pem': newAuthority('another').cert,
    'client.pem': client.cert,
    'client.key': client.key,
  }))
    writeFileSync(join(folder, name), text)

  /** A gate before a served node: TLS with a client's certificate, and a password. */
  async function gate(subject = 'localhost'): Promise<number> {
    const inner = await servedNode()
    const { cert, key } = authority.issue(subject)
    const options = { cert, key, ca: authority.cert, requestCert: true, rejectUnauthorized: true }
    const expected = `Basic ${Buffer.from(`user:${SECRET}`).toString('base64')}`
    const server = createTlsServer(options, (incoming, response) => {
      if (incoming.headers.authorization !== expected) return json(response, { error: 'who?' }, 401)
      const { method, url: path, headers } = incoming
      const passed = request({ host: '127.0.0.1', port: inner, method, path, headers }, answer => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      })
      incoming.pipe(passed)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.unshift(() => {
      server.closeAllConnections()
      server.close()
    })
    return (server.address() as { port: number }).port
  }

  const withTls = async (
    more: Record<string, string>,
    step: (on: Rest) => Promise<void>,
  ): Promise<void> => {
    const on = await openRest({
      'path.conf': folder,
      'reindex.remote.allowlist': 'localhost:*',
      'reindex.ssl.certificate_authorities': 'ca.pem',
      'reindex.ssl.certificate': 'client.pem',
      'reindex.ssl.key': 'client.key',
      ...more,
    })
    try {
      await step(on)
    } finally {
      await on.close()
    }
  }
  const secured = (port: number, password = SECRET): object =>
    body(port, {}, { host: `https://localhost:${port}`, username: 'user', password })

  it('copies with certificates of both sides and a password', async () => {
    const port = await gate()
    await withTls({}, async on => {
      const answer = await ok('POST /_reindex', secured(port), on)
      expect(answer).toMatchObject({ created: 25 })
      const [status, type] = await failure('POST /_reindex', secured(port, 'wrong'), on)
      expect([status, type]).toEqual([401, 'status_exception'])
    })
  })

  it('refuses a server that another authority vouches for, unless told otherwise', async () => {
    const port = await gate()
    await withTls({ 'reindex.ssl.certificate_authorities': 'other.pem' }, async on => {
      const found = await failure('POST /_reindex', secured(port), on)
      expect(found.slice(0, 2)).toEqual([500, 's_s_l_handshake_exception'])
    })
    const trusting = {
      'reindex.ssl.certificate_authorities': 'other.pem',
      'reindex.ssl.verification_mode': 'none',
    }
    await withTls(trusting, async on => {
      expect(await ok('POST /_reindex', secured(port), on)).toMatchObject({ created: 25 })
    })
  })

  it('refuses a server of another name, unless names do not matter', async () => {
    const port = await gate('elsewhere')
    await withTls({}, async on => {
      const found = await failure('POST /_reindex', secured(port), on)
      expect(found.slice(0, 2)).toEqual([500, 's_s_l_handshake_exception'])
    })
    await withTls({ 'reindex.ssl.verification_mode': 'certificate' }, async on => {
      expect(await ok('POST /_reindex', secured(port), on)).toMatchObject({ created: 25 })
    })
  })

  /** Writes the client's key, locked. */
  function lockedKey(type: 'pkcs8' | 'sec1'): void {
    const pem = createPrivateKey(client.key).export({
      type,
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: PASSPHRASE,
    })
    writeFileSync(join(folder, 'locked.key'), pem)
  }
  const locked = { 'reindex.ssl.key': 'locked.key' }

  it.each(['pkcs8', 'sec1'] as const)('opens a %s key with its passphrase', async type => {
    lockedKey(type)
    const port = await gate()
    await withTls({ ...locked, 'reindex.ssl.key_passphrase': PASSPHRASE }, async on => {
      expect(await ok('POST /_reindex', secured(port), on)).toMatchObject({ created: 25 })
      const shown = [
        'GET /_nodes',
        'GET /_nodes?flat_settings=true',
        'GET /_cluster/settings?include_defaults=true',
        'GET /_cluster/state',
        'GET /_tasks?detailed=true',
      ]
      for (const path of shown) {
        const { status, text } = await on.call(path)
        expect([path, status]).toEqual([path, 200])
        expect(text).not.toContain(PASSPHRASE)
        expect(text).not.toContain('key_passphrase')
      }
    })
  })

  it('refuses a locked key without its passphrase, and says of it nothing', async () => {
    lockedKey('pkcs8')
    for (const [passphrase, reason] of [
      [
        undefined,
        'the key of [reindex.ssl.key] has a passphrase: set [reindex.ssl.key_passphrase]',
      ],
      ['', 'the key of [reindex.ssl.key] has a passphrase: set [reindex.ssl.key_passphrase]'],
      [
        `${PASSPHRASE}!`,
        'the key of [reindex.ssl.key] does not open with [reindex.ssl.key_passphrase]',
      ],
    ] as const) {
      const more = passphrase === undefined ? {} : { 'reindex.ssl.key_passphrase': passphrase }
      await withTls({ ...locked, ...more }, async on => {
        const { status, text } = await on.call('POST /_reindex?error_trace=true', secured(9))
        expect([status, JSON.parse(text).error.reason]).toEqual([400, reason])
        expect(text).not.toContain(PASSPHRASE)
      })
    }
  })

  it('refuses a key that is none, and one of another certificate', async () => {
    writeFileSync(join(folder, 'none.key'), 'no key')
    writeFileSync(join(folder, 'foreign.key'), authority.issue('client').key)
    for (const [key, reason] of [
      ['none.key', '[reindex.ssl.key] is no private key in PEM'],
      [
        'foreign.key',
        '[reindex.ssl.certificate] and [reindex.ssl.key] are no certificate with its key in PEM: ERR_OSSL_X509_KEY_VALUES_MISMATCH',
      ],
    ] as const)
      await withTls({ 'reindex.ssl.key': key }, async on => {
        const found = await failure('POST /_reindex', secured(9), on)
        expect(found).toEqual([400, 'illegal_argument_exception', reason])
      })
  })

  it('refuses files that there are none of', async () => {
    await withTls({ 'reindex.ssl.key': 'missing.key' }, async on => {
      expect((await failure('POST /_reindex', secured(9), on))[0]).toBe(400)
    })
  })
})
