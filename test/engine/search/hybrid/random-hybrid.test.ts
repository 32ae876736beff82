import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  HybridScoring,
  ScoreBound,
} from '../../../../src/engine/search/hybrid/hybrid-scoring.ts'
import { trusted } from '../../../../src/task/call-context.ts'
import { encodeUtf8 } from '../../../../src/util/bytes.ts'
import { parseJsonTree } from '../../../../src/util/json/json-tree.ts'
import { writeJson } from '../../../../src/util/json/json-writer.ts'
import { Random } from '../../../../src/util/random.ts'
import { targetOf } from '../../../support/engine-calls.ts'
import { type PlainHit, plainHybrid } from '../../../support/plain-hybrid.ts'
import { checkShardOrder, checkShardProfile } from '../../../support/profile-invariants.ts'
import { ndjson, okOf, openRest, type Rest } from '../../../support/rest-calls.ts'

/** Random requests, and of them profiled ones; the long form is 2,000 and 500. */
const CASES = Number(process.env['LAMELLA_HYBRID_CASES'] ?? 60)
const SEED = Number(process.env['LAMELLA_HYBRID_SEED'] ?? 41)
const PROFILED_OF = 4

const WORDS = ['sea', 'ship', 'wind', 'gull', 'reef']
const DOCUMENTS = 400
let rest: Rest
const ok = okOf(() => rest)
/** By index and id: its shard, and its place there. */
const places = new Map<string, { readonly shard: number; readonly doc: number }>()

beforeAll(async () => {
  rest = await openRest({ 'lamella.threads.search': '2' })
  const random = new Random(7)
  for (const shards of [1, 3]) {
    await ok(`PUT /i${shards}`, {
      settings: {
        number_of_shards: shards,
        refresh_interval: '-1',
        'index.search.concurrent_segment_search.mode': 'all',
      },
      mappings: { properties: { t: { type: 'text' }, n: { type: 'integer' } } },
    })
    for (let batch = 0; batch < 4; batch++) {
      const lines = Array.from({ length: DOCUMENTS / 4 }, (_, i) => {
        const words = Array.from({ length: 1 + random.below(6) }, () => WORDS[random.below(5)])
        const source = { t: words.join(' '), n: random.below(20) }
        return [{ index: { _id: `${batch}-${i}` } }, source]
      }).flat()
      await ok(`POST /i${shards}/_bulk?refresh`, ndjson(...lines))
    }
    for (let shard = 0; shard < shards; shard++) {
      const found = await ok(`POST /i${shards}/_search?preference=_shards:${shard}`, {
        size: DOCUMENTS,
        sort: ['_doc'],
      })
      for (const [doc, { _id, _source }] of found.hits.hits.entries()) {
        places.set(`i${shards} ${_id}`, { shard, doc })
        numbers.set(`i${shards} ${_id}`, _source.n)
      }
    }
  }
})
afterAll(() => rest.close())

function randomQuery(random: Random, depth = 2): object {
  const word = (): string => WORDS[random.below(WORDS.length)]!
  const inner = (): object => randomQuery(random, depth - 1)
  const shapes: readonly (() => object)[] = [
    () => ({ term: { t: word() } }),
    () => ({ match: { t: `${word()} ${word()}` } }),
    () => ({ range: { n: { gte: random.below(20) } } }),
    () => ({ match_phrase: { t: `${word()} ${word()}` } }),
    () => ({ match_none: {} }),
    () => ({ match_all: {} }),
    () => ({ bool: { must: [inner()], should: [inner()] } }),
    () => ({ bool: { filter: [inner()] } }),
    () => ({ dis_max: { queries: [inner(), inner()], tie_breaker: 0.5 } }),
    () => ({ constant_score: { filter: inner(), boost: 1 + random.below(4) } }),
  ]
  return shapes[random.below(depth > 0 ? shapes.length : 4)]!()
}

function randomScoring(random: Random, lists: number): HybridScoring {
  const parts = Array.from({ length: lists }, () => 1 + random.below(9))
  const total = parts.reduce((all, part) => all + part)
  const weights = random.below(2) === 0 ? null : parts.map(part => Math.fround(part / total))
  const kind = random.below(4)
  if (kind === 3) return { kind: 'rank', rankConstant: 1 + random.below(100), weights }
  const technique = (['min_max', 'l2', 'z_score'] as const)[kind]!
  const bounds = (): readonly ScoreBound[] | null =>
    technique !== 'min_max' || random.below(2) === 0
      ? null
      : Array.from({ length: lists }, () => ({
          mode: (['apply', 'clip', 'ignore'] as const)[random.below(3)]!,
          score: Math.fround(random.next() * 2),
        }))
  const combination = (['arithmetic_mean', 'geometric_mean', 'harmonic_mean'] as const)[
    technique === 'z_score' ? 0 : random.below(3)
  ]!
  return {
    kind: 'normalization',
    technique,
    lowerBounds: bounds(),
    upperBounds: bounds(),
    combination,
    weights,
  }
}

/** The search pipeline that a request carries so that its lists are combined thus. */
function pipelineOf(scoring: HybridScoring): object {
  const parameters = scoring.weights === null ? {} : { weights: scoring.weights }
  if (scoring.kind === 'rank') {
    const combination = { technique: 'rrf', rank_constant: scoring.rankConstant, parameters }
    return { phase_results_processors: [{ 'score-ranker-processor': { combination } }] }
  }
  const { technique, lowerBounds, upperBounds } = scoring
  const bounds = {
    lower_bounds: lowerBounds?.map(({ mode, score }) => ({ mode, min_score: score })),
    upper_bounds: upperBounds?.map(({ mode, score }) => ({ mode, max_score: score })),
  }
  const processor = {
    normalization: { technique, parameters: bounds },
    combination: { technique: scoring.combination, parameters },
  }
  return { phase_results_processors: [{ 'normalization-processor': processor }] }
}

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON, looked into by tests
type Json = any

async function search(
  index: string,
  body: object,
  slices: number,
  preference?: string,
): Promise<Json> {
  const { body: answer } = await rest.engine.searches.search(
    {
      target: targetOf(index),
      body: parseJsonTree(encodeUtf8(JSON.stringify(body))),
      options: preference === undefined ? {} : { preference },
      human: false,
      slices,
    },
    trusted('indices:data/read/search'),
  )
  return JSON.parse(Buffer.from(writeJson(answer)).toString())
}

/**
 * The hits of one query alone, shard by shard.
 * @param parts of a search, besides its query
 */
async function listOf(
  shards: number,
  query: object,
  size: number,
  parts: object = {},
): Promise<readonly PlainHit[]> {
  const index = `i${shards}`
  const found: PlainHit[] = []
  for (let shard = 0; shard < shards; shard++) {
    const { hits } = await search(index, { query, size, ...parts }, 1, `_shards:${shard}`)
    for (const { _id: id, _score } of hits.hits)
      found.push({ ...places.get(`${index} ${id}`)!, id, score: Math.fround(_score) })
  }
  return found
}

/** The number of a document. */
const numbers = new Map<string, number>()

/** What a search asks for beside a hybrid query, and what becomes of the combined hits then. */
interface Part {
  readonly name: string
  readonly asked: object
  /** Whether each list is made with it. */
  readonly isOfLists: boolean
  /** Whether hits have no scores. */
  readonly isSorted: boolean
  combined(index: string, all: readonly PlainHit[]): readonly PlainHit[]
}

function randomPart(random: Random, depth: number): Part {
  const numberOf = (index: string, { id }: PlainHit): number => numbers.get(`${index} ${id}`)!
  const plain = { isOfLists: true, isSorted: false }
  const parts: readonly (() => Part)[] = [
    () => ({
      ...plain,
      name: 'post_filter',
      asked: { post_filter: { range: { n: { gte: random.below(20) } } } },
      combined: (_, all) => all,
    }),
    () => ({
      ...plain,
      name: 'rescore',
      asked: {
        rescore: {
          window_size: 1 + random.below(depth),
          query: { rescore_query: randomQuery(random, 1), rescore_query_weight: random.below(4) },
        },
      },
      combined: (_, all) => all,
    }),
    () => {
      const sort = [{ n: random.below(2) === 0 ? 'asc' : 'desc' }]
      const sign = sort[0]!.n === 'asc' ? 1 : -1
      return {
        name: 'sort',
        asked: { sort },
        isOfLists: true,
        isSorted: true,
        combined: (index, all) =>
          [...all].sort(
            (a, b) =>
              sign * (numberOf(index, a) - numberOf(index, b)) ||
              a.shard - b.shard ||
              a.doc - b.doc,
          ),
      }
    },
    () => ({
      ...plain,
      name: 'collapse',
      asked: { collapse: { field: 'n' } },
      combined(index, all) {
        const seen = new Set<number>()
        return all.filter(hit => {
          const number = numberOf(index, hit)
          return !seen.has(number) && seen.add(number)
        })
      },
    }),
  ]
  return parts[random.below(parts.length)]!()
}

describe(`random hybrid requests (seed ${SEED})`, () => {
  it(
    'are what their queries find alone, combined, for all slices and shards, profiled or not',
    async () => {
      const random = new Random(SEED)
      for (let round = 0; round < CASES; round++) {
        const queries = Array.from({ length: 1 + random.below(4) }, () => randomQuery(random))
        const depth = 1 + random.below(40)
        const size = 1 + random.below(20)
        const scoring = randomScoring(random, queries.length)
        const filter = random.below(3) === 0 ? { range: { n: { lt: 15 } } } : null
        const alone = queries.map(query =>
          filter === null
            ? query
            : // As an alternative it keeps its score, which a range that must match loses.
              { bool: { must: [{ bool: { should: [query] } }], filter: [filter] } },
        )
        for (const shards of [1, 3]) {
          const lists: (readonly PlainHit[])[] = []
          const union = new Set<string>()
          for (const query of alone) {
            lists.push(await listOf(shards, query, depth))
            for (const { id } of await listOf(shards, query, DOCUMENTS)) union.add(id)
          }
          const all = plainHybrid(lists, scoring)
          const from = random.below(all.length + 1)
          const expected = {
            total: { value: union.size, relation: 'eq' },
            max_score: all[0]?.score ?? 0,
            hits: all.slice(from, from + size).map(({ id, score }) => [id, score]),
          }
          const query = {
            hybrid: { queries, pagination_depth: depth, ...(filter === null ? {} : { filter }) },
          }
          const search_pipeline = pipelineOf(scoring)
          for (const slices of [1, 2, 4])
            for (const profile of round % PROFILED_OF === 0 ? [false, true] : [false]) {
              const started = performance.now()
              const body = { from, size, query, profile, search_pipeline }
              const answer = await search(`i${shards}`, body, slices)
              const wallTime = (performance.now() - started) * 1e6
              const { total, max_score, hits } = answer.hits
              const found = {
                total,
                max_score: Math.fround(max_score),
                hits: hits.map((hit: { _id: string; _score: number }) => [
                  hit._id,
                  Math.fround(hit._score),
                ]),
              }
              expect([round, shards, slices, profile, query, scoring, found]).toEqual([
                round,
                shards,
                slices,
                profile,
                query,
                scoring,
                expected,
              ])
              if (profile) checkProfile(answer.profile, `i${shards}`, union, slices, wallTime)
            }
        }
      }
    },
    CASES * 3000,
  )
})

describe(`random hybrid requests with other parts of a search (seed ${SEED})`, () => {
  it(
    'are what their queries find so alone, combined, and aggregate all documents',
    async () => {
      const random = new Random(SEED + 1)
      const drawn = new Map<string, number>()
      let hits = 0
      for (let round = 0; round < CASES; round++) {
        const queries = Array.from({ length: 1 + random.below(4) }, () => randomQuery(random))
        const depth = 1 + random.below(40)
        const scoring = randomScoring(random, queries.length)
        const part = randomPart(random, depth)
        drawn.set(part.name, (drawn.get(part.name) ?? 0) + 1)
        for (const shards of [1, 3]) {
          const index = `i${shards}`
          const lists: (readonly PlainHit[])[] = []
          const union = new Set<string>()
          const counted = new Set<string>()
          for (const query of queries) {
            lists.push(await listOf(shards, query, depth, part.asked))
            for (const { id } of await listOf(shards, query, DOCUMENTS)) union.add(id)
            const filtered = part.name === 'post_filter' ? part.asked : {}
            for (const { id } of await listOf(shards, query, DOCUMENTS, filtered)) counted.add(id)
          }
          const all = part.combined(index, plainHybrid(lists, scoring))
          const size = 1 + random.below(depth)
          const expected = {
            total: { value: counted.size, relation: 'eq' },
            hits: all.slice(0, size).map(({ id, score }) => [id, part.isSorted ? null : score]),
            numbers: countsOf([...union].map(id => numbers.get(`${index} ${id}`)!)),
          }
          hits += expected.hits.length
          const query = { hybrid: { queries, pagination_depth: depth } }
          const aggs = { by: { terms: { field: 'n', size: 20, order: { _key: 'asc' } } } }
          const search_pipeline = pipelineOf(scoring)
          for (const slices of [1, 2, 4]) {
            const body = { size, query, aggs, ...part.asked, search_pipeline }
            const answer = await search(index, body, slices)
            const found = {
              total: answer.hits.total,
              hits: answer.hits.hits.map((hit: { _id: string; _score: number | null }) => [
                hit._id,
                hit._score === null ? null : Math.fround(hit._score),
              ]),
              numbers: answer.aggregations.by.buckets.map(
                ({ key, doc_count }: { key: number; doc_count: number }) => [key, doc_count],
              ),
            }
            expect([round, shards, slices, query, part.asked, scoring, found]).toEqual([
              round,
              shards,
              slices,
              query,
              part.asked,
              scoring,
              expected,
            ])
          }
        }
      }
      expect(drawn.size).toBe(4)
      for (const count of drawn.values()) expect(count).toBeGreaterThanOrEqual(CASES / 8)
      expect(hits).toBeGreaterThan(5 * CASES)
    },
    CASES * 3000,
  )
})

/** Pairs of each number and how often it is there, ascending. */
function countsOf(values: readonly number[]): [number, number][] {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([a], [b]) => a - b)
}

interface PrintedProfile {
  readonly shards: readonly {
    readonly searches: readonly { readonly query: readonly { readonly breakdown: object }[] }[]
  }[]
}

/** P1 to P20, and that the root has looked at every document of any query once. */
function checkProfile(
  { shards }: PrintedProfile,
  index: string,
  union: ReadonlySet<string>,
  slices: number,
  wallTime: number,
): void {
  checkShardOrder(shards as never)
  for (const [shard, entry] of shards.entries()) {
    const matched = [...union].filter(id => places.get(`${index} ${id}`)!.shard === shard).length
    const exact = {
      moves: { matched, begunLeaves: 4 },
      scores: true,
      twoPhase: 'never' as const,
      collected: matched,
    }
    const sliceCount = Math.min(slices, 4)
    checkShardProfile(entry as never, {
      concurrent: true,
      human: false,
      sliceCount,
      wallTime,
      exact,
    })
  }
}
