import { beforeAll, describe, expect, it } from 'vitest'
import { prepareSearch, rewriteSearch } from '../../src/parallel/prepare.ts'
import { reduceSlices, type ShardResult } from '../../src/parallel/reduce.ts'
import { runSlice } from '../../src/parallel/run-slice.ts'
import { cutSlices } from '../../src/parallel/slices.ts'
import { SearchControl } from '../../src/search/collector/search-control.ts'
import {
  encodePoint,
  highHalf,
  lowHalf,
  MAX_LONG,
  MIN_LONG,
} from '../../src/search/query/point-value.ts'
import type { Query } from '../../src/search/query/query.ts'
import { decodedPlace } from '../../src/search/scorer/place-values.ts'
import type { SortKey, SortMode, SortValue } from '../../src/search/sort/sort-key.ts'
import { compareSortValues } from '../../src/search/sort/sort-kinds.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { nowInNanos } from '../../src/util/clock.ts'
import { arcDistance, type Place } from '../../src/util/geo-distance.ts'
import { Random } from '../../src/util/random.ts'
import { Oracle } from '../support/oracle.ts'
import { type PlainDocument, plainLeaf } from '../support/plain-leaf.ts'
import { FIELDS, randomDocument, randomQuery } from '../support/random-search.ts'
import { type PlanOptions, searchPlan } from '../support/search-plan.ts'
import { testArena } from '../support/test-arena.ts'

const arena = testArena(16 << 20)
const random = new Random(7)
const documents: PlainDocument[] = []
const leaves: Leaf[] = []
let oracle: Oracle

beforeAll(() => {
  for (let id = 0; id < 1500; id++) documents.push(randomDocument(random, id, 0.05))
  for (let docBase = 0; docBase < documents.length; ) {
    const part = documents.slice(docBase, docBase + 1 + random.below(500))
    leaves.push(plainLeaf(arena, part, FIELDS, { uid: leaves.length, ord: leaves.length, docBase }))
    docBase += part.length
  }
  oracle = new Oracle(documents)
})

function run(
  query: Query,
  spec: Partial<PlanOptions>,
  sliceCount: number,
  postFilter: Query | null = null,
): ShardResult {
  const plan = searchPlan(query, { trackTotalHits: 10_000, ...spec }, postFilter)
  const prepared = prepareSearch(rewriteSearch(plan), leaves)
  const control = new SearchControl()
  const maxDocs = leaves.map(leaf => leaf.maxDoc)
  const settings = {
    maxSliceCount: sliceCount,
    intraSegment: 'none',
    intraSegmentMinDocs: 1,
  } as const
  const results = cutSlices(maxDocs, settings).map((slice, sliceId) => {
    const task = {
      sliceId,
      slice,
      weight: prepared.weight,
      spec: prepared.spec,
      profile: null,
      kernels: true,
      reports: false,
      queued: 1,
    }
    return runSlice(task, ord => leaves[ord] as Leaf, control, -1).result
  })
  return reduceSlices(prepared.spec, results, [])
}

function scoredMatches(query: Query, scored: boolean): { doc: number; score: number }[] {
  const plan = searchPlan(query, { topCount: scored ? 1 : 0, trackTotalHits: 0 })
  const matches = oracle.search(rewriteSearch(plan).query)
  return matches.sort((a, b) => a.doc - b.doc)
}

function sortValueOf(key: SortKey, hit: { doc: number; score: number }): SortValue {
  const document = documents[hit.doc] as PlainDocument
  switch (key.kind) {
    case 'score':
      return hit.score
    case 'doc':
      return hit.doc + (key.base ?? 0)
    case 'number': {
      const values = document.numbers.get(key.field) ?? []
      const first = values[0]
      if (first === undefined) return key.missing
      if (key.mode === 'min') return first
      if (key.mode === 'max') return values.at(-1) ?? first
      const sum = values.reduce((total, value) => total + Number(value), 0)
      if (key.mode === 'sum') return BigInt(sum)
      return BigInt(Math.round(sum / values.length))
    }
    case 'distance': {
      const values = (document.numbers.get(key.field) ?? []).map(value =>
        decodedPlace(highHalf(value), lowHalf(value)),
      )
      const distances = values
        .flatMap(place => key.places.map(from => arcDistance(from, place) / key.metersPerUnit))
        .sort((a, b) => a - b)
      return encodePoint(chosenOf(distances, key.mode), 'double')
    }
    case 'keyword': {
      const values = [...(document.keywords.get(key.field) ?? [])].sort()
      const chosen = key.mode === 'min' ? values[0] : values.at(-1)
      return chosen === undefined ? null : encodeUtf8(chosen)
    }
    case 'scriptNumber':
    case 'scriptText':
      throw new Error('test/rest/script-sort.test.ts has them')
    case 'constant':
      return key.value
    case 'id':
      return encodeUtf8(document.id)
  }
}

/** The one of ascending numbers that a mode chooses; Infinity of none. */
function chosenOf(numbers: readonly number[], mode: SortMode): number {
  if (numbers.length === 0) return Number.POSITIVE_INFINITY
  const middle = numbers.length >> 1
  if (mode === 'min') return numbers[0]!
  if (mode === 'max') return numbers.at(-1)!
  if (mode === 'median')
    return numbers.length % 2 === 1
      ? numbers[middle]!
      : (numbers[middle - 1]! + numbers[middle]!) / 2
  const sum = numbers.reduce((total, each) => total + each, 0)
  return mode === 'sum' ? sum : sum / numbers.length
}

/** By distance, of values that are read as places. */
function randomDistance(descending: boolean): SortKey {
  const place = (): Place => ({ lat: random.below(3) / 1e9, lon: (random.below(9) - 4) / 1e6 })
  const places = random.below(2) === 0 ? [place()] : [place(), place()]
  const mode = (['min', 'max', 'avg', 'median'] as const)[random.below(4)] ?? 'min'
  const missing = encodePoint(Number.POSITIVE_INFINITY, 'double')
  const rest = { places, metersPerUnit: 1000, isPlane: false, encoding: 'double' } as const
  return { kind: 'distance', field: 'num', descending, missing, mode, ...rest }
}

function randomKey(): SortKey {
  const descending = random.below(2) === 0
  const kind = random.below(9)
  if (kind === 0) return { kind: 'score', descending }
  if (kind === 1)
    return random.below(2) === 0
      ? { kind: 'doc', descending }
      : { kind: 'doc', descending, base: 3 * 2 ** 32 }
  if (kind === 2 && random.below(2) === 0) return randomDistance(descending)
  if (kind < 4) {
    const missing = [MIN_LONG, MAX_LONG, 3n][random.below(3)] ?? 0n
    const mode = (['min', 'max', 'sum', 'avg', 'median'] as const)[random.below(5)] ?? 'min'
    return { kind: 'number', field: 'num', encoding: 'long', scale: 1, descending, missing, mode }
  }
  if (kind === 7) return { kind: 'id', descending }
  if (kind === 8) return { kind: 'constant', field: 'fixed', value: encodeUtf8('t3'), descending }
  const missing =
    (['first', 'last', encodeUtf8('t3'), encodeUtf8('t35')] as const)[random.below(4)] ?? 'last'
  return {
    kind: 'keyword',
    field: 'tag',
    descending,
    missing,
    mode: random.below(2) ? 'min' : 'max',
  }
}

function sameValue(a: SortValue, b: SortValue): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0
  return a === b
}

describe('a sorted search', () => {
  it('agrees with sorting all matches, pages included, for every slice count', () => {
    let afters = 0
    for (let i = 0; i < 300; i++) {
      const query = randomQuery(random, 2)
      const keys = Array.from({ length: 1 + random.below(3) }, randomKey)
      const topCount = 1 + random.below(30)
      const scored = keys.some(key => key.kind === 'score')
      const all = scoredMatches(query, scored).map(hit => ({
        doc: hit.doc,
        values: keys.map(key => sortValueOf(key, hit)),
      }))
      const compare = (a: SortValue[], b: SortValue[]): number => {
        for (let k = 0; k < keys.length; k++) {
          const order = compareSortValues(keys[k] as SortKey, a[k] ?? null, b[k] ?? null)
          if (order !== 0) return order
        }
        return 0
      }
      all.sort((a, b) => compare(a.values, b.values) || a.doc - b.doc)
      const after = random.below(2) === 0 ? all[random.below(Math.max(1, all.length))] : undefined
      if (after !== undefined) afters++
      const from =
        after === undefined ? all : all.filter(hit => compare(hit.values, after.values) > 0)
      for (const sliceCount of [1, 2, 4]) {
        const result = run(
          query,
          {
            sort: keys,
            topCount,
            searchAfter: after?.values ?? null,
            trackTotalHits: Number.POSITIVE_INFINITY,
          },
          sliceCount,
        )
        const title = `${i} ${JSON.stringify(keys, (_k, v) => (typeof v === 'bigint' ? `${v}` : v))}`
        expect(
          result.hits.map(hit => hit.globalDoc),
          title,
        ).toEqual(from.slice(0, topCount).map(hit => hit.doc))
        result.hits.forEach((hit, place) => {
          hit.sort?.forEach((value, k) => {
            if ((keys[k] as SortKey).kind === 'keyword' && from[place]?.values[k] === null) return
            expect(sameValue(value, from[place]?.values[k] ?? null), title).toBe(true)
          })
        })
        expect(result.total, title).toEqual({ value: all.length, relation: 'eq' })
      }
    }
    expect(afters).toBeGreaterThan(100)
  })

  it('goes on behind a score when there is no sort', () => {
    const query: Query = { kind: 'term', field: 'body', term: 'sea' }
    const matches = oracle.search(query)
    const at = matches[20]?.score ?? 0
    const behind = matches.filter(hit => hit.score < at).slice(0, 10)
    const result = run(query, { searchAfter: [at] }, 2)
    expect(result.hits.map(hit => hit.globalDoc)).toEqual(behind.map(hit => hit.doc))
    expect(result.total).toEqual({ value: matches.length, relation: 'eq' })
  })
})

describe('a search with min_score, post_filter or terminate_after', () => {
  it('counts and keeps what passes, for every slice count', () => {
    for (let i = 0; i < 200; i++) {
      const query = randomQuery(random, 2)
      const filter: Query | null = random.below(2) === 0 ? randomQuery(random, 1) : null
      const matches = oracle.search(rewriteSearch(searchPlan(query)).query)
      const minScore =
        random.below(2) === 0 ? (matches[Math.floor(matches.length / 2)]?.score ?? 1) : null
      const passing = matches.filter(
        hit =>
          (minScore === null || hit.score >= minScore) &&
          (filter === null || oracle.score(filter, documents[hit.doc] as PlainDocument) !== null),
      )
      const limit = [0, 5, 100, Number.POSITIVE_INFINITY][random.below(4)] ?? 0
      for (const sliceCount of [1, 2, 4]) {
        const result = run(query, { minScore, trackTotalHits: limit }, sliceCount, filter)
        const found = result.hits.map(hit => [hit.globalDoc, hit.score])
        expect(found, `${i}`).toEqual(passing.slice(0, 10).map(hit => [hit.doc, hit.score]))
        expect(result.total, `${i}`).toEqual(
          passing.length > limit
            ? { value: limit, relation: 'gte' }
            : { value: passing.length, relation: 'eq' },
        )
      }
    }
  })

  it('stops at exactly the n-th match in order of documents', () => {
    const query: Query = { kind: 'term', field: 'body', term: 'the' }
    const inOrder = scoredMatches(query, true)
    for (const count of [1, 7, 100, inOrder.length, inOrder.length + 1]) {
      const result = run(query, { terminateAfter: count, topCount: 2000 }, 1)
      expect(result.hits.map(hit => hit.globalDoc).sort((a, b) => a - b)).toEqual(
        inOrder.slice(0, count).map(hit => hit.doc),
      )
      expect(result.total?.value).toBe(Math.min(count, inOrder.length))
      expect(result.terminatedEarly).toBe(count <= inOrder.length)
      const counted = run(query, { terminateAfter: count, topCount: 0, trackTotalHits: -1 }, 1)
      expect(counted).toMatchObject({ terminatedEarly: count <= inOrder.length, total: null })
    }
  })

  it('counts without keeping anything when no hits are wanted', () => {
    const query: Query = { kind: 'term', field: 'body', term: 'the' }
    const count = oracle.search(query).length
    for (const limit of [Number.POSITIVE_INFINITY, 10_000])
      expect(run(query, { topCount: 0, trackTotalHits: limit }, 2)).toMatchObject({
        hits: [],
        total: { value: count, relation: 'eq' },
      })
    const limited = run(query, { topCount: 0, trackTotalHits: 3 }, 2)
    expect(limited.total).toEqual({ value: 3, relation: 'gte' })
  })

  it('gives a true subset and a lower bound when time is up', () => {
    const result = run(
      { kind: 'matchAll' },
      { deadline: nowInNanos() - 1, trackTotalHits: 5000 },
      2,
    )
    expect(result.timedOut).toBe(true)
    expect(result.total?.relation).toBe('gte')
  })
})
