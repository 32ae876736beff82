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
  PIPELINE,
  PIPELINE_BODY,
} from '../../support/plain-search/random-search.ts'
import { REQUEST_FEATURES, UNSORTED_TYPES } from '../../support/plain-search/request-features.ts'
import { SORT_KINDS } from '../../support/plain-search/sorts.ts'
import {
  checkShardOrder,
  checkShardProfile,
  type ProfileExpectation,
} from '../../support/profile-invariants.ts'
import { openRest, type Rest } from '../../support/rest-calls.ts'

interface Run {
  readonly profile?: boolean
  readonly profile_kernels?: boolean
  readonly profile_slices?: boolean
  readonly track_total_hits?: boolean
}

const SLICES = [1, 2, 4]
/** How a search is run beside its slices: by kernels where its shape allows, by iterators, by both. */
const RUNS: readonly Run[] = [
  {},
  { profile: true },
  // Where all matches are counted none is passed over, so that calls are as many as the documents tell.
  { profile: true, profile_kernels: true, profile_slices: true, track_total_hits: true },
]
/** One in so many searches runs at each number of slices, the others at one of them. */
const IN_ALL_SLICES = 8
const SHORT = 20_000
const SEARCHES = Number(process.env['LAMELLA_SEARCHES'] ?? SHORT)
const SEED = Number(process.env['LAMELLA_SEARCHES_SEED'] ?? 4711)
const PER_COLLECTION = 400
/** Each executor runs so many slices at the least. */
const LEAST_SLICES = 1000
/** Each query, sort and option is drawn so often, and finds something so often. */
const [DRAWN, FINDING] = [200, 50]

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
  await rest.call(`PUT /_search/pipeline/${PIPELINE}`, PIPELINE_BODY)
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

it('sorts by no field of the types that no sort is drawn of', async () => {
  const mapped = [...UNSORTED_TYPES].filter(type => type !== 'derived' && !type.startsWith('_'))
  const properties = mapped.map(type => [
    type,
    { type, ...(type === 'knn_vector' ? { dimension: 2 } : {}) },
  ])
  const index = {
    settings: { 'index.knn': true },
    mappings: { properties: Object.fromEntries(properties) },
  }
  const made = await rest.call('PUT /unsorted', index)
  expect(made.status, made.text).toBe(200)
  const derived = { derived: { type: 'long', script: { source: 'emit(1L)' } } }
  for (const type of UNSORTED_TYPES) {
    const { status, text } = await rest.call('POST /unsorted/_search', { sort: [type], derived })
    expect([type, status], text).toEqual([type, 400])
  }
})

it(`finds what the documents say, however a search is run (seed ${SEED}, ${SEARCHES} searches)`, {
  timeout: SEARCHES > SHORT ? 0 : 1_200_000,
}, async () => {
  const sorts = [...Object.keys(SORT_KINDS)].map(name => `sort ${name}`)
  const counts = new FeatureCounts([
    ...Object.keys(QUERY_KINDS),
    ...sorts,
    ...OPTIONS,
    ...REQUEST_FEATURES,
  ])
  const profiled = new FeatureCounts(Object.keys(QUERY_KINDS))
  const isQuery = (name: string): boolean => name in QUERY_KINDS
  let number = 0
  for (let index = 0; number < SEARCHES; index++) {
    const random = new Random(SEED + index)
    const shape = { documents: 60 + random.below(120), segments: 2 + random.below(3) }
    // Of some collections it is known how many documents an iterator visits.
    const hasDeletes = index % 3 > 0
    const shards = await randomCollection(rest, random, {
      ...shape,
      shards: 1 + (index % 2),
      hasDeletes,
    })
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
        if (at % IN_ALL_SLICES !== 0 && at % SLICES.length !== i) continue
        const run: Run = RUNS[(Math.floor(at / SLICES.length) + i) % RUNS.length]!
        const isFinding = search.hits.length > 0
        const keys = Object.keys(run).filter(key => key.startsWith('profile'))
        counts.add(
          keys.map(key => `key ${key}`),
          isFinding,
        )
        if (run.profile === true) profiled.add(search.features.filter(isQuery), isFinding)
        await check(search, run, hasDeletes, `collection ${index}, search ${at}, ${slices} slices`)
      }
    }
    await rest.call('DELETE /_search/point_in_time', { pit_id: [pit] })
  }
  if (SEARCHES < SHORT) return
  expect(counts.rarerThan(DRAWN, FINDING), String(counts)).toEqual([])
  expect(profiled.rarerThan(DRAWN, FINDING), String(profiled)).toEqual([])
  const { kernels = 0, profile = 0 } = rest.engine.cluster.executorCounts()
  expect(kernels).toBeGreaterThan(LEAST_SLICES)
  expect(profile).toBeGreaterThan(LEAST_SLICES)
})

async function check(
  search: DrawnSearch,
  run: Run,
  hasDeletes: boolean,
  title: string,
): Promise<void> {
  const request: Record<string, unknown> = { _source: false, ...search.body, ...run }
  const start = performance.now()
  const { status, text, json } = await rest.call(`POST ${search.path}`, request)
  if (search.isScrolled && status === 200) await readPages(json)
  const wallTime = (performance.now() - start) * 1e6
  const at = `${title}: ${JSON.stringify(request)}`
  if (status !== 200 || json._shards.failed > 0) expect.fail(`${at}: ${text}`)
  const { hits } = json
  checkProfiles(json.profile?.shards ?? [], { wallTime, search, run, hasDeletes }, at)
  expect(hits.hits.map(foundHit), at).toEqual(search.hits.map(hit => expectedHit(hit, search)))
  if (search.total !== null)
    expect(hits.total, at).toEqual(
      search.path.includes('rest_total_hits_as_int')
        ? search.total
        : { value: search.total, relation: 'eq' },
    )
  const counted = json.aggregations?.counted ?? json.aggregations?.['value_count#counted']
  expect(counted?.value ?? null, at).toBe(search.counted)
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

/** What the profiles of a search are held against. */
interface Profiled {
  readonly search: DrawnSearch
  readonly run: Run
  readonly wallTime: number
  /** Whether some documents are deleted, which some iterators visit and others do not. */
  readonly hasDeletes: boolean
}

/** Holds the profiles of shards, if there are, to the rules of all profiles. */
function checkProfiles(shards: readonly Json[], profiled: Profiled, at: string): void {
  const rules = (): void => {
    checkShardOrder(shards)
    for (const shard of shards) {
      const { slice_count: sliceCount } = shard.searches[0].collector[0]
      const concurrent = sliceCount !== undefined
      const { wallTime } = profiled
      const exact = exactOf(shard, profiled)
      const of = { concurrent, human: false, sliceCount: sliceCount ?? 1, wallTime, exact }
      checkShardProfile(shard, of)
    }
  }
  expect(rules, at).not.toThrow()
}

/** The counts of a shard's root, where the documents tell them. */
function exactOf(
  shard: Json,
  { search: { scored }, run, hasDeletes }: Profiled,
): ProfileExpectation['exact'] {
  const [root] = shard.searches[0].query
  const number = Number(shard.id.slice(shard.id.lastIndexOf('[') + 1, -1))
  const collected = scored?.[number]
  if (collected === undefined || run.track_total_hits !== true) return null
  const slices: readonly Json[] | undefined = root.slices
  const isKnown = slices !== undefined && !hasDeletes
  const begunLeaves = isKnown ? slices.flatMap(({ partitions }) => partitions).length : 0
  return {
    collected,
    scores: true,
    moves: isKnown ? { matched: collected, begunLeaves } : null,
    twoPhase: ONE_PHASE.has(root.type) ? 'never' : 'sometimes',
  }
}

/** Types of queries without a second phase, which match no nested object that a collector passes over. */
const ONE_PHASE: ReadonlySet<string> = new Set(['TermQuery', 'SynonymQuery'])

/** What is compared of a printed hit; scores as the float32 numbers that they are. */
function foundHit(hit: Json): object {
  const { _id, _score, sort, matched_queries: names, inner_hits: inner, _explanation } = hit
  const score = _score === null ? null : Math.fround(_score)
  const group = inner?.group?.hits.hits
  return {
    id: _id,
    score,
    sort: sort ?? null,
    names: (Array.isArray(names) ? [...names] : Object.keys(names ?? {})).sort(),
    nameScores: names === undefined || Array.isArray(names) ? null : mapped(names),
    objects: inner?.items?.hits.hits.map((each: Json) => each._nested.offset) ?? null,
    group: group?.map((each: Json) => [each._id, Math.fround(each._score)]) ?? null,
    explained: _explanation === undefined ? null : Math.fround(_explanation.value),
    parts: Object.fromEntries(PARTS.flatMap(key => (key in hit ? [[key, hit[key]]] : []))),
  }
}

/** The scores as float32 numbers. */
function mapped(scores: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(scores).map(([name, score]) => [name, Math.fround(score)]),
  )
}

/** Keys of hits that are only there when they are asked for. */
const PARTS = ['_source', 'fields', 'highlight', '_version', '_seq_no', '_primary_term']

function expectedHit(hit: ExpectedHit, { isExplained }: DrawnSearch): object {
  const { id, score, sort, names, nameScores, objects, group, parts } = hit
  return {
    id,
    score,
    // A hit's place in its shard is told apart there alone.
    sort: sort === 'places' ? expect.any(Array) : sort,
    names: [...names].sort(),
    // Without a match there is no record of scores.
    nameScores: names.length === 0 ? null : nameScores,
    objects,
    group,
    explained: isExplained ? (score ?? expect.any(Number)) : null,
    parts,
  }
}
