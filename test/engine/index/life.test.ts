import { describe, expect, it } from 'vitest'
import { runBulk } from '../../../src/engine/document/bulk.ts'
import { createIndex, deleteIndices } from '../../../src/engine/index/index-life.ts'
import { Node } from '../../../src/engine/node/node.ts'
import { trusted } from '../../../src/task/call-context.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import {
  bulk,
  createIndex as create,
  engineWith,
  search,
  targetOf,
} from '../../support/engine-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder('life')

describe('the life of indices', () => {
  it('gives memory and files back when indices come and go', async () => {
    const node = new Node({ folder: `${folder}/cycles`, settings: new Map() })
    let used = -1
    for (let round = 0; round < 40; round++) {
      await createIndex(
        node,
        {
          name: 'i',
          settings: new Map(),
          mappings: null,
          aliases: null,
          waitForActiveShards: 1,
        },
        trusted('indices:admin/create'),
      )
      const lines = Array.from({ length: 50 }, (_, i) => `{"index":{}}\n{"t":"word ${i}"}\n`)
      await runBulk(
        node,
        {
          body: encodeUtf8(lines.join('')),
          index: 'i',
          routing: null,
          refresh: 'true',
          requireAlias: false,
          source: null,
          waitForActiveShards: 1,
          timeoutInMillis: 30_000,
        },
        trusted('indices:data/write/bulk'),
      )
      expect(node.index('i')!.shards[0]!.snapshot.numDocs).toBe(50)
      await deleteIndices(node, targetOf('i'), trusted('indices:admin/delete'))
      if (round === 5) used = node.memory.arenas.usedBytes
      if (round > 5) expect(node.memory.arenas.usedBytes).toBe(used)
      expect(node.memory.loadedBytes).toBe(0)
    }
    await node.close()
  })

  it('keeps what was committed through a restart: documents, mappings, settings', async () => {
    const path = `${folder}/restart`
    const first = await engineWith(path)
    await create(
      first,
      'a',
      { 'index.number_of_shards': '2' },
      { properties: { k: { type: 'keyword' } } },
    )
    const lines = Array.from({ length: 30 }, (_, i) => [
      { index: { _id: `${i}` } },
      { k: `k${i}`, n: i },
    ])
    await bulk(first, 'a', lines.flat())
    await first.cluster.putSettings(
      new Map([['search.max_buckets', '99']]),
      new Map(),
      trusted('cluster:admin/settings/update'),
    )
    const { clusterUuid, nodeId } = first.cluster.identity
    await first.close()
    const second = await engineWith(path)
    const [view] = await second.indices.show(targetOf('a'), trusted('indices:admin/get'))
    expect([
      ...(view!.mappings as Map<string, Map<string, unknown>>).get('properties')!.keys(),
    ]).toEqual(['k', 'n'])
    expect(second.cluster.settings().persistent.get('search.max_buckets')).toBe('99')
    expect(second.cluster.identity).toMatchObject({ clusterUuid, nodeId })
    const { hits } = await search(second, 'a', { query: { term: { k: 'k7' } } })
    expect(hits.hits[0]._source).toEqual({ k: 'k7', n: 7 })
    await second.close()
  })

  it('lets only one engine have a folder, and names the holder', async () => {
    const path = `${folder}/held`
    const engine = await engineWith(path)
    await expect(engineWith(path)).rejects.toThrow(/is in use by this process/)
    await engine.close()
    await (await engineWith(path)).close()
  })

  it('leaves alone the documents that fit when others bring one field too many', async () => {
    const engine = await engineWith(null)
    await create(engine, 'l', { 'index.mapping.total_fields.limit': '3' })
    const { items } = await bulk(
      engine,
      'l',
      [
        [{ index: { _id: '1' } }, { a: 1 }],
        [{ index: { _id: '2' } }, { a: 1, b: 2, c: 3, d: 4 }],
        [{ index: { _id: '3' } }, { b: 5 }],
        [{ index: { _id: '4' } }, { a: 'not a number' }],
        [{ index: { _id: '5' } }, { a: 7 }],
      ].flat(),
      'true',
    )
    expect(items.map(item => ('error' in item ? String(item.error) : item.outcome.result))).toEqual(
      [
        'created',
        expect.stringContaining('Limit of total fields [3] has been exceeded'),
        'created',
        expect.stringContaining("failed to parse field [a] of type [long] in document with id '4'"),
        'created',
      ],
    )
    expect((await search(engine, 'l', {})).hits.total.value).toBe(3)
    await engine.close()
  })
})
