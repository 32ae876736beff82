/** The scroll of the official client's helpers, and that of a reindex from another server, before one recording proxy. */
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { Client } from '@opensearch-project/opensearch'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HttpServer, startHttpServer } from '../../../src/rest/http-server.ts'
import { Settings } from '../../../src/schema/settings.ts'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

const COUNT = 25
const PAGE = 10

interface Seen {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  // biome-ignore lint/suspicious/noExplicitAny: a body as JSON, looked into by the test
  readonly body: any
}

let source: Rest
let target: Rest
let server: HttpServer
let proxy: Server
let client: Client
let port: number
const seen: Seen[] = []

beforeAll(async () => {
  source = await openRest()
  target = await openRest({ 'reindex.remote.allowlist': '127.0.0.1:*' })
  const lines = Array.from({ length: COUNT }, (_, n) => [{ index: { _id: `${n}` } }, { n }])
  await okOf(() => source)('PUT /from', { settings: { number_of_shards: 3 } })
  await okOf(() => source)('POST /from/_bulk?refresh=true', ndjson(...lines.flat()))
  const settings = Settings.EMPTY
  server = await startHttpServer(source.dispatcher, { host: '127.0.0.1', port: 0, settings })
  proxy = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', chunk => chunks.push(chunk))
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming
      const { pathname, searchParams } = new URL(url, 'http://proxy')
      const bytes = Buffer.concat(chunks)
      const body = bytes.length === 0 ? null : JSON.parse(bytes.toString())
      seen.push({ method, path: pathname, query: searchParams, body })
      const options = { host: '127.0.0.1', port: server.port, method, path: url, headers }
      request(options, answer => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      }).end(bytes)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  port = (proxy.address() as { port: number }).port
  client = new Client({ node: `http://127.0.0.1:${port}` })
})
afterAll(async () => {
  await client.close()
  proxy.closeAllConnections()
  proxy.close()
  await server.close(1000)
  await source.close()
  await target.close()
})
beforeEach(() => {
  seen.length = 0
})

const openContexts = async (): Promise<number> => {
  const { _all } = await okOf(() => source)('GET /from/_stats/search')
  return _all.total.search.open_contexts
}

const PARAMS = { index: 'from', size: PAGE, body: { query: { match_all: {} } } }
const ALL = Array.from({ length: COUNT }, (_, n) => n)

describe('the helpers of the official client', () => {
  it('scroll through all documents, and end the scroll', async () => {
    const pages: number[] = []
    const numbers: number[] = []
    for await (const { body, documents } of client.helpers.scrollSearch({ ...PARAMS })) {
      pages.push(body.hits.hits.length)
      expect(body.hits.total).toEqual({ value: COUNT, relation: 'eq' })
      for (const { n } of documents as { n: number }[]) numbers.push(n)
    }
    expect(pages).toEqual([PAGE, PAGE, COUNT - 2 * PAGE])
    expect(numbers.sort((a, b) => a - b)).toEqual(ALL)
    expect(await openContexts()).toBe(0)
  })

  it('read documents alone, by filtered answers', async () => {
    const numbers: number[] = []
    for await (const document of client.helpers.scrollDocuments({ ...PARAMS }))
      numbers.push((document as { n: number }).n)
    expect(numbers.sort((a, b) => a - b)).toEqual(ALL)
    expect(seen[0]!.query.get('filter_path')).toContain('hits.hits._source')
  })

  it('give a scroll back amid it', async () => {
    for await (const page of client.helpers.scrollSearch({ ...PARAMS })) {
      expect(await openContexts()).toBeGreaterThan(0)
      await page.clear()
    }
    expect(await openContexts()).toBe(0)
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'DELETE'])
  })
})

describe('a reindex from another server', () => {
  it('asks as the client does', async () => {
    for await (const _ of client.helpers.scrollSearch({ ...PARAMS, scroll: '5m' }));
    const byClient = seen.splice(0)
    const answer = await okOf(() => target)('POST /_reindex', {
      source: { index: 'from', size: PAGE, remote: { host: `http://127.0.0.1:${port}` } },
      dest: { index: 'to' },
    })
    expect(answer).toMatchObject({ total: COUNT, created: COUNT, batches: 3 })
    const [version, ...byReindex] = seen.splice(0)
    expect(version).toMatchObject({ method: 'GET', path: '/' })
    const lineOf = ({ method, path }: Seen): string => `${method} ${path}`
    const next = 'POST /_search/scroll'
    const [first, last] = ['POST /from/_search', 'DELETE /_search/scroll']
    // The client asks for one page more, which is empty; a page that is not full is the last one.
    expect(byClient.map(lineOf)).toEqual([first, next, next, next, last])
    expect(byReindex.map(lineOf)).toEqual([first, next, next, last])
    for (const [i, own] of byReindex.entries()) {
      const theirs = byClient.find(each => lineOf(each) === lineOf(own))!
      // Ours has more parameters of the search, and lists the scrolls that it ends.
      for (const [name, value] of theirs.query)
        expect([name, own.query.get(name)]).toEqual([name, name === 'scroll' ? '300000ms' : value])
      const keys = Object.keys(theirs.body)
      expect(Object.keys(own.body)).toEqual(expect.arrayContaining(keys))
      if (i > 0) expect([own.body.scroll_id].flat()).toEqual([expect.any(String)])
    }
    expect(await openContexts()).toBe(0)
  })
})
