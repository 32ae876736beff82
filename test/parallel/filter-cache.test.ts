import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runBulk } from '../../src/engine/document/bulk.ts'
import { createIndex } from '../../src/engine/index/index-life.ts'
import { Node } from '../../src/engine/node/node.ts'
import type { ShardSearchOptions } from '../../src/parallel/search-options.ts'
import type { Query } from '../../src/search/query/query.ts'
import type { Occur } from '../../src/search/weight/weight-node.ts'
import type { FilterUse } from '../../src/segment/filter-cache.ts'
import type { Shard } from '../../src/shard/shard.ts'
import { trusted } from '../../src/task/call-context.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { numberRange } from '../support/number-range.ts'
import { searchPlan } from '../support/search-plan.ts'

const DOCUMENTS = 12_000
const INLINE: ShardSearchOptions = {
  concurrent: false,
  slices: { maxSliceCount: 2, intraSegment: 'auto', intraSegmentMinDocs: 1 },
  profile: null,
  executor: 'inline',
  kernels: true,
  filterCache: true,
  reports: false,
  signal: null,
}

let node: Node
let shard: Shard

async function open(size: string): Promise<void> {
  const settings = { 'lamella.threads.search': '2', 'indices.queries.cache.size': size }
  node = new Node({ folder: null, settings: new Map(Object.entries(settings)) })
  await createIndex(
    node,
    {
      name: 'i',
      settings: new Map([['index.refresh_interval', '-1']]),
      mappings: parseJsonTree(
        encodeUtf8('{"properties":{"body":{"type":"text"},"num":{"type":"long"}}}'),
      ),
      aliases: null,
      waitForActiveShards: 1,
    },
    trusted('indices:admin/create'),
  )
  shard = node.index('i')!.shards[0]!
  const lines = Array.from({ length: DOCUMENTS }, (_, i) => [
    JSON.stringify({ index: { _id: `${i}` } }),
    JSON.stringify({ body: i % 3 === 0 ? 'red' : 'red blue', num: i }),
  ])
  await bulk(lines.flat())
}

async function bulk(lines: readonly string[]): Promise<void> {
  await runBulk(
    node,
    {
      body: encodeUtf8(`${lines.join('\n')}\n`),
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
}

const BLUE: Query = { kind: 'term', field: 'body', term: 'blue' }

function within(filter: Query, occur: Occur = 'filter'): Query {
  const clauses = [
    { occur: 'should' as const, query: BLUE },
    { occur, query: filter },
  ]
  return { kind: 'boolean', clauses, minimumShouldMatch: 1 }
}

async function count(query: Query, options: Partial<ShardSearchOptions> = {}): Promise<number> {
  const snapshot = shard.snapshot.acquire()
  try {
    const plan = searchPlan(query)
    const { result } = await node.searcher.search(snapshot, plan, { ...INLINE, ...options })
    return result.total!.value
  } finally {
    snapshot.release()
  }
}

function use(): FilterUse {
  return node.memory.filters.useOf(shard.directory)
}

describe('hot filters', () => {
  beforeEach(() => open('1mb'))
  afterEach(() => node.close())

  it('are kept at their second use, and serve from the third on', async () => {
    for (let i = 0; i < 4; i++) expect(await count(within(numberRange(0, 5999)))).toBe(4000)
    expect(use()).toMatchObject({ hits: 2, misses: 2, made: 1, kept: 1 })
    expect(use().bytes).toBeGreaterThan(DOCUMENTS / 8)
    // Prohibited, and as a set that scores, it is the same filter.
    expect(await count(within(numberRange(0, 5999), 'must_not'))).toBe(4000)
    expect(await count(within(numberRange(0, 5999), 'should'))).toBe(4000 + 6000)
    expect(use()).toMatchObject({ hits: 4, misses: 2, made: 1 })
  })

  it('see deletes that came after they were kept', async () => {
    for (let i = 0; i < 3; i++) await count(within(numberRange(0, 5999)))
    const dead = Array.from({ length: 30 }, (_, i) => `{"delete":{"_id":"${i}"}}`)
    await bulk(dead)
    expect(shard.snapshot.leaves).toHaveLength(1)
    expect(await count(within(numberRange(0, 5999)))).toBe(4000 - 20)
    expect(use()).toMatchObject({ hits: 2, kept: 1 })
  })

  it('are listed besides where few documents match, and take the memory of both', async () => {
    for (let i = 0; i < 2; i++) await count(within(numberRange(0, 5999)))
    const many = use().bytes
    for (let i = 0; i < 2; i++) await count(within(numberRange(1, 300)))
    expect(use()).toMatchObject({ made: 2, kept: 2 })
    // The keys of the two differ in length by less than what a list of so many takes.
    expect(Math.abs(use().bytes - 2 * many - 4 * 300)).toBeLessThan(100)
    for (const { segment } of shard.segments) node.memory.filters.clear(segment)
    expect(use()).toMatchObject({ kept: 0, bytes: 0 })
  })

  it('leave when they are cleared, and are kept again', async () => {
    for (let i = 0; i < 3; i++) await count(within(numberRange(0, 5999)))
    expect(use().kept).toBe(1)
    for (const { segment } of shard.segments) node.memory.filters.clear(segment)
    expect(use()).toMatchObject({ made: 1, kept: 0, bytes: 0 })
    expect(await count(within(numberRange(0, 5999)))).toBe(4000)
    expect(use()).toMatchObject({ made: 2, kept: 1 })
  })

  it('leave with their segment', async () => {
    for (let i = 0; i < 3; i++) await count(within(numberRange(0, 5999)))
    expect(use().kept).toBe(1)
    await bulk(['{"index":{"_id":"more"}}', '{"body":"blue","num":1}'])
    await shard.forceMerge(1, false)
    await shard.refresh()
    expect(shard.snapshot.leaves).toHaveLength(1)
    expect(use()).toMatchObject({ made: 1, kept: 0, bytes: 0 })
    expect(node.memory.filters.bytes).toBe(0)
    expect(await count(within(numberRange(0, 5999)))).toBe(4001)
  })

  it('are not kept of terms, nor of what is asked once, nor where the search forbids it', async () => {
    for (let i = 0; i < 8; i++) await count(within({ kind: 'term', field: 'body', term: 'red' }))
    for (let i = 0; i < 8; i++) await count(within(numberRange(i, 5999)))
    for (let i = 0; i < 3; i++) await count(within(numberRange(0, 99)), { filterCache: false })
    expect(use()).toMatchObject({ hits: 0, made: 0 })
  })

  it('serve searches on other threads, of a part of a segment too', async () => {
    for (let i = 0; i < 2; i++) await count(within(numberRange(0, 5999)))
    const options = { executor: 'threads', concurrent: true } as const
    expect(await count(within(numberRange(0, 5999)), options)).toBe(4000)
    expect(await count(within(numberRange(1, 5999)), options)).toBe(4000)
    expect(use()).toMatchObject({ hits: 1, misses: 3, made: 1 })
  })

  it('are made by a search that runs here for it, and bring those after it here', async () => {
    // Fourteen times all values cost more than handing the search over.
    const clauses = Array.from({ length: 14 }, (_, i) => {
      return { occur: 'filter' as const, query: numberRange(i, DOCUMENTS + i) }
    })
    const query: Query = {
      kind: 'boolean',
      clauses: [{ occur: 'must', query: BLUE }, ...clauses],
      minimumShouldMatch: 0,
    }
    const expected = await count(query, { filterCache: false })
    expect(await count(query, { executor: 'auto' })).toBe(expected)
    // On another thread nothing is made.
    expect(use()).toMatchObject({ misses: 14, made: 0 })
    expect(await count(query, { executor: 'auto' })).toBe(expected)
    expect(use()).toMatchObject({ misses: 28, made: 14, hits: 0 })
    expect(await count(query, { executor: 'auto' })).toBe(expected)
    expect(use()).toMatchObject({ misses: 28, made: 14, hits: 14 })
  })
})

describe('the budget of hot filters', () => {
  afterEach(() => node.close())

  it('lets go of what was used longest ago', async () => {
    // Room for two: 12,000 bits, 64 bytes behind them, a key and what an entry takes.
    await open('4000b')
    const filters = [numberRange(0, 999), numberRange(0, 1999), numberRange(0, 2999)]
    for (const filter of filters.slice(0, 2))
      for (let i = 0; i < 2; i++) await count(within(filter))
    expect(use()).toMatchObject({ made: 2, kept: 2 })
    await count(within(filters[0]!))
    for (let i = 0; i < 2; i++) await count(within(filters[2]!))
    expect(use()).toMatchObject({ made: 3, kept: 2, hits: 1 })
    await count(within(filters[0]!))
    expect(use().hits).toBe(2)
    await count(within(filters[1]!))
    expect(use().hits).toBe(2)
    expect(use().bytes).toBeLessThanOrEqual(4000)
  })

  it('keeps nothing where it is 0', async () => {
    await open('0b')
    for (let i = 0; i < 3; i++) expect(await count(within(numberRange(0, 5999)))).toBe(4000)
    expect(use()).toMatchObject({ hits: 0, misses: 0, made: 0 })
  })
})
