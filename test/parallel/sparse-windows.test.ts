/** Windows of matches of any density, of which several make one batch where matches are few. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runBulk } from '../../src/engine/document/bulk.ts'
import { createIndex } from '../../src/engine/index/index-life.ts'
import { Node } from '../../src/engine/node/node.ts'
import type { ShardSearchOptions } from '../../src/parallel/search-options.ts'
import type { Query } from '../../src/search/query/query.ts'
import type { Snapshot } from '../../src/segment/snapshot.ts'
import { trusted } from '../../src/task/call-context.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { Random } from '../../src/util/random.ts'
import { searchOptions, searchPlan } from '../support/search-plan.ts'
import { bucketsOf, tagsOf } from '../support/tag-buckets.ts'

const SEED = 902
const TAGS = 7
/** Documents and how many of a thousand match: windows of 4,096 begin and end amid most of these. */
const STRETCHES: readonly (readonly [documents: number, share: number])[] = [
  [4096, 1000],
  [10_000, 10],
  [9000, 0],
  [3000, 500],
  [12_000, 1],
  [5000, 999],
  [8192, 250],
  [700, 0],
  [9000, 100],
]

/** The first tag of a document that matches; null: it does not. */
const expected: (number | null)[] = []

const node = new Node({
  folder: null,
  settings: new Map([
    ['lamella.threads.search', '2'],
    ['lamella.threads.write', '1'],
  ]),
})
let snapshot: Snapshot

async function bulk(lines: readonly string[]): Promise<void> {
  const target = { index: 'i', routing: null, refresh: 'false', requireAlias: false } as const
  const rest = { source: null, waitForActiveShards: 1, timeoutInMillis: 30_000 } as const
  const body = encodeUtf8(`${lines.join('\n')}\n`)
  await runBulk(node, { ...target, ...rest, body }, trusted('indices:data/write/bulk'))
}

beforeAll(async () => {
  const fields = { found: { type: 'keyword' }, tag: { type: 'keyword' }, kept: { type: 'keyword' } }
  const mappings = parseJsonTree(encodeUtf8(JSON.stringify({ properties: fields })))
  const settings = new Map([['index.refresh_interval', '-1']])
  await createIndex(
    node,
    { name: 'i', settings, mappings, aliases: null, waitForActiveShards: 1 },
    trusted('indices:admin/create'),
  )
  const random = new Random(SEED)
  const lines: string[] = []
  for (const [documents, share] of STRETCHES)
    for (let i = 0; i < documents; i++) {
      const isFound = random.below(1000) < share
      const tag = random.below(TAGS)
      lines.push(JSON.stringify({ index: { _id: `${expected.length}` } }))
      lines.push(JSON.stringify({ found: isFound ? 'yes' : 'no', tag: `t${tag}`, kept: 'yes' }))
      expected.push(isFound ? tag : null)
    }
  await bulk(lines)
  const shard = node.index('i')!.shards[0]!
  await shard.refresh()
  const deletes: string[] = []
  for (let id = 0; id < expected.length; id += 1 + random.below(60)) {
    deletes.push(JSON.stringify({ delete: { _id: `${id}` } }))
    expected[id] = null
  }
  await bulk(deletes)
  await shard.refresh()
  snapshot = shard.snapshot.acquire()
  expect(Math.max(...snapshot.leaves.map(({ segment }) => segment.maxDoc))).toBeGreaterThan(50_000)
}, 120_000)

afterAll(async () => {
  snapshot.release()
  await node.close()
})

function cut(maxSliceCount: number): ShardSearchOptions['slices'] {
  return { maxSliceCount, intraSegment: 'auto', intraSegmentMinDocs: 1 }
}

const WAYS: readonly Partial<ShardSearchOptions>[] = [
  { executor: 'inline', kernels: true },
  { executor: 'inline', kernels: false },
  { executor: 'threads', kernels: true, concurrent: true, slices: cut(2) },
  { executor: 'threads', kernels: true, concurrent: true, slices: cut(4) },
  { executor: 'together', kernels: true, concurrent: true, slices: cut(3) },
]

const FOUND: Query = { kind: 'term', field: 'found', term: 'yes' }
const KEPT: Query = { kind: 'term', field: 'kept', term: 'yes' }
const QUERIES: readonly (readonly [string, Query])[] = [
  ['a term', FOUND],
  ['a filter', { kind: 'constantScore', query: FOUND }],
  [
    'two filters',
    {
      kind: 'boolean',
      clauses: [KEPT, FOUND].map(query => ({ occur: 'filter' as const, query })),
      minimumShouldMatch: 0,
    },
  ],
]

it.each(QUERIES)(
  `counts every match of %s once, however it is run (seed ${SEED})`,
  async (_name, query) => {
    const counts = new Map<string, number>()
    for (const tag of expected)
      if (tag !== null) counts.set(`t${tag}`, (counts.get(`t${tag}`) ?? 0) + 1)
    const gather = tagsOf('tag')
    const plan = searchPlan(query, { topCount: 0 }, null, [gather])
    for (const way of WAYS) {
      const { result } = await node.searcher.search(snapshot, plan, searchOptions(way))
      const found = bucketsOf(gather, result.parts[0]).map(each => [each.value, each.count])
      expect(found.sort(), JSON.stringify(way)).toEqual([...counts].sort())
    }
  },
)
