/** Repositories that a server hands out over HTTP, some of them in ways that they should not. */
import { createReadStream, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openSnapshotRest, type SnapshotRest, upTo } from '../../support/snapshot-calls.ts'

type Handle = (request: IncomingMessage, response: ServerResponse, path: string) => void

const COUNT = 400

let rest: SnapshotRest
let server: Server
let port: number
let handle: Handle
const asked: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.range ?? ''}`.trim())
    handle(request, response, (request.url ?? '').replace(/^\/served\//, ''))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  rest = await openSnapshotRest({
    'repositories.url.allowed_urls': `http://127.0.0.1:${port}/served/*,http://*.example:80/*`,
  })
  await rest.ok('PUT /_snapshot/own', {
    type: 'fs',
    settings: { location: 'served', chunk_size: '2kb', compress: true },
  })
  await rest.fill('a', 0, COUNT)
  await rest.ok('PUT /_snapshot/own/s?wait_for_completion', { indices: 'a' })
})
afterEach(async () => {
  await rest.call('DELETE /_snapshot/u')
  await rest.call('DELETE /back')
  asked.length = 0
})
afterAll(async () => {
  await rest.end()
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

/** Serves the folder as it is. */
const whole: Handle = (_, response, path) => {
  const file = join(rest.repository('served'), path)
  if (!existsSync(file)) response.writeHead(404).end('<html>not here</html>')
  else createReadStream(file).pipe(response.writeHead(200))
}

/** The same, with ranges. */
const ranges: Handle = (request, response, path) => {
  const file = join(rest.repository('served'), path)
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
  if (range === null || !existsSync(file)) return whole(request, response, path)
  const [start, end] = [Number(range[1]), Number(range[2])]
  const headers = { 'content-range': `bytes ${start}-${end}/${statSync(file).size}` }
  createReadStream(file, { start, end }).pipe(response.writeHead(206, headers))
}

const register = (): ReturnType<SnapshotRest['call']> =>
  rest.call('PUT /_snapshot/u', {
    type: 'url',
    settings: { url: `http://127.0.0.1:${port}/served` },
  })

const restore = (): ReturnType<SnapshotRest['call']> =>
  rest.call('POST /_snapshot/u/s/_restore?wait_for_completion', {
    rename_pattern: 'a',
    rename_replacement: 'back',
  })

for (const [name, serve] of [
  ['with ranges', ranges],
  ['without ranges', whole],
] as const)
  it(`reads a repository of a server ${name}, whose files are in parts`, async () => {
    handle = serve
    expect((await register()).status).toBe(200)
    const { snapshots } = await rest.ok('GET /_snapshot/u/_all')
    expect(snapshots[0]).toMatchObject({ snapshot: 's', indices: ['a'], state: 'SUCCESS' })
    await rest.ok('POST /_snapshot/u/_verify')
    expect((await restore()).json.snapshot.shards).toEqual({ total: 1, failed: 0, successful: 1 })
    expect(await rest.numbers('back')).toEqual(upTo(COUNT))
    expect(asked.filter(line => /blobs\/blob-.*\.2048\.1 bytes=0-/.test(line))).not.toEqual([])
    expect(asked.every(line => line.startsWith('GET /served/'))).toBe(true)
    for (const line of [
      'PUT /_snapshot/u/t',
      'DELETE /_snapshot/u/s',
      'POST /_snapshot/u/_cleanup',
    ])
      expect((await rest.refused(line)).slice(0, 2)).toEqual([400, 'repository_exception'])
  })

it('asks again where an answer breaks off or the server is busy', async () => {
  const failed = new Set<string>()
  handle = (request, response, path) => {
    const key = `${path} ${request.headers.range}`
    if (failed.has(key)) return ranges(request, response, path)
    failed.add(key)
    if (failed.size % 2 === 0) response.writeHead(503).end()
    else {
      response.writeHead(request.headers.range === undefined ? 200 : 206, {
        'content-length': 1000,
        'content-range': request.headers.range?.replace('=', ' ') ?? '',
      })
      response.write('half')
      setImmediate(() => response.destroy())
    }
  }
  expect((await register()).status).toBe(200)
  expect((await restore()).status).toBe(200)
  expect(await rest.numbers('back')).toEqual(upTo(COUNT))
})

it('follows the list of snapshots as it changes', async () => {
  handle = ranges
  await register()
  await rest.ok('PUT /_snapshot/own/t?wait_for_completion', { indices: 'a' })
  const names = async (): Promise<string[]> =>
    (await rest.ok('GET /_snapshot/u/_all')).snapshots.map(
      ({ snapshot }: { snapshot: string }) => snapshot,
    )
  expect(await names()).toEqual(['s', 't'])
  await rest.ok('DELETE /_snapshot/own/t')
  expect(await names()).toEqual(['s'])
})

it('is told of a root that a crash came before, when old ones are deleted', async () => {
  const latest = join(rest.repository('served'), 'index.latest')
  const roots = readdirSync(rest.repository('served')).filter(name => /^index-\d+$/.test(name))
  expect(roots).toHaveLength(1)
  // As if the root were there, and nothing after it had happened.
  rmSync(latest)
  writeFileSync(latest, '1')
  const other = await openSnapshotRest({ 'path.repo': join(rest.folder, 'data', 'repositories') })
  try {
    const location = join(rest.folder, 'data', 'repositories', 'served')
    await other.ok('PUT /_snapshot/own', { type: 'fs', settings: { location } })
    await other.ok('POST /_snapshot/own/_cleanup')
  } finally {
    await other.end()
  }
  handle = ranges
  expect((await register()).status).toBe(200)
  expect((await rest.ok('GET /_snapshot/u/_all')).snapshots).toHaveLength(1)
})

const HOSTILE: readonly (readonly [name: string, handle: Handle, reason: RegExp])[] = [
  ['a redirect', (_, r) => r.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), /\[302\]/],
  ['nothing', (_, r) => r.writeHead(404).end(), /there is no \[index\.latest\]/],
  ['another text', (_, r) => r.writeHead(200).end('index-1'), /index\.latest/],
  ['a path', (_, r) => r.writeHead(200).end('../../etc'), /index\.latest/],
  ['a page', (_, r) => r.writeHead(200).end('<html>'.repeat(10)), /longer than any file/],
  [
    'a root that has no end',
    (_, response, path) => {
      if (path === 'index.latest') return void response.writeHead(200).end('1')
      response.writeHead(200)
      response.end('LMLRROOT')
    },
    /could not read repository data/,
  ],
]
for (const [name, serve, reason] of HOSTILE)
  it(`refuses a server that answers with ${name}`, async () => {
    handle = serve
    const { status, text } = await register()
    expect(status).toBe(500)
    expect(text).toMatch(reason)
    expect(text).not.toContain('<html>')
    expect((await rest.call('GET /_snapshot/u')).status).toBe(404)
  })

it('refuses endless answers, other ranges and other bytes, and leaves nothing half done', async () => {
  handle = ranges
  await register()
  for (const [headers, body] of [
    [{ 'content-range': 'bytes 7-8/9' }, 'xy'],
    [{ 'content-range': 'bytes 0-1/2' }, 'x'.repeat(100_000)],
    [{ 'content-range': 'bytes 0-2047/2048' }, 'x'.repeat(2048)],
  ] as const) {
    handle = (request, response, path) => {
      if (!path.startsWith('blobs/')) return ranges(request, response, path)
      response.writeHead(206, headers).end(body)
    }
    const { status } = await restore()
    expect(status).toBeGreaterThanOrEqual(200)
    const { status: found } = await rest.call('GET /back/_search')
    expect(found).not.toBe(200)
    await rest.call('DELETE /back')
  }
})

it('ends a restore from a silent server at once when it is cancelled', async () => {
  handle = ranges
  await register()
  let isSilent = false
  handle = (request, response, path) => {
    if (!path.startsWith('blobs/')) return ranges(request, response, path)
    isSilent = true
  }
  const restored = restore()
  let isOver = false
  void restored.then(() => {
    isOver = true
  })
  while (!isSilent && !isOver) await new Promise(resolve => setTimeout(resolve, 1))
  expect(isOver).toBe(false)
  const { tasks } = await rest.ok(
    'GET /_tasks?group_by=none&actions=cluster:admin/snapshot/restore',
  )
  await rest.ok(`POST /_tasks/${tasks[0].node}:${tasks[0].id}/_cancel`)
  expect((await restored).text).toContain('cancel')
  expect((await rest.call('GET /back/_search')).status).not.toBe(200)
})

it('goes only where the settings of the node allow', async () => {
  handle = ranges
  const put = (url: string): Promise<readonly [number, string, string]> =>
    rest.refused('PUT /_snapshot/u', { type: 'url', settings: { url } })
  const here = `http://127.0.0.1:${port}`
  const unlisted = (url: string): string =>
    `[u] file url [${url}] doesn't match any of the locations specified by path.repo or repositories.url.allowed_urls`
  for (const url of [
    `${here}/other/`,
    `${here}/served/../other/`,
    `http://127.0.0.1:1/served/`,
    `https://127.0.0.1:${port}/served/`,
    `http://localhost:${port}/served/`,
    `http://[::1]:${port}/served/`,
    `http://0x7f.1:1/served/`,
  ]) {
    const [status, type, reason] = await put(url)
    expect([status, type]).toEqual([400, 'repository_exception'])
    expect(reason).toBe(unlisted(new URL(url).href))
  }
  for (const path of ['served/%2e%2e/other', 'served/..%2fother', 'served/..%5cother'])
    expect((await put(`${here}/${path}/`))[0]).toBe(400)
  for (const url of [
    `http://user:secret@127.0.0.1:${port}/served/`,
    `${here}/served/?token=secret`,
  ]) {
    const [status, type, reason] = await put(url)
    expect([status, type]).toEqual([400, 'repository_exception'])
    expect(reason).not.toContain('secret')
  }
  expect(asked).toEqual([])
})
