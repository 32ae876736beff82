import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { EngineApi } from '../../src/engine/api/engine-api.ts'
import { Dispatcher } from '../../src/rest/dispatch.ts'
import { type HttpServer, startHttpServer } from '../../src/rest/http-server.ts'
import { Settings } from '../../src/schema/settings.ts'
import { openServices } from '../../src/service/services.ts'
import { bulk, createIndex, engineWith } from '../support/engine-calls.ts'

let engine: EngineApi
let dispatcher: Dispatcher
let server: HttpServer | null = null
const sockets: Socket[] = []

beforeEach(async () => {
  engine = await engineWith(null)
  dispatcher = new Dispatcher(engine, openServices(engine), { maxContentLength: 1_000_000 })
  await createIndex(engine, 'books', { 'index.number_of_shards': '1' })
  const lines = Array.from({ length: 50 }, (_, i) => [{ index: {} }, { title: `volume ${i}` }])
  await bulk(engine, 'books', lines.flat(), 'true')
})

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server?.close(0)
  server = null
  await engine.close()
})

async function start(settings: Record<string, string>): Promise<HttpServer> {
  server = await startHttpServer(dispatcher, {
    host: '127.0.0.1',
    port: 0,
    settings: new Settings(Object.entries(settings)),
  })
  return server
}

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

function send(
  method: string,
  path: string,
  body = '',
  agent: Agent | false = false,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const { host, port } = server as HttpServer
  return new Promise((resolve, reject) => {
    const type = body === '' ? {} : { 'content-type': 'application/json' }
    const request = httpRequest(
      { host, port, method, path, agent, headers: { ...type, ...headers } },
      response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', chunk => {
          text += chunk
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        )
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/** Opens connections that send `text`, in their order. */
async function hold(count: number, text = ''): Promise<Socket[]> {
  const { host, port } = server as HttpServer
  const opened: Socket[] = []
  for (let i = 0; i < count; i++) {
    const socket = connect(port, host)
    sockets.push(socket)
    // The server may close it at any time.
    socket.on('error', () => {})
    opened.push(socket)
    await new Promise(resolve => socket.once('connect', resolve))
    if (text === '') continue
    socket.write(text)
    // The server has to read it before it can tell that the connection is not idle.
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  return opened
}

/** All that comes until the connection is closed. */
function textOf(socket: Socket): Promise<string> {
  return new Promise(resolve => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
}

/** A search with a body that never comes whole: its connection stays busy. */
const HALF_REQUEST =
  'POST /books/_search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n' +
  'content-length: 100\r\n\r\n{'

/** Many requests in one piece on one connection; statuses and texts of the answers. */
async function pipelined(count: number): Promise<Reply[]> {
  const body = '{"size":50}'
  const one =
    'POST /books/_search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n' +
    `content-length: ${body.length}\r\n`
  const [socket] = await hold(1)
  const text = textOf(socket as Socket)
  socket?.write(`${`${one}\r\n${body}`.repeat(count - 1)}${one}connection: close\r\n\r\n${body}`)
  return (await text)
    .split(/(?=HTTP\/1\.1 )/)
    .filter(part => part !== '')
    .map(part => {
      const [head = '', ...rest] = part.split('\r\n\r\n')
      const headers = head.split('\r\n').map(line => line.toLowerCase().split(': '))
      return {
        status: Number(head.slice(9, 12)),
        headers: Object.fromEntries(headers),
        text: rest.join(''),
      }
    })
}

const HEALTH = 'GET /_cluster/health HTTP/1.1\r\nhost: localhost\r\n\r\n'

it('closes the connection that was idle for longest for a new one', async () => {
  await start({ 'http.max_connections': '4' })
  const idle = await hold(4)
  const gone = textOf(idle[0] as Socket)
  expect((await send('GET', '/')).status).toBe(200)
  expect(await gone).toBe('')
  expect(idle.slice(1).map(socket => socket.destroyed)).toEqual([false, false, false])
})

it('serves each new connection beside many idle ones', async () => {
  await start({ 'http.max_connections': '64' })
  await hold(64)
  const replies = await Promise.all(Array.from({ length: 40 }, () => send('GET', '/books/_count')))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  // Not one of those that have asked is closed while it is served.
  expect(dispatcher.connections.open).toBeLessThanOrEqual(65)
})

it('answers 503 where all connections are busy, but health and cancellation', async () => {
  await start({ 'http.max_connections': '3' })
  await hold(3, HALF_REQUEST)
  const refused = await send('GET', '/books/_search', '', false, { 'x-opaque-id': 'mine' })
  expect(refused.status).toBe(503)
  expect(refused.headers['retry-after']).toBe('1')
  expect(refused.headers['connection']).toBe('close')
  expect(refused.headers['x-opaque-id']).toBe('mine')
  const reason = 'all of the [3] connections that [http.max_connections] allows are busy'
  const type = 'rejected_execution_exception'
  expect(JSON.parse(refused.text)).toEqual({
    error: { root_cause: [{ type, reason }], type, reason },
    status: 503,
  })
  const health = await send('GET', '/_cluster/health')
  expect(health.status).toBe(200)
  expect(health.headers['connection']).toBe('close')
  expect((await send('POST', '/_tasks/_cancel?actions=none')).status).toBe(200)
})

it('answers 503 unread beyond those that it still reads', async () => {
  await start({ 'http.max_connections': '2' })
  await hold(2 + 64, HALF_REQUEST.slice(0, 40))
  const [unread] = await hold(1)
  const text = await textOf(unread as Socket)
  expect(text).toContain('HTTP/1.1 503 Service Unavailable\r\n')
  expect(text).toContain('retry-after: 1\r\n')
  expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).error.reason).toContain('[2] connections')
  expect(dispatcher.refusals.surplus).toBe(1)
})

it('forgets connections that go', async () => {
  await start({ 'http.max_connections': '3' })
  const busy = await hold(3, HALF_REQUEST)
  expect((await send('GET', '/')).status).toBe(200)
  expect((await send('GET', '/_cat/indices')).status).toBe(503)
  for (const socket of busy) socket.destroy()
  while (dispatcher.connections.open > 0) await new Promise(resolve => setTimeout(resolve, 5))
  expect((await send('GET', '/_cat/indices')).status).toBe(200)
})

it('keeps a connection for its next request', async () => {
  await start({ 'http.max_connections': '2' })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let i = 0; i < 20; i++) expect((await send('GET', '/', '', agent)).status).toBe(200)
  expect(dispatcher.connections.opened).toBe(1)
  agent.destroy()
})

it('refuses requests that would wait too long, by their kind', async () => {
  await start({ 'lamella.admission.deadline': '1ms', 'lamella.admission.min_requests': '1' })
  // The first guess is 2 ms: beside one search none may come.
  const replies = await pipelined(30)
  expect(replies).toHaveLength(30)
  expect(replies[0]?.status).toBe(200)
  const refused = replies.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(20)
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]))
  const [reply] = refused
  expect(Number(reply?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  expect(reply?.headers['x-content-type-options']).toBe('nosniff')
  const { error, status } = JSON.parse(reply?.text ?? '')
  expect(error.type).toBe('rejected_execution_exception')
  expect(error.reason).toBe(
    'the node is overloaded: requests of this kind would wait for longer than [lamella.admission.deadline]',
  )
  expect(status).toBe(429)
})

it('refuses before the body has come, and lets other kinds and health through', async () => {
  await start({ 'lamella.admission.deadline': '1ms', 'lamella.admission.min_requests': '1' })
  const waits = '/_cluster/state?wait_for_metadata_version=999999&wait_for_timeout=60s'
  const [held] = await hold(1, `GET ${waits} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
  const state = textOf(held as Socket)
  const [socket] = await hold(1, HALF_REQUEST.replace('/books/_search', '/books/_refresh'))
  const half = textOf(socket as Socket)
  const refused = await send('GET', '/_cat/indices')
  expect(refused.status).toBe(429)
  expect((await send('GET', '/_cluster/health')).status).toBe(200)
  expect((await send('GET', '/_tasks')).status).toBe(200)
  expect((await send('POST', '/books/_search')).status).toBe(200)
  expect((await send('PUT', '/books/_doc/1', '{}')).status).toBe(201)
  held?.destroy()
  socket?.destroy()
  expect(await state).toBe('')
  expect(await half).toContain('HTTP/1.1 429 Too Many Requests')
})

it('counts what it refused in the statistics of the node, by kind', async () => {
  const rejections = async (): Promise<unknown> => {
    const { text } = await send('GET', '/_nodes/stats/admission_control,http')
    const [{ admission_control: control, http }] = Object.values<
      Record<string, Record<string, unknown>>
    >(JSON.parse(text).nodes) as [Record<string, Record<string, unknown>>]
    return [control, http?.['total_rejected']]
  }
  const counts = (search: number, indexing: number): object => ({
    transport: { rejection_count: { search, indexing } },
  })
  await start({ 'http.max_connections': '6', 'lamella.admission.min_requests': '1' })
  expect(await rejections()).toEqual([
    { global_cpu_usage: counts(0, 0), global_io_usage: counts(0, 0) },
    0,
  ])
  await server?.close(0)
  await start({
    'http.max_connections': '6',
    'lamella.admission.deadline': '1ms',
    'lamella.admission.min_requests': '1',
  })
  const refused = (await pipelined(20)).filter(({ status }) => status === 429).length
  expect(refused).toBeGreaterThan(10)
  expect(await rejections()).toEqual([
    { global_cpu_usage: counts(refused, 0), global_io_usage: counts(0, 0) },
    refused,
  ])
  // A write that waits for others of the pipeline is one of its own kind.
  const put = 'PUT /books/_doc/1 HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
  const [socket] = await hold(1)
  const text = textOf(socket as Socket)
  const one = `${put}content-length: 2\r\n\r\n{}`
  const last = `${put}connection: close\r\ncontent-length: 2\r\n\r\n{}`
  socket?.write(one.repeat(9) + last)
  const writes = (await text).split('HTTP/1.1 429').length - 1
  expect(writes).toBeGreaterThan(3)
  expect(await rejections()).toEqual([
    { global_cpu_usage: counts(refused, writes), global_io_usage: counts(0, 0) },
    refused + writes,
  ])
  // For want of a connection: of no kind.
  const busy = await hold(6, HALF_REQUEST)
  expect((await send('GET', '/books/_search')).status).toBe(503)
  for (const each of busy) each.destroy()
  while (dispatcher.connections.open > 0) await new Promise(resolve => setTimeout(resolve, 5))
  const [, total] = (await rejections()) as [unknown, number]
  expect(total).toBe(refused + writes + 1)
})

it('lets those that ask again at once wait for their refusal', async () => {
  await start({ 'lamella.admission.deadline': '1ms', 'lamella.admission.min_requests': '1' })
  const waits = '/_cluster/state?wait_for_metadata_version=999999&wait_for_timeout=60s'
  await hold(1, `GET ${waits} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const began = performance.now()
  for (let i = 0; i < 5; i++)
    expect((await send('GET', '/_cat/indices', '', agent)).status).toBe(429)
  expect(performance.now() - began).toBeGreaterThan(5 * 45)
  agent.destroy()
})

it('bounds requests under way by the queues of the pools too', async () => {
  await start({
    'lamella.admission.deadline': '1h',
    'lamella.admission.min_requests': '1',
    'thread_pool.search.queue_size': '1',
  })
  const statuses = (await pipelined(30)).map(({ status }) => status)
  expect(statuses).toHaveLength(30)
  expect(statuses.slice(0, 2)).toEqual([200, 200])
  expect(statuses.filter(status => status === 429).length).toBeGreaterThan(20)
})

it('refuses nothing where it is off', async () => {
  await start({
    'lamella.admission.enabled': 'false',
    'lamella.admission.deadline': '1ms',
    'lamella.admission.min_requests': '1',
  })
  const statuses = (await pipelined(60)).map(({ status }) => status)
  expect(statuses).toEqual(Array(60).fill(200))
})

it('reads the next request of a connection whose last was a health check', async () => {
  await start({ 'http.max_connections': '1' })
  const [socket] = await hold(1, HEALTH)
  const text = textOf(socket as Socket)
  await new Promise(resolve => setTimeout(resolve, 20))
  socket?.write(HEALTH.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
  expect((await text).split('HTTP/1.1 200 OK')).toHaveLength(3)
})
