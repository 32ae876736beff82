import { expect, it, vi } from 'vitest'
import { runBulk } from '../../../src/engine/document/bulk.ts'
import { createIndex } from '../../../src/engine/index/index-life.ts'
import { Node } from '../../../src/engine/node/node.ts'
import { createPointInTime, deletePointsInTime } from '../../../src/engine/search/point-in-time.ts'
import { search } from '../../../src/engine/search/search.ts'
import { trusted } from '../../../src/task/call-context.ts'
import { decodeUtf8, encodeUtf8 } from '../../../src/util/bytes.ts'
import { parseJsonTree } from '../../../src/util/json/json-tree.ts'
import { writeJson } from '../../../src/util/json/json-writer.ts'
import { targetOf } from '../../support/engine-calls.ts'

const READ = trusted('indices:data/read/search')
const SMALL = 5

async function write(node: Node, docs: number): Promise<void> {
  const lines = Array.from(
    { length: docs },
    (_, i) => `{"index":{}}\n{"t":"word${i % 97} of ${i}","n":${i}}\n`,
  )
  const request = {
    body: encodeUtf8(lines.join('')),
    index: 'i',
    routing: null,
    refresh: 'true',
    requireAlias: false,
    source: null,
    waitForActiveShards: 1,
    timeoutInMillis: 30_000,
  } as const
  await runBulk(node, request, trusted('indices:data/write/bulk'))
}

/** Reads the postings and the numbers of all segments; returns how many documents there are. */
async function searchAll(node: Node, pit: string | null): Promise<number> {
  const body = {
    query: { match: { t: 'of' } },
    sort: [{ n: 'asc' }],
    track_total_hits: true,
    ...(pit !== null && { pit: { id: pit } }),
  }
  const target = targetOf(...(pit === null ? ['i'] : []))
  const tree = parseJsonTree(encodeUtf8(JSON.stringify(body)))
  const { body: found } = await search(
    node,
    { target, body: tree, options: {}, human: false },
    READ,
  )
  return JSON.parse(decodeUtf8(writeJson(found))).hits.total.value
}

it('shares the segments that a point in time and later snapshots have, over merges', async () => {
  const node = new Node({ folder: null, settings: new Map() })
  try {
    const policy = 'index.merge.policy.'
    await createIndex(
      node,
      {
        name: 'i',
        settings: new Map([
          [`${policy}segments_per_tier`, '2'],
          [`${policy}max_merge_at_once`, '2'],
          [`${policy}floor_segment`, '50kb'],
          // The large segment is more than half of it and stays.
          [`${policy}max_merged_segment`, '200kb'],
        ]),
        mappings: null,
        aliases: null,
        waitForActiveShards: 1,
      },
      trusted('indices:admin/create'),
    )
    const shard = node.index('i')!.shards[0]!
    const segments = () => shard.snapshot.leaves.map(leaf => leaf.segment)
    await write(node, 20_000)
    const [large] = segments()
    await write(node, SMALL)
    const held = segments()
    const { id } = createPointInTime(
      node,
      {
        target: targetOf('i'),
        keepAliveInMillis: 60_000,
        allowsPartial: undefined,
        routing: undefined,
        preference: undefined,
      },
      READ,
    )
    expect(await searchAll(node, id)).toBe(20_000 + SMALL)
    const alone = node.memory.loadedBytesOf(large!)
    expect(alone).toBeGreaterThan(50_000)

    // Small segments merge, that of the point in time among them; the large one is in both snapshots.
    for (let i = 0; i < 12; i++) await write(node, SMALL)
    await vi.waitFor(() => expect(segments()).not.toContain(held[1]), { timeout: 20_000 })
    expect(segments()).toContain(large)
    expect(await searchAll(node, null)).toBe(20_000 + 13 * SMALL)
    expect(await searchAll(node, id)).toBe(20_000 + SMALL)
    expect(node.memory.loadedBytesOf(large!)).toBe(alone)
    const ofHeld = node.memory.loadedBytesOf(held[1]!)
    const ofOthers = segments().reduce((sum, each) => sum + node.memory.loadedBytesOf(each), 0)
    expect(ofHeld).toBeGreaterThan(0)
    expect(node.memory.loadedBytes).toBe(ofOthers + ofHeld)

    deletePointsInTime(node, [id], READ)
    expect(node.memory.loadedBytes).toBe(ofOthers)
  } finally {
    await node.close()
  }
})
