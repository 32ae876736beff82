import { afterEach, beforeEach, expect, it } from 'vitest'
import { runBulk } from '../../../src/engine/document/bulk.ts'
import { createIndex, deleteIndices } from '../../../src/engine/index/index-life.ts'
import { Node } from '../../../src/engine/node/node.ts'
import { resolveSearch, SearchTargets } from '../../../src/engine/search/search-targets.ts'
import { trusted } from '../../../src/task/call-context.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { targetOf } from '../../support/engine-calls.ts'

let node: Node

beforeEach(async () => {
  node = new Node({ folder: null, settings: new Map() })
  for (const name of ['b', 'a'])
    await createIndex(
      node,
      {
        name,
        settings: new Map([['index.number_of_shards', '3']]),
        mappings: null,
        aliases: null,
        waitForActiveShards: 1,
      },
      trusted('indices:admin/create'),
    )
})

afterEach(() => node.close())

async function write(id: string): Promise<void> {
  await runBulk(
    node,
    {
      body: encodeUtf8(`{"index":{"_id":"${id}"}}\n{"t":"sea"}\n`),
      index: 'a',
      routing: null,
      refresh: 'true',
      requireAlias: false,
      source: null,
      waitForActiveShards: 1,
      timeoutInMillis: 30_000,
    },
    trusted('indices:data/write/bulk'),
  )
}

function targets(routing?: string[]): SearchTargets {
  const context = trusted('indices:data/read/search')
  return new SearchTargets(resolveSearch(node, targetOf('b', 'a'), context), { routing })
}

/** Documents in the snapshots that are held. */
function docCount({ indices }: SearchTargets): number {
  const shards = indices.flatMap(index => index.shards)
  return shards.reduce((sum, held) => sum + ('snapshot' in held ? held.snapshot.numDocs : 0), 0)
}

it('holds the shards of all indices in order of name', () => {
  const held = targets()
  expect(held.indices.map(({ index }) => index.name)).toEqual(['a', 'b'])
  expect(held.shardCount).toBe(6)
  held.release()
})

it('holds the shards alone that routing values lead to', () => {
  const held = targets(['x'])
  expect(held.shardCount).toBe(2)
  const [shard] = held.indices[0]!.shards
  expect('shard' in shard! && shard.shard).toBe(node.index('a')!.shardOf('', 'x'))
  held.release()
})

it('keeps what it holds as it was until it is released', async () => {
  await write('1')
  const held = targets()
  await write('2')
  const after = targets()
  expect([docCount(held), docCount(after)]).toEqual([1, 2])
  held.release()
  after.release()
})

it('lets go of the memory of what it held', async () => {
  const { arenas } = node.memory
  const before = arenas.usedBytes
  await write('1')
  const held = targets()
  await deleteIndices(node, targetOf('a'), trusted('indices:admin/delete'))
  expect(arenas.usedBytes).toBeGreaterThan(before)
  held.release()
  expect(arenas.usedBytes).toBe(before)
})
