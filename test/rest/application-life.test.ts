/**
 * The life of an application's data by the official client: templates, a data stream, aliases that are swapped
 * and rolled over, deletions. It is lived twice, once with a restart of the node after every step, which must find
 * all metadata and all documents as they were acknowledged.
 */
import type { Client } from '@opensearch-project/opensearch'
import { describe, expect, it } from 'vitest'
import { serveFolder } from '../support/served-folder.ts'
import { tempFolder } from '../support/temp-folder.ts'

interface Step {
  readonly title: string
  run(client: Client): Promise<void>
}

const ACKNOWLEDGED = { acknowledged: true }
const FIRST = '.ds-events-web-000001'
const SECOND = '.ds-events-web-000002'

const STEPS: readonly Step[] = [
  {
    title: 'component templates',
    async run(client) {
      const settings = { number_of_replicas: 0, number_of_shards: 2 }
      const parts = {
        sizes: { template: { settings }, version: 3, _meta: { owner: 'life' } },
        dates: {
          template: {
            mappings: {
              properties: { '@timestamp': { type: 'date' as const, format: 'epoch_millis' } },
            },
          },
        },
      }
      for (const [name, body] of Object.entries(parts)) {
        const put = await client.cluster.putComponentTemplate({ name, body })
        expect(put.body).toEqual(ACKNOWLEDGED)
      }
    },
  },
  {
    title: 'index templates',
    async run(client) {
      const events = await client.indices.putIndexTemplate({
        name: 'events',
        body: {
          index_patterns: ['events-*'],
          composed_of: ['sizes', 'dates'],
          priority: 200,
          data_stream: {},
          template: { mappings: { properties: { path: { type: 'keyword' } } } },
        },
      })
      expect(events.body).toEqual(ACKNOWLEDGED)
      const books = await client.indices.putIndexTemplate({
        name: 'books',
        body: {
          index_patterns: ['books-*'],
          composed_of: ['sizes'],
          template: { mappings: { properties: { title: { type: 'text' } } } },
        },
      })
      expect(books.body).toEqual(ACKNOWLEDGED)
    },
  },
  {
    title: 'a data stream by its first write',
    async run(client) {
      const { body } = await client.create({
        index: 'events-web',
        id: 'e0',
        body: { '@timestamp': 1_000, path: '/', n: 0 },
      })
      expect(body).toMatchObject({ _index: FIRST, result: 'created' })
      const streams = await client.indices.getDataStream({ name: 'events-web' })
      expect(streams.body.data_streams).toMatchObject([
        { name: 'events-web', generation: 1, status: 'GREEN', template: 'events' },
      ])
    },
  },
  {
    title: 'a bulk through its name',
    async run(client) {
      const lines = Array.from({ length: 40 }, (_, n) => [
        { create: { _index: 'events-web', _id: `e${n + 1}` } },
        { '@timestamp': 2_000 + n, path: `/p${n % 7}`, n },
      ])
      const { body } = await client.bulk({ body: lines.flat(), refresh: true })
      expect(body.errors).toBe(false)
      expect(new Set(body.items.map(item => item.create?._index))).toEqual(new Set([FIRST]))
      expect((await client.count({ index: 'events-*' })).body.count).toBe(41)
    },
  },
  {
    title: 'an index behind an alias',
    async run(client) {
      const { body } = await client.indices.create({
        index: 'books-000001',
        body: { aliases: { books: { is_write_index: true }, reading: { routing: 'r' } } },
      })
      expect(body).toEqual({ acknowledged: true, shards_acknowledged: true, index: 'books-000001' })
      const put = await client.index({ index: 'books', id: '1', body: { title: 'The Sea-Wolf' } })
      expect(put.body._index).toBe('books-000001')
    },
  },
  {
    title: 'a swap of aliases to a new index',
    async run(client) {
      await client.indices.create({ index: 'books-000007' })
      await client.index({
        index: 'books-000007',
        id: '1',
        body: { title: 'The Sea-Wolf', year: 1904 },
      })
      const { body } = await client.indices.updateAliases({
        body: {
          actions: [
            { remove: { index: 'books-000001', alias: 'books' } },
            { add: { index: 'books-000007', alias: 'books', is_write_index: true } },
            { add: { index: 'books-*', alias: 'old', filter: { exists: { field: 'year' } } } },
          ],
        },
      })
      expect(body).toEqual(ACKNOWLEDGED)
      expect(Object.keys((await client.indices.getAlias({ name: 'books' })).body)).toEqual([
        'books-000007',
      ])
    },
  },
  {
    title: 'a rollover of the alias',
    async run(client) {
      const { body } = await client.indices.rollover({
        alias: 'books',
        body: { conditions: { max_age: '0ms', max_docs: 1_000 } },
      })
      expect(body).toMatchObject({
        old_index: 'books-000007',
        new_index: 'books-000008',
        rolled_over: true,
        conditions: { '[max_age: 0ms]': true, '[max_docs: 1000]': false },
      })
      const put = await client.index({ index: 'books', id: '2', body: { title: 'White Fang' } })
      expect(put.body._index).toBe('books-000008')
    },
  },
  {
    title: 'a rollover of the data stream',
    async run(client) {
      const { body } = await client.indices.rollover({
        alias: 'events-web',
        body: { conditions: { max_docs: 41 } },
      })
      expect(body).toMatchObject({ old_index: FIRST, new_index: SECOND, rolled_over: true })
      const { body: created } = await client.create({
        index: 'events-web',
        id: 'e41',
        body: { '@timestamp': 9_000, path: '/new' },
        refresh: true,
      })
      expect(created._index).toBe(SECOND)
      expect((await client.count({ index: 'events-web' })).body.count).toBe(42)
    },
  },
  {
    title: 'changed settings, mappings and blocks',
    async run(client) {
      await client.indices.putSettings({
        index: 'books-*',
        body: { index: { refresh_interval: '7s' } },
      })
      await client.indices.putMapping({
        index: 'events-web',
        body: { properties: { agent: { type: 'text' } } },
      })
      await client.indices.addBlock({ index: FIRST, block: 'write' })
      await client.cluster.putSettings({ body: { persistent: { 'search.max_buckets': 99 } } })
    },
  },
  {
    title: 'copies of other sizes',
    async run(client) {
      const settings = { 'index.blocks.write': null }
      const sizes = { shrink: 1, split: 4, clone: 2 } as const
      for (const [kind, shards] of Object.entries(sizes) as [keyof typeof sizes, number][]) {
        const target = `copy-${kind}`
        const number = kind === 'clone' ? {} : { 'index.number_of_shards': shards }
        const { body } = await client.indices[kind]({
          index: FIRST,
          target,
          body: { settings: { ...settings, ...number }, aliases: { copies: {} } },
        })
        expect(body).toEqual({ acknowledged: true, shards_acknowledged: true, index: target })
        const made = await client.indices.getSettings({ index: target })
        expect(made.body[target]!.settings!.index).toMatchObject({
          number_of_shards: String(shards),
          resize: { source: { name: FIRST } },
        })
        expect((await client.get({ index: target, id: 'e7' })).body._source).toMatchObject({ n: 6 })
        const put = await client.index({ index: target, id: 'e7', body: { '@timestamp': 1, n: 7 } })
        expect(put.body).toMatchObject({ result: 'updated', _version: 2 })
      }
      await client.indices.refresh({ index: 'copies' })
      expect((await client.count({ index: 'copies' })).body.count).toBe(3 * 41)
    },
  },
  {
    title: 'a closed index',
    async run(client) {
      const { body } = await client.indices.close({ index: 'books-000001' })
      expect(body).toMatchObject({
        acknowledged: true,
        indices: { 'books-000001': { closed: true } },
      })
    },
  },
  {
    title: 'a deletion of older indices',
    async run(client) {
      await expect(client.indices.delete({ index: SECOND })).rejects.toThrow(
        `index [${SECOND}] is the write index for data stream [events-web] and cannot be deleted`,
      )
      expect((await client.indices.delete({ index: FIRST })).body).toEqual(ACKNOWLEDGED)
      expect((await client.indices.delete({ index: 'books-000001' })).body).toEqual(ACKNOWLEDGED)
      // Hidden, as the index that they were made of: no pattern finds them.
      const copies = ['copy-shrink', 'copy-split', 'copy-clone']
      expect((await client.indices.delete({ index: copies })).body).toEqual(ACKNOWLEDGED)
      expect((await client.count({ index: 'events-web' })).body.count).toBe(1)
    },
  },
  {
    title: 'a deletion of everything',
    async run(client) {
      await expect(client.indices.deleteIndexTemplate({ name: 'events' })).rejects.toThrow(
        'unable to remove composable templates [events] as they are in use by a data streams [events-web]',
      )
      expect((await client.indices.deleteDataStream({ name: 'events-web' })).body).toEqual(
        ACKNOWLEDGED,
      )
      expect((await client.indices.delete({ index: 'books-*' })).body).toEqual(ACKNOWLEDGED)
      for (const name of ['events', 'books']) await client.indices.deleteIndexTemplate({ name })
      for (const name of ['sizes', 'dates']) await client.cluster.deleteComponentTemplate({ name })
    },
  },
]

/** All metadata as the API shows it, by request. */
const VIEWS = [
  '/_cluster/state/metadata,blocks,routing_table,routing_nodes',
  '/_cluster/settings',
  '/_cluster/health?level=shards&expand_wildcards=all',
  '/*?expand_wildcards=all',
  '/_alias?expand_wildcards=all',
  '/_data_stream',
  '/_index_template',
  '/_component_template',
  '/_resolve/index/*?expand_wildcards=all',
  '/_cat/aliases?format=json&s=alias,index',
]

/** What the node knows: its metadata, and its documents with their versions and sequence numbers. */
async function known(client: Client): Promise<Record<string, unknown>> {
  const views: Record<string, unknown> = {}
  for (const path of VIEWS) {
    const [where = '', querystring = ''] = path.split('?')
    views[path] = (await client.transport.request({ method: 'GET', path: where, querystring })).body
  }
  const index = '*'
  await client.indices.refresh({ index, expand_wildcards: ['open', 'hidden'] })
  const { body } = await client.search({
    index,
    expand_wildcards: ['open', 'hidden'],
    size: 1_000,
    version: true,
    seq_no_primary_term: true,
  })
  const hits = body.hits.hits.map(hit => JSON.stringify(hit))
  return { ...views, documents: hits.sort() }
}

describe('an application', () => {
  it('lives through its steps', async () => {
    const served = await serveFolder(tempFolder('life'))
    for (const { run } of STEPS) await run(served.client)
    const { body } = await served.client.cluster.state({ metric: ['metadata'] })
    expect(body).toMatchObject({ metadata: { indices: {}, templates: {} } })
    expect(await known(served.client)).toMatchObject({
      documents: [],
      '/_data_stream': { data_streams: [] },
      '/_index_template': { index_templates: [] },
    })
    await served.close()
  })

  it('finds everything as it was acknowledged, restarted after every step', async () => {
    const folder = tempFolder('life')
    let served = await serveFolder(folder)
    for (const { title, run } of STEPS) {
      await run(served.client)
      const before = await known(served.client)
      await served.close()
      served = await serveFolder(folder)
      expect([title, await known(served.client)]).toEqual([title, before])
    }
    await served.close()
  })
})
