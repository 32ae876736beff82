import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runBulk } from '../../src/engine/document/bulk.ts'
import { Node } from '../../src/engine/node/node.ts'
import { KeptLeaves } from '../../src/parallel/kept-leaves.ts'
import { SliceRunner } from '../../src/parallel/slice-request.ts'
import { MAX_KEPT_LEAVES, ThreadHoldings } from '../../src/parallel/thread-holdings.ts'
import { ControlBuffer } from '../../src/pool/control-buffer.ts'
import { queryText } from '../../src/search/query/query-ops.ts'
import type { LeafRecord } from '../../src/segment/leaf.ts'
import { SegmentMemory } from '../../src/segment/segment-memory.ts'
import type { Shard } from '../../src/shard/shard.ts'
import { ArenaPool } from '../../src/store/arena-pool.ts'
import { trusted } from '../../src/task/call-context.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { Random } from '../../src/util/random.ts'
import { WordReader, WordWriter } from '../../src/util/word-record.ts'
import { fillRandomIndex } from '../support/random-index.ts'
import { randomQuery } from '../support/random-search.ts'
import { searchOptions, searchPlan } from '../support/search-plan.ts'

const SEED = 77
const ROUNDS = 40

describe('leaves that threads keep', () => {
  // Too little for all sections that searches touch one after another, enough for those of each.
  const settings = {
    'lamella.threads.search': '2',
    'memory.limit': '900kb',
    'indexing_pressure.memory.limit': '10mb',
  }
  const node = new Node({ folder: null, settings: new Map(Object.entries(settings)) })
  let shard: Shard

  beforeAll(async () => {
    await fillRandomIndex(node, SEED, 14_000)
    shard = node.index('i')!.shards[0]!
  })
  afterAll(() => node.close())

  async function change(random: Random): Promise<void> {
    const lines = Array.from({ length: 20 }, () => {
      const id = random.below(14_000)
      if (random.below(2) === 0) return [JSON.stringify({ delete: { _id: `d${id}` } })]
      const source = { body: random.below(2) === 0 ? 'sea ship' : 'the sea', num: random.below(20) }
      return [JSON.stringify({ index: { _id: `d${id}` } }), JSON.stringify(source)]
    })
    await runBulk(
      node,
      {
        body: encodeUtf8(`${lines.flat().join('\n')}\n`),
        index: 'i',
        routing: null,
        refresh: 'false',
        requireAlias: false,
        source: null,
        waitForActiveShards: 1,
        timeoutInMillis: 30_000,
      },
      trusted('indices:data/write/bulk'),
    )
    await shard.refresh()
    if (random.below(8) === 0) await shard.forceMerge(2, false)
  }

  it('are those of the snapshot that is searched, whatever is deleted, merged and evicted', async () => {
    const random = new Random(SEED)
    const segments = new Set<number>()
    const before = node.memory.evictions
    for (let round = 0; round < ROUNDS; round++) {
      await change(random)
      const snapshot = shard.snapshot.acquire()
      for (const { segment } of snapshot.leaves) segments.add(segment.uid)
      for (let i = 0; i < 4; i++) {
        const plan = searchPlan(randomQuery(random, 2))
        const expected = await node.searcher.search(snapshot, plan, searchOptions())
        const options = searchOptions({
          concurrent: true,
          slices: { maxSliceCount: 2, intraSegment: 'auto', intraSegmentMinDocs: 1 },
          executor: 'threads',
          kernels: random.below(3) > 0,
          filterCache: random.below(2) === 0,
        })
        const found = await node.searcher.search(snapshot, plan, options)
        const title = `seed ${SEED}, round ${round}.${i}: ${queryText(plan.query)}`
        expect(found.result.hits, title).toEqual(expected.result.hits)
        expect(found.result.total, title).toEqual(expected.result.total)
      }
      snapshot.release()
    }
    expect(segments.size).toBeGreaterThan(ROUNDS)
    expect(node.memory.evictions).toBeGreaterThan(before)
  })
})

describe('what a thread is told', () => {
  const memory = new SegmentMemory(new ArenaPool(), 64 << 20)
  const runner = new SliceRunner(new ControlBuffer().shared, 0)
  memory.arenas.onArena(arena => runner.addArena(arena))
  memory.arenas.homeFor(1 << 20)
  const holdings = new ThreadHoldings(memory)
  const thread = {}
  const leaves = new KeptLeaves(runner)
  const writer = new WordWriter()

  function leaf(uid: number, more: Partial<LeafRecord> = {}): LeafRecord {
    return {
      uid,
      name: `_${uid}`,
      ord: 0,
      docBase: 10,
      maxDoc: 1000 + uid,
      arena: 0,
      fields: [],
      sections: [],
      keptSets: [],
      liveDocs: -1,
      liveCount: 1000 + uid,
      ...more,
    }
  }

  /** Tells the thread of leaves, and gives how many words it took. */
  function tell(...records: LeafRecord[]): number {
    writer.reset()
    holdings.write(thread, writer, records, 1000)
    leaves.read(new WordReader(writer.written))
    return writer.written.length
  }

  it('is only what it does not know, until it must forget it', () => {
    const first = tell(leaf(0))
    const opened = leaves.leaf(0)
    expect(opened.maxDoc).toBe(1000)
    const again = tell(leaf(0))
    expect(again).toBeLessThan(first / 2)
    expect(leaves.leaf(0)).toBe(opened)
    for (let uid = 1; uid < MAX_KEPT_LEAVES; uid++) tell(leaf(uid))
    expect(tell(leaf(0))).toBe(again)
    // One more: the one that was searched longest ago leaves.
    tell(leaf(MAX_KEPT_LEAVES))
    expect(tell(leaf(0))).toBe(again)
    expect(leaves.leaf(0)).toBe(opened)
    expect(tell(leaf(1))).toBeGreaterThan(again)
    expect(leaves.leaf(0).maxDoc).toBe(1001)
  })

  it('is the place and the live documents of a leaf each time', () => {
    tell(leaf(5))
    const opened = leaves.leaf(0)
    tell(leaf(6), leaf(5, { ord: 1, docBase: 2000, liveDocs: 4096, liveCount: 900 }))
    expect(leaves.leaf(0).maxDoc).toBe(1006)
    const moved = leaves.leaf(1)
    expect(moved).not.toBe(opened)
    expect([moved.ord, moved.docBase, moved.numDocs]).toEqual([1, 2000, 900])
    expect(moved.liveDocs).not.toBeNull()
  })

  it('is all of it to a successor', () => {
    const uid = MAX_KEPT_LEAVES + 1
    const first = tell(leaf(uid))
    expect(tell(leaf(uid))).toBeLessThan(first)
    holdings.drop(thread)
    // Scratch too.
    expect(tell(leaf(uid))).toBeGreaterThan(first)
  })
})
