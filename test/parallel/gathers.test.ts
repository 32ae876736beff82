import { afterAll, beforeAll, expect, it } from 'vitest'
import { Node } from '../../src/engine/node/node.ts'
import type { AnyGather } from '../../src/parallel/gathers.ts'
import type { SearchPlan } from '../../src/parallel/prepare.ts'
import type { ShardSearchOptions } from '../../src/parallel/search-options.ts'
import type { MatchRun } from '../../src/search/collector/listed-matches.ts'
import type { Query } from '../../src/search/query/query.ts'
import { queryText } from '../../src/search/query/query-ops.ts'
import type { Snapshot } from '../../src/segment/snapshot.ts'
import { Random } from '../../src/util/random.ts'
import { fillRandomIndex } from '../support/random-index.ts'
import { randomQuery } from '../support/random-search.ts'
import { searchOptions, searchPlan } from '../support/search-plan.ts'
import { bucketsOf, type CountedValue, tagsOf } from '../support/tag-buckets.ts'

const SEED = 411
const DOCUMENTS = 6000
const QUERIES = 150
const TAGS = tagsOf('tag')
/** Of every kind one. */
const GATHERS: { readonly [K in AnyGather['kind']]: AnyGather } = {
  aggregations: TAGS,
  listedMatches: { kind: 'listedMatches', withScores: true },
}

const node = new Node({
  folder: null,
  settings: new Map([
    ['lamella.threads.search', '2'],
    ['lamella.threads.write', '1'],
  ]),
})
let snapshot: Snapshot

beforeAll(async () => {
  await fillRandomIndex(node, SEED, DOCUMENTS)
  snapshot = node.index('i')!.shards[0]!.snapshot.acquire()
  expect(snapshot.leaves.length).toBeGreaterThan(2)
  expect(snapshot.numDocs).toBeLessThan(snapshot.maxDoc)
})
afterAll(async () => {
  snapshot.release()
  await node.close()
})

/** How one search may be run; what it finds must not show which. */
const WAYS: readonly Partial<ShardSearchOptions>[] = [
  { executor: 'inline', kernels: true },
  { executor: 'auto', kernels: true },
  { executor: 'threads', kernels: true, concurrent: true, slices: cut(2) },
  { executor: 'threads', kernels: false, concurrent: true, slices: cut(4) },
  { executor: 'together', kernels: true, concurrent: true, slices: cut(2) },
  { executor: 'inline', kernels: true, profile: { sampling: 'calibrated', perLeaf: true } },
]

function cut(maxSliceCount: number): ShardSearchOptions['slices'] {
  return { maxSliceCount, intraSegment: 'auto', intraSegmentMinDocs: 1 }
}

/** Documents of the shard with their scores. */
function listOf(runs: readonly MatchRun[]): readonly (readonly [number, number])[] {
  return runs.flatMap(({ leafOrd, docs, scores }) =>
    [...docs].map((doc, at) => [snapshot.leaves[leafOrd]!.docBase + doc, scores![at]!] as const),
  )
}

async function counts(
  plan: SearchPlan,
  options: ShardSearchOptions,
): Promise<readonly CountedValue[]> {
  const { result } = await node.searcher.search(snapshot, plan, options)
  return bucketsOf(TAGS, result.parts[0])
}

it(`gathers the same on every way, beside the same hits (seed ${SEED})`, async () => {
  const random = new Random(SEED)
  let gathered = 0
  for (let i = 0; i < QUERIES; i++) {
    const query = randomQuery(random, 3)
    const postFilter = random.below(6) === 0 ? randomQuery(random, 1) : null
    const options = {
      topCount: random.below(4) === 0 ? 0 : 1 + random.below(30),
      trackTotalHits: [-1, 0, 100, 10_000, Number.POSITIVE_INFINITY][random.below(5)]!,
      minScore: random.below(6) === 0 ? random.next() : null,
    }
    const plan = searchPlan(query, options, postFilter, [TAGS])
    const alone = searchPlan(query, options, postFilter)
    const title = `query ${i}: ${queryText(query)} ${JSON.stringify(options)}`
    const expected = await counts(plan, searchOptions())
    const { result: hits } = await node.searcher.search(snapshot, alone, searchOptions())
    if (expected.length > 0) gathered++
    for (const way of WAYS) {
      const { result } = await node.searcher.search(snapshot, plan, searchOptions(way))
      const words = `${title} ${JSON.stringify(way)}`
      expect(bucketsOf(TAGS, result.parts[0]), words).toEqual(expected)
      expect(result.hits, words).toEqual(hits.hits)
      expect(result.total, words).toEqual(hits.total)
    }
  }
  expect(gathered).toBeGreaterThan(QUERIES / 2)
})

it('lists every match once, in order of documents, with the score that its hit has', async () => {
  const random = new Random(SEED + 2)
  const list: AnyGather = { kind: 'listedMatches', withScores: true }
  for (let i = 0; i < 60; i++) {
    const query = randomQuery(random, 2)
    const all = { topCount: snapshot.maxDoc, trackTotalHits: Number.POSITIVE_INFINITY }
    const { result: hits } = await node.searcher.search(
      snapshot,
      searchPlan(query, all),
      searchOptions({ kernels: false }),
    )
    const expected = hits.hits
      .map(({ globalDoc, score }) => [globalDoc, score])
      .sort(([a], [b]) => a! - b!)
    for (const way of WAYS) {
      const plan = searchPlan(query, { topCount: 0, trackTotalHits: -1 }, null, [list])
      const { result } = await node.searcher.search(snapshot, plan, searchOptions(way))
      const runs = result.parts[0] as readonly MatchRun[]
      expect(listOf(runs), `${queryText(query)} ${JSON.stringify(way)}`).toEqual(expected)
    }
  }
})

it('counts each value as often as a search for it matches', async () => {
  const random = new Random(SEED + 1)
  for (let i = 0; i < 20; i++) {
    const query = randomQuery(random, 2)
    const found = await counts(
      searchPlan(query, {}, null, [TAGS]),
      searchOptions({ kernels: true }),
    )
    for (const { value, count } of found) {
      const tagged: Query = {
        kind: 'boolean',
        clauses: [
          { occur: 'must', query },
          { occur: 'filter', query: { kind: 'term', field: 'tag', term: value } },
        ],
        minimumShouldMatch: 0,
      }
      const { result } = await node.searcher.search(snapshot, searchPlan(tagged), searchOptions())
      expect(result.total, `${queryText(query)} ${value}`).toEqual({ value: count, relation: 'eq' })
    }
    const total = found.reduce((sum, { count }) => sum + count, 0)
    expect(total).toBeGreaterThanOrEqual(found.length)
  }
})

it('counts no value of a field that no document has', async () => {
  const absent = tagsOf('absent')
  const plan = searchPlan({ kind: 'matchAll' }, {}, null, [absent])
  expect(await counts(plan, searchOptions({ kernels: true }))).toEqual([])
})

/**
 * Ways that answer without seeing every match, or without the executors: each with a search that
 * takes it when nothing else is gathered.
 */
const SHORT_WAYS: readonly (readonly [string, Query, Parameters<typeof searchPlan>[1]])[] = [
  ['one term', { kind: 'term', field: 'body', term: 'sea' }, { trackTotalHits: 10_000 }],
  ['a count by statistics', { kind: 'matchAll' }, { topCount: 0 }],
  ['a count of one term', { kind: 'term', field: 'tag', term: 't1' }, { topCount: 0 }],
  ['a count of a field', { kind: 'fieldExists', field: 'body', listed: false }, { topCount: 0 }],
  [
    'a total by one frequent clause',
    {
      kind: 'boolean',
      clauses: ['sea', 'ship'].map(word => ({
        occur: 'should' as const,
        query: { kind: 'term' as const, field: 'body', term: word },
      })),
      minimumShouldMatch: 1,
    },
    { trackTotalHits: 5 },
  ],
  ['the first matches of a filter', { kind: 'prefix', field: 'tag', prefix: 't' }, { topCount: 3 }],
  [
    'hits that need not be counted',
    { kind: 'term', field: 'body', term: 'sea' },
    { trackTotalHits: -1 },
  ],
]

it.each(
  SHORT_WAYS.flatMap(([name, query, options]) =>
    Object.values(GATHERS).map(gather => [name, gather.kind, query, options, gather] as const),
  ),
)('%s is no short way around %s', async (_name, _kind, query, options, gather) => {
  const plan = searchPlan(query, options, null, [gather])
  const gathered = async (options: ShardSearchOptions): Promise<readonly unknown[]> => {
    const { result } = await node.searcher.search(snapshot, plan, options)
    const [part] = result.parts
    return gather.kind === 'listedMatches'
      ? listOf(part as readonly MatchRun[])
      : bucketsOf(gather, part)
  }
  const expected = await gathered(searchOptions({ kernels: false }))
  expect(expected.length).toBeGreaterThan(0)
  for (let i = 0; i < 3; i++)
    for (const executor of ['inline', 'auto', 'threads'] as const)
      expect(await gathered(searchOptions({ kernels: true, executor }))).toEqual(expected)
})
