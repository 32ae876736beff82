/**
 * Random searches over random collections, held to a plain walk over the documents, and to themselves
 * in every way that a search may be run: slices, profile, executor.
 *
 * The long form: `LAMELLA_SEARCHES=100000 npx vitest run test/engine/search/random-searches.test.ts`;
 * `LAMELLA_SEARCHES_SEED` draws others.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { QUERY_PARSERS } from '../../../src/engine/dsl/query/query-parsers.ts'
import { Random } from '../../../src/util/random.ts'
import { settingsOf } from '../../support/plain/ways.ts'
import { randomCollection } from '../../support/plain-search/collection.ts'
import { FeatureCounts } from '../../support/plain-search/feature-counts.ts'
import { QUERY_KINDS } from '../../support/plain-search/kinds.ts'
import {
  type DrawnSearch,
  drawSearch,
  type ExpectedHit,
  OPTIONS,
} from '../../support/plain-search/random-search.ts'
import { SORT_KINDS } from '../../support/plain-search/sorts.ts'
import { checkShardOrder, checkShardProfile } from '../../support/profile-invariants.ts'
import { openRest, type Rest } from '../../support/rest-calls.ts'

const SLICES = [1, 2, 4]
/** How a search is run beside its slices: by kernels where its shape allows, by iterators, by both. */
const RUNS = [{}, { profile: true }, { profile: true, profile_kernels: true }]
const SHORT = 8400
const SEARCHES = Number(process.env['LAMELLA_SEARCHES'] ?? SHORT)
const SEED = Number(process.env['LAMELLA_SEARCHES_SEED'] ?? 4711)
const PER_COLLECTION = 400
/** Each query, sort and option is drawn so often, and finds something so often. */
const [DRAWN, FINDING] = [200, 50]

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
type Json = any

/** It stands alone, at the top: `hybrid/random-hybrid.test.ts` draws it. */
const ALONE = 'hybrid'

it('draws every query that there is', () => {
  const built = Object.keys(QUERY_PARSERS).filter(
    name => QUERY_PARSERS[name] !== null && name !== ALONE,
  )
  expect(Object.keys(QUERY_KINDS).sort()).toEqual(built.sort())
})

it(`finds what the documents say, however a search is run (seed ${SEED}, ${SEARCHES} searches)`, {
  timeout: SEARCHES > SHORT ? 0 : 1_200_000,
}, async () => {
  const sorts = [...Object.keys(SORT_KINDS)].map(name => `sort ${name}`)
  const counts = new FeatureCounts([...Object.keys(QUERY_KINDS), ...sorts, ...OPTIONS])
  let number = 0
  for (let index = 0; number < SEARCHES; index++) {
    const random = new Random(SEED + index)
    const shape = { documents: 60 + random.below(120), segments: 2 + random.below(3) }
    const shards = await randomCollection(rest, random, { ...shape, shards: [1, 1, 2][index % 3]! })
    const opened = await rest.call('POST /i/_search/point_in_time?keep_alive=1h')
    const pit: string = opened.json.pit_id
    const drawn: DrawnSearch[] = []
    for (; drawn.length < PER_COLLECTION && number < SEARCHES; number++)
      drawn.push(drawSearch(random, number, { shards, pit }))
    for (const { features, hits } of drawn) counts.add(features, hits.length > 0)
    for (const [i, slices] of SLICES.entries()) {
      const way = { slices, partitions: true, profile: false, kernels: true }
      const set = await rest.call('PUT /i/_settings', settingsOf(way))
      expect(set.status, set.text).toBe(200)
      for (const [at, search] of drawn.entries()) {
        const run = RUNS[(at + i) % RUNS.length]!
        await check(search, run, `collection ${index}, search ${at}, ${slices} slices`)
      }
    }
    await rest.call('DELETE /_search/point_in_time', { pit_id: [pit] })
  }
  if (SEARCHES >= SHORT) expect(counts.rarerThan(DRAWN, FINDING), String(counts)).toEqual([])
  expect(rest.engine.cluster.executorCounts()).toMatchObject({
    kernels: expect.any(Number),
    profile: expect.any(Number),
  })
})

async function check(search: DrawnSearch, run: object, title: string): Promise<void> {
  const request: Record<string, unknown> = { _source: false, ...search.body, ...run }
  const start = performance.now()
  const { status, text, json } = await rest.call(`POST ${search.path}`, request)
  if (search.isScrolled && status === 200) await readPages(json)
  const wallTime = (performance.now() - start) * 1e6
  const at = `${title}: ${JSON.stringify(request)}`
  if (status !== 200 || json._shards.failed > 0) expect.fail(`${at}: ${text}`)
  const { hits } = json
  checkProfiles(json.profile?.shards ?? [], wallTime, at)
  expect(hits.hits.map(foundHit), at).toEqual(search.hits.map(hit => expectedHit(hit, request)))
  if (search.total !== null) expect(hits.total, at).toEqual({ value: search.total, relation: 'eq' })
  expect([json.timed_out, json.terminated_early], at).toEqual([false, search.isCut ?? undefined])
  const { max_score: best } = hits
  if (request.search_after === undefined)
    expect(best === null ? null : Math.fround(best), at).toBe(search.maxScore)
}

/** Adds the hits of the other pages of a scroll to those of the first, and ends it. */
async function readPages(first: Json): Promise<void> {
  const { hits: all } = first.hits
  let scroll: string = first._scroll_id
  for (let last = all.length; last > 0; ) {
    const { json, text } = await rest.call('POST /_search/scroll', {
      scroll_id: scroll,
      scroll: '1m',
    })
    if (json.hits === undefined) expect.fail(text)
    expect(json.hits.total).toEqual(first.hits.total)
    all.push(...json.hits.hits)
    last = json.hits.hits.length
    scroll = json._scroll_id
  }
  await rest.call('DELETE /_search/scroll', { scroll_id: [scroll] })
}

/** Holds the profiles of shards, if there are, to the rules of all profiles. */
function checkProfiles(shards: readonly Json[], wallTime: number, at: string): void {
  const rules = (): void => {
    checkShardOrder(shards)
    for (const shard of shards) {
      const { slice_count: sliceCount } = shard.searches[0].collector[0]
      const concurrent = sliceCount !== undefined
      const of = { concurrent, human: false, sliceCount: sliceCount ?? 1, wallTime, exact: null }
      checkShardProfile(shard, of)
    }
  }
  expect(rules, at).not.toThrow()
}

/** What is compared of a printed hit; scores as the float32 numbers that they are. */
function foundHit(hit: Json): object {
  const { _id, _score, sort, matched_queries: names, inner_hits: inner, _explanation } = hit
  const score = _score === null ? null : Math.fround(_score)
  const group = inner?.group?.hits.hits
  return {
    id: _id,
    score,
    sort: sort ?? null,
    names: [...(names ?? [])].sort(),
    objects: inner?.items?.hits.hits.map((each: Json) => each._nested.offset) ?? null,
    group: group?.map((each: Json) => [each._id, Math.fround(each._score)]) ?? null,
    explained: _explanation === undefined ? null : Math.fround(_explanation.value),
    parts: Object.fromEntries(PARTS.flatMap(key => (key in hit ? [[key, hit[key]]] : []))),
  }
}

/** Keys of hits that are only there when they are asked for. */
const PARTS = ['_source', 'fields', '_version', '_seq_no', '_primary_term']

function expectedHit(hit: ExpectedHit, { explain }: Record<string, unknown>): object {
  const { id, score, sort, names, objects, group, parts } = hit
  return {
    id,
    score,
    // A hit's place in its shard is told apart there alone.
    sort: sort === 'places' ? expect.any(Array) : sort,
    names: [...names].sort(),
    objects,
    group,
    explained: explain === true ? (score ?? expect.any(Number)) : null,
    parts,
  }
}
