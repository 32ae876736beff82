import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Database } from '../../src/embed/database.ts'
import { LamellaError } from '../../src/embed/lamella-error.ts'
import { localBackend } from '../../src/embed/local-backend.ts'
import { open } from '../../src/embed/open.ts'
import { serve } from '../../src/embed/serve.ts'
import type { EngineApi } from '../../src/engine/api/engine-api.ts'
import { Settings } from '../../src/schema/settings.ts'
import { TaskRegistry } from '../../src/task/task-registry.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('embed')

/** A request over a socket: status, headers, the body's bytes. */
function overSocket(
  url: string,
  method: string,
  path: string,
  body?: string,
): Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> =
      body === undefined ? {} : { 'content-type': 'application/json' }
    const request = httpRequest(url + path, { method, headers, agent: false }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

describe('a database in memory', () => {
  it('says what ran its searches, and runs a phrase after a word alike', async () => {
    await using db = await open()
    const notes = await db.index('notes', { properties: { text: { type: 'text' } } })
    // Past 128 documents a term's positions lie in blocks.
    for (let i = 0; i < 150; i++)
      await notes.put(`${i}`, { text: i % 2 === 0 ? 'the quick fox' : 'quick the fox', n: i })
    await notes.refresh()
    const count = async (body: Record<string, unknown>): Promise<number | undefined> =>
      (await notes.search({ size: 1, trackTotalHits: true, ...body })).total?.value
    expect(await count({ query: { match: { text: 'quick' } } })).toBe(150)
    expect(await count({ query: { match_phrase: { text: 'the quick' } } })).toBe(75)
    expect(await count({ query: { match_all: {} }, sort: [{ n: 'desc' }] })).toBe(150)
    const kernels = db.executorCounts['kernels']
    expect(kernels).toBe(3)
    const must = [{ match: { text: 'fox' } }, { match: { text: 'the quick' } }]
    expect(await count({ query: { bool: { must } } })).toBe(150)
    expect(await count({ query: { match: { text: 'fox' } }, profile: true })).toBe(150)
    expect(db.executorCounts).toEqual({ kernels, nested_bool: 1, profile: 1 })
  })
})

describe('a database in a folder', () => {
  it('reopens with what was written before it was closed', async () => {
    const path = join(folder, 'kept')
    {
      await using db = await open(path)
      const notes = await db.index('notes', { properties: { text: { type: 'text' } } })
      await notes.put('1', { text: 'kept over a restart' })
    }
    expect(statSync(path).mode & 0o777).toBe(0o700)
    await using db = await open(path)
    expect(await db.indices()).toEqual(['notes'])
    const notes = await db.existing('notes')
    expect((await notes.get('1'))?.source).toEqual({ text: 'kept over a restart' })
    expect((await notes.search({ query: { match: { text: 'restart' } } })).total?.value).toBe(1)
  })

  it('takes node settings from its lamella.json, which options overrule', async () => {
    const path = join(folder, 'settings')
    mkdirSync(path)
    const file = join(path, 'lamella.json')
    const text = '{"node":{"name":"from-file"},"cluster.name":"c1","lamella.threads.search":1}'
    writeFileSync(file, text)
    {
      await using db = await open(path)
      expect(db.identity).toMatchObject({ nodeName: 'from-file', clusterName: 'c1' })
    }
    {
      const settings = { 'cluster.name': 'c2', 'node.name': null }
      await using db = await open(path, { settings })
      expect(db.identity).toMatchObject({ nodeName: 'lamella-0', clusterName: 'c2' })
    }
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it.each([
    ['{"node":', /Unexpected end-of-input/],
    ['[]', /START_ARRAY/],
    ['{"node.nam":"x"}', /unknown setting \[node\.nam\] did you mean .*\[node\.name\]/],
    ['{"lamella.threads.search":"many"}', /Failed to parse value \[many\]/],
  ])('is not opened with a lamella.json of %s', async (text, reason) => {
    const path = join(folder, 'unsettled')
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'lamella.json'), text)
    const error = await open(path).then(
      () => null,
      (refused: unknown) => refused,
    )
    expect(error).toMatchObject({ name: 'LamellaError', type: 'parse_exception' })
    expect((error as Error).message).toContain(
      `cannot read the settings in [${join(path, 'lamella.json')}]: `,
    )
    expect((error as Error).message).toMatch(reason)
    expect(readdirSync(path)).toEqual(['lamella.json'])
  })

  it('is held by one opener at a time', async () => {
    const path = join(folder, 'held')
    await using _db = await open(path)
    await expect(open(path)).rejects.toMatchObject({
      name: 'LamellaError',
      type: 'illegal_state_exception',
      message: expect.stringContaining('in use by'),
    })
  })

  it('refuses a setting that is none, with a suggestion', async () => {
    await expect(open(undefined, { settings: { 'lamella.threads.serch': 1 } })).rejects.toThrow(
      'lamella.threads.search',
    )
    await expect(open(undefined, { settings: { 'node.name': { a: 1 } as never } })).rejects.toThrow(
      'setting [node.name] must be',
    )
  })
})

describe('indices of a database', () => {
  it('creates an index with mapping and settings, and merges into one that is there', async () => {
    await using db = await open()
    const mapping = { properties: { title: { type: 'text' } } }
    await db.index('books', mapping, { settings: { number_of_shards: 2 } })
    await db.index('books', { properties: { year: { type: 'integer' } } })
    const { status, json } = await db.request({ method: 'GET', path: '/books' })
    expect(status).toBe(200)
    expect(json()).toMatchObject({
      books: {
        mappings: { properties: { title: { type: 'text' }, year: { type: 'integer' } } },
        settings: { index: { number_of_shards: '2' } },
      },
    })
    await expect(
      db.index('books', { properties: { year: { type: 'text' } } }),
    ).rejects.toBeInstanceOf(LamellaError)
    await expect(db.index('Books')).rejects.toMatchObject({ type: 'invalid_index_name_exception' })
    await expect(db.existing('films')).rejects.toMatchObject({
      type: 'index_not_found_exception',
      status: 404,
      details: expect.objectContaining({ index: 'films' }),
    })
    await db.deleteIndex('books')
    expect(await db.indices()).toEqual([])
  })

  it('changes cluster settings until it is closed, or for good', async () => {
    await using db = await open()
    await db.changeSettings({ 'search.concurrent.max_slice_count': 3 })
    await db.changeSettings({ 'search.default_search_timeout': '5s' }, { persistent: true })
    const { json } = await db.request({ method: 'GET', path: '/_cluster/settings?flat_settings' })
    expect(json()).toMatchObject({
      transient: { 'search.concurrent.max_slice_count': '3' },
      persistent: { 'search.default_search_timeout': '5s' },
    })
    await db.changeSettings({ 'search.concurrent.max_slice_count': null })
    await expect(db.changeSettings({ 'search.nothing': 1 })).rejects.toBeInstanceOf(LamellaError)
  })
})

describe('the API without a socket', () => {
  it('gives the bytes that a socket gives', async () => {
    await using db = await open()
    await using server = await db.serve({ port: 0 })
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
    const index = await db.index('books')
    await index.put('1', { title: 'Moby-Dick', score: 1.0 }, { refresh: true })
    const query = '{"query":{"match":{"title":"moby"}}}'
    const cases: [method: string, path: string, body?: string][] = [
      ['GET', '/'],
      ['GET', '/books/_doc/1'],
      ['GET', '/books/_doc/2'],
      ['GET', '/books/_mapping?pretty'],
      ['POST', '/books/_search?filter_path=hits', query],
      ['POST', '/books/_search', '{"query":{"mach":{}}}'],
      ['GET', '/_nothing/here'],
      ['DELETE', '/books/_search'],
    ]
    for (const [method, path, body] of cases) {
      const inside = await db.request({ method, path, ...(body === undefined ? {} : { body }) })
      const outside = await overSocket(server.url, method, path, body)
      expect(`${path} ${outside.status}`).toBe(`${path} ${inside.status}`)
      expect(outside.body.toString()).toBe(Buffer.from(inside.body).toString())
      expect(outside.headers).toMatchObject(inside.headers)
    }
  })

  it('takes bodies as objects, text and bytes', async () => {
    await using db = await open()
    const path = '/notes/_doc/1'
    const body = { text: 'hello' }
    for (const given of [body, JSON.stringify(body), Buffer.from(JSON.stringify(body))]) {
      const answer = await db.request({ method: 'PUT', path, body: given })
      expect(answer.status).toBeLessThan(300)
    }
    const got = await db.request({ method: 'get', path, query: { _source: 'true' } })
    expect(got.json()).toMatchObject({ _version: 3, _source: body })
  })
})

describe('a defect behind a 500', () => {
  /** An engine of which one call has a defect. */
  const broken = {
    cluster: {
      nodeInfo: () => ({ settings: Settings.EMPTY }),
      identity: {},
      settings: (): never => {
        throw new TypeError('nobody expected this')
      },
    },
    tasks: new TaskRegistry('n'),
    log: () => {},
    keptState: () => ({ body: null, write: () => {} }),
    beforeClose: () => () => {},
    writeAtClose: () => {},
  } as unknown as EngineApi
  const request = { method: 'GET', path: '/_cluster/settings' }

  it('is a warning of the process', async () => {
    const warned = once(process, 'warning')
    expect((await new Database(localBackend(broken)).request(request)).status).toBe(500)
    const [warning] = await warned
    expect(warning).toMatchObject({
      name: 'LamellaWarning',
      code: 'LAMELLA_DEFECT',
      message: expect.stringContaining('nobody expected this'),
      detail: expect.stringContaining('database.test.ts'),
    })
  })

  it('is told to onDefect instead where that is given', async () => {
    const defects: unknown[] = []
    const warnings: Error[] = []
    const note = (warning: Error): unknown => warnings.push(warning)
    process.on('warning', note)
    const db = new Database(localBackend(broken, error => defects.push(error)))
    expect((await db.request(request)).status).toBe(500)
    await setImmediate()
    process.off('warning', note)
    expect(defects).toEqual([new TypeError('nobody expected this')])
    expect(warnings).toEqual([])
  })
})

describe('serving', () => {
  it('refuses a host that others reach unless that is allowed', async () => {
    await using db = await open()
    await expect(db.serve({ host: '0.0.0.0', port: 0 })).rejects.toThrow('--insecure')
    await using server = await db.serve({ host: '0.0.0.0', port: 0, insecure: true })
    expect(server.port).toBeGreaterThan(0)
  })

  it('says that a port is taken, and what to do', async () => {
    await using first = await serve(undefined, { port: 0 })
    await expect(serve(undefined, { port: first.port })).rejects.toMatchObject({
      name: 'LamellaError',
      message: expect.stringContaining('it is taken'),
      details: { code: 'EADDRINUSE' },
    })
  })

  it('ends its servers when the database is closed', async () => {
    const db = await open()
    const server = await db.serve({ port: 0 })
    expect((await overSocket(server.url, 'GET', '/')).status).toBe(200)
    await db.close()
    await db.close()
    await expect(overSocket(server.url, 'GET', '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await expect(db.index('books')).rejects.toThrow('closed')
  })
})
