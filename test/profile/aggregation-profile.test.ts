/**
 * The rules of profiles (P1–P20) for random aggregations. The long form:
 * `LAMELLA_AGGREGATION_PROFILES=500 npx vitest run test/profile/aggregation-profile.test.ts`.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nowInNanos } from '../../src/util/clock.ts'
import { Random } from '../../src/util/random.ts'
import {
  checkAggregations,
  collectedCounts,
  collectorsOf,
} from '../support/aggregation-profile-invariants.ts'
import { type LiveDocument, randomCollection } from '../support/plain/collection.ts'
import { type FilterQuery, matches, randomFilter } from '../support/plain/filter-query.ts'
import type { Aggs } from '../support/plain/kind.ts'
import { KINDS } from '../support/plain/kinds.ts'
import { randomTree, requestOf } from '../support/plain/random-tree.ts'
import { documentRow } from '../support/plain/row.ts'
import { checkShardOrder, checkShardProfile, type Json } from '../support/profile-invariants.ts'
import { openRest, type Rest } from '../support/rest-calls.ts'

const REQUESTS = Number(process.env['LAMELLA_AGGREGATION_PROFILES'] ?? 30)
const SEED = 4211
const PER_COLLECTION = 15

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

/** How a profile is taken. */
interface Way {
  readonly concurrent: boolean
  readonly slices: number
  readonly human: boolean
}

const WAYS: readonly Way[] = [
  { concurrent: false, slices: 1, human: false },
  { concurrent: true, slices: 1, human: true },
  { concurrent: true, slices: 2, human: false },
  { concurrent: true, slices: 4, human: true },
]

interface Request {
  readonly aggs: Aggs
  readonly query: FilterQuery
}

it(`keeps P1–P20 for ${REQUESTS} random aggregations in each of ${WAYS.length} ways`, async () => {
  let globals = 0
  for (let at = 0; at < REQUESTS; at += PER_COLLECTION) {
    const random = new Random(SEED + at)
    const shape = { documents: 200, shards: 1 + random.below(3), batch: 20 + random.below(80) }
    const documents = await randomCollection(rest, random, shape)
    const leaves = await leavesByShard()
    for (let i = 0; i < Math.min(PER_COLLECTION, REQUESTS - at); i++) {
      const request = {
        aggs: randomTree(random, 1 + random.below(3)),
        query: random.below(2) === 0 ? { match_all: {} } : randomFilter(random, ''),
      }
      if (hasGlobal(request.aggs)) globals++
      await checkRequest(request, documents, leaves)
    }
  }
  expect(globals).toBeGreaterThan(0)
})

/** Numbers of leaves by shard. */
async function leavesByShard(): Promise<ReadonlyMap<number, number>> {
  const { json } = await rest.call('GET /i/_segments')
  const shards = Object.entries(json.indices.i.shards) as [string, [{ segments: object }]][]
  return new Map(shards.map(([id, [{ segments }]]) => [Number(id), Object.keys(segments).length]))
}

function hasGlobal(aggs: Aggs): boolean {
  return Object.values(aggs).some(({ kind }) => kind === 'global')
}

async function checkRequest(
  { aggs, query }: Request,
  documents: readonly LiveDocument[],
  leaves: ReadonlyMap<number, number>,
): Promise<void> {
  const body = { size: 0, query, aggs: requestOf(aggs) }
  const plain = await rest.call('POST /i/_search', body)
  let counts: readonly (readonly number[])[] = []
  for (const asked of WAYS) {
    // Samplers are profiled as a search in one slice, whatever is asked for.
    const way = { ...asked, concurrent: asked.concurrent && !samples(aggs) }
    const set = await rest.call('PUT /i/_settings', {
      'index.search.concurrent_segment_search.mode': asked.concurrent ? 'all' : 'none',
      'index.search.concurrent.max_slice_count': way.slices,
    })
    expect(set.status, set.text).toBe(200)
    const start = nowInNanos()
    const line = `POST /i/_search${way.human ? '?human' : ''}`
    const { json, text } = await rest.call(line, { ...body, profile: true })
    const wallTime = nowInNanos() - start
    const title = `${JSON.stringify(way)}: ${JSON.stringify(body)}`
    // P18.
    expect(json.aggregations, title).toEqual(plain.json.aggregations)
    const shards = json.profile?.shards as readonly Json[]
    expect(shards, `${title}: ${text}`).toBeDefined()
    expect(() => checkShardOrder(shards), title).not.toThrow()
    for (const shard of shards) {
      const number = Number(/\[(\d+)\]$/.exec(String(shard['id']))![1])
      const rows = documents.filter(each => each.shard === number).map(documentRow)
      const begun = leaves.get(number)!
      const expected = {
        ...way,
        aggs,
        hasGlobal: hasGlobal(aggs),
        // P19: as many slices as there are leaves for, at most those that are asked for.
        sliceCount: way.concurrent ? Math.min(way.slices, begun) : 1,
        wallTime,
        exact: null,
        begunLeaves: begun,
        all: rows.length,
        matched: rows.filter(row => matches(query, row)).length,
      }
      expect(() => checkShardProfile(shard, expected), title).not.toThrow()
      expect(() => checkAggregations(shard, expected), title).not.toThrow()
      checkCollectors(shard, aggs, way, title)
    }
    // P8.
    const collected = shards.map(shard => collectedCounts(shard['aggregations'] as readonly Json[]))
    if (asked === WAYS[0]) counts = collected
    else expect(collected, title).toEqual(counts)
  }
}

/** Whether some aggregation samples. */
function samples(aggs: Aggs): boolean {
  return Object.values(aggs).some(
    ({ kind, children }) =>
      kind === 'sampler' || kind === 'diversified_sampler' || samples(children),
  )
}

/** Whether some aggregation may look at scores. */
function mayReadScores(aggs: Aggs): boolean {
  return (
    samples(aggs) ||
    Object.values(aggs).some(({ kind, children }) => kind === 'top_hits' || mayReadScores(children))
  )
}

/** One collector for all aggregations of a query, and one for those of all documents. */
function checkCollectors(shard: Json, aggs: Aggs, { concurrent }: Way, title: string): void {
  const [main, global] = shard['searches'] as readonly Json[]
  const names = (isGlobal: boolean): readonly string[] =>
    Object.entries(aggs)
      .filter(([, { kind }]) => kind in KINDS && (kind === 'global') === isGlobal)
      .map(([name]) => name)
  const named = (own: readonly string[], manager: string): string => {
    const list = `[${own.join(', ')}]`
    if (concurrent) return `${manager}: ${list}`
    return own.length === 1 ? `ProfilingAggregator: ${list}` : `MultiBucketCollector: [${list}]`
  }
  const matched = names(false)
  if (matched.length > 0)
    expect(collectorsOf(main!).slice(-1), title).toEqual([
      [named(matched, 'NonGlobalAggCollectorManager'), 'aggregation'],
    ])
  if (global === undefined) return
  expect(collectorsOf(global), title).toEqual([
    [named(names(true), 'GlobalAggCollectorManager'), 'aggregation_global'],
  ])
  const [root] = global['query'] as readonly Json[]
  const inGlobal = Object.values(aggs).filter(({ kind }) => kind === 'global')
  // Where nothing reads scores, the query is wrapped.
  const types = [root!['type'], (root!['children'] as readonly Json[] | undefined)?.[0]?.['type']]
  const wrapped = ['ConstantScoreQuery', 'MatchAllDocsQuery']
  const isScored = inGlobal.some(({ children }) => mayReadScores(children))
  expect(isScored ? [wrapped, ['MatchAllDocsQuery', undefined]] : [wrapped], title).toContainEqual(
    types,
  )
}
