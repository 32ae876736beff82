import { Client } from '@opensearch-project/opensearch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineApi } from '../../src/engine/api/engine-api.ts'
import { Dispatcher } from '../../src/rest/dispatch.ts'
import { type HttpServer, startHttpServer } from '../../src/rest/http-server.ts'
import { Settings } from '../../src/schema/settings.ts'
import { openServices } from '../../src/service/services.ts'
import { engineWith } from '../support/engine-calls.ts'

const BOOKS = [
  { title: 'The Wizard of the Night', author: 'Emberley Quill', year: 1999, copies: 12 },
  { title: 'Night Over the Harbour', author: 'Rosalind Achterberg', year: 2004, copies: 3 },
  { title: 'A Short History of Tides', author: 'Emberley Quill', year: 2011, copies: 40 },
  { title: 'Harbour Lights', author: 'Tove Lindqvist', year: 1987, copies: 7 },
]

describe('the official client', () => {
  let engine: EngineApi
  let server: HttpServer
  let client: Client

  beforeAll(async () => {
    engine = await engineWith(null)
    const dispatcher = new Dispatcher(engine, openServices(engine), { maxContentLength: 2 ** 20 })
    server = await startHttpServer(dispatcher, {
      host: '127.0.0.1',
      port: 0,
      settings: Settings.EMPTY,
    })
    client = new Client({ node: `http://127.0.0.1:${server.port}` })
  })

  afterAll(async () => {
    await client.close()
    await server.close(1000)
    await engine.close()
  })

  it('finds a node that it knows how to talk to', async () => {
    const { body } = await client.info()
    expect(body.version.distribution).toBe('opensearch')
    expect(body.version.number).toBe('3.6.0')
    expect((await client.ping()).body).toBe(true)
  })

  it('creates an index and sees that it exists', async () => {
    const created = await client.indices.create({
      index: 'books',
      body: {
        settings: { number_of_shards: 2, number_of_replicas: 0 },
        mappings: {
          properties: {
            title: { type: 'text' },
            author: { type: 'keyword' },
            year: { type: 'integer' },
          },
        },
      },
    })
    expect(created.body).toEqual({ acknowledged: true, shards_acknowledged: true, index: 'books' })
    expect((await client.indices.exists({ index: 'books' })).body).toBe(true)
    expect((await client.indices.exists({ index: 'films' })).body).toBe(false)
    const health = await client.cluster.health({ wait_for_status: 'green', timeout: '5s' })
    expect(health.body.status).toBe('green')
    expect(health.body.active_primary_shards).toBe(2)
  })

  it('loads documents with bulk and with its helper', async () => {
    const body = BOOKS.slice(0, 2).flatMap((book, i) => [
      { index: { _index: 'books', _id: String(i) } },
      book,
    ])
    const loaded = await client.bulk({ body, refresh: true })
    expect(loaded.body.errors).toBe(false)
    expect(
      loaded.body.items.map((item: Record<string, { status: number }>) => item['index']?.status),
    ).toEqual([201, 201])
    const helped = await client.helpers.bulk({
      datasource: BOOKS.slice(2),
      // Ids of our own: where a document lies decides what it is scored against.
      onDocument: ({ year }) => ({ index: { _index: 'books', _id: String(year) } }),
      refreshOnCompletion: 'books',
    })
    expect(helped.successful).toBe(2)
    expect(helped.failed).toBe(0)
    expect((await client.count({ index: 'books' })).body.count).toBe(4)
  })

  it('searches with a profile', async () => {
    const { body } = await client.search({
      index: 'books',
      body: { query: { match: { title: 'harbour night' } }, profile: true },
    })
    const titles = body.hits.hits.map((hit: { _source?: { title?: string } }) => hit._source?.title)
    expect(titles[0]).toBe('Night Over the Harbour')
    expect(titles).toHaveLength(3)
    expect(body.profile?.shards).toHaveLength(2)
    const [query] = body.profile?.shards[0]?.searches[0]?.query ?? []
    expect(query?.type).toBe('BooleanQuery')
  })

  it('reads, rewrites and deletes one document', async () => {
    await client.index({ index: 'books', id: 'x', body: { title: 'Ebb' }, refresh: true })
    const got = await client.get({ index: 'books', id: 'x' })
    expect(got.body._source).toEqual({ title: 'Ebb' })
    expect((await client.exists({ index: 'books', id: 'x' })).body).toBe(true)
    expect((await client.delete({ index: 'books', id: 'x', refresh: true })).body.result).toBe(
      'deleted',
    )
    expect((await client.exists({ index: 'books', id: 'x' })).body).toBe(false)
  })

  it('meets errors as its own kind of error', async () => {
    await expect(client.search({ index: 'films' })).rejects.toMatchObject({
      name: 'ResponseError',
      statusCode: 404,
      body: { error: { type: 'index_not_found_exception', reason: 'no such index [films]' } },
    })
  })

  it('reads and changes settings and mappings', async () => {
    const settings = await client.indices.getSettings({ index: 'books' })
    expect(settings.body['books']?.settings?.index?.number_of_shards).toBe('2')
    await client.indices.putMapping({
      index: 'books',
      body: { properties: { shelf: { type: 'keyword' } } },
    })
    const mapping = await client.indices.getMapping({ index: 'books' })
    expect(mapping.body['books']?.mappings?.properties?.['shelf']?.type).toBe('keyword')
    const stats = await client.indices.stats({ index: 'books', metric: 'docs' })
    expect(stats.body._all.primaries.docs?.count).toBe(4)
    const nodes = await client.nodes.info()
    expect(Object.keys(nodes.body.nodes)).toHaveLength(1)
  })

  it('puts search pipelines and searches through them', async () => {
    const id = 'newest'
    const body = {
      request_processors: [{ filter_query: { query: { range: { year: { gte: 2000 } } } } }],
      response_processors: [{ rename_field: { field: 'title', target_field: 'name' } }],
    }
    expect((await client.searchPipeline.put({ id, body })).body).toEqual({ acknowledged: true })
    expect((await client.searchPipeline.get({ id })).body).toEqual({ [id]: body })
    await client.index({ index: 'shelf', id: '1', body: BOOKS[0]!, refresh: true })
    await client.index({ index: 'shelf', id: '2', body: BOOKS[1]!, refresh: true })
    const found = await client.search({ index: 'shelf', search_pipeline: id })
    expect(found.body.hits.hits).toMatchObject([{ _id: '2', _source: { name: BOOKS[1]!.title } }])
    await client.searchPipeline.delete({ id })
    await expect(client.searchPipeline.get({ id })).rejects.toMatchObject({ statusCode: 404 })
    await expect(client.search({ index: 'shelf', search_pipeline: id })).rejects.toThrow(
      'Pipeline newest is not defined',
    )
  })
})
