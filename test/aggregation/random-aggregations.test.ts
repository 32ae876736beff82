import { afterAll, beforeAll, expect, it } from 'vitest'
import { Random } from '../../src/util/random.ts'
import {
  type Aggs,
  expected,
  type PlainDocument,
  type PlainRow,
  randomAggs,
} from '../support/plain-aggregations.ts'
import { randomPlace } from '../support/plain-cells.ts'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

const SEED = 1726
const DOCUMENTS = 400
const TREES = Number(process.env['LAMELLA_AGGREGATION_TREES'] ?? 180)
/** Draws that each kind must have at least. */
const MIN_DRAWS = 4

let rest: Rest
let rows: readonly PlainRow[]

beforeAll(async () => {
  const random = new Random(SEED)
  rest = await openRest()
  await rest.call('PUT /i', {
    settings: { number_of_shards: 2, 'index.refresh_interval': '-1' },
    mappings: {
      properties: {
        k: { type: 'keyword' },
        n: { type: 'long' },
        d: { type: 'double' },
        b: { type: 'boolean' },
        t: { type: 'date' },
        r: { type: 'integer_range' },
        p: { type: 'geo_point' },
        a: { type: 'nested', properties: { x: { type: 'keyword' }, y: { type: 'integer' } } },
      },
    },
  })
  const documents = Array.from({ length: DOCUMENTS }, () => randomDocument(random))
  const live = new Map<number, PlainDocument>()
  for (let at = 0; at < DOCUMENTS; at += 50) {
    const lines: object[] = []
    for (let id = at; id < at + 50; id++) {
      lines.push({ index: { _index: 'i', _id: String(id) } }, documents[id]!)
      live.set(id, documents[id]!)
    }
    await rest.call('POST /_bulk?refresh', ndjson(...lines))
  }
  for (let i = 0; i < 40; i++) {
    const id = random.below(DOCUMENTS)
    live.delete(id)
    await rest.call(`DELETE /i/_doc/${id}`)
  }
  await rest.call('POST /i/_refresh')
  rows = [...live.values()].map(document => ({ document, object: null }))
})
afterAll(() => rest.close())

function randomDocument(random: Random): PlainDocument {
  const some = <T>(count: number, make: () => T): T[] =>
    Array.from({ length: random.below(count) }, make)
  return {
    k: some(4, () => `k${random.below(9)}`),
    n: some(3, () => random.below(10) - 1),
    a: some(3, () => ({
      ...(random.below(5) === 0 ? {} : { x: `x${random.below(4)}` }),
      ...(random.below(5) === 0 ? {} : { y: random.below(8) }),
    })),
    ...(random.below(5) === 0 ? {} : { d: (random.below(80) - 8) / 8 }),
    ...(random.below(5) === 0 ? {} : { b: random.below(2) === 0 }),
    ...(random.below(5) === 0 ? {} : { t: 1_700_000_000_000 + random.below(3_000_000_000) }),
    r: some(3, () => {
      const gte = random.below(30) - 5
      return { gte, lte: gte + random.below(12) }
    }),
    p: some(4, () => randomPlace(random)),
    ...(random.below(9) === 0 ? { _doc_count: 2 + random.below(3) } : {}),
  }
}

/** How one tree may be run; what it answers must not show which. */
const WAYS: readonly (readonly [settings: object, body: object])[] = [
  [{ 'index.search.concurrent_segment_search.mode': 'none' }, {}],
  [{ 'index.search.concurrent_segment_search.mode': 'none' }, { profile: true }],
  [
    {
      'index.search.concurrent_segment_search.mode': 'all',
      'index.search.concurrent.max_slice_count': 2,
    },
    {},
  ],
  [
    {
      'index.search.concurrent_segment_search.mode': 'all',
      'index.search.concurrent.max_slice_count': 4,
    },
    { profile: true },
  ],
]

it(`answers as the documents say, however slices are cut (seed ${SEED})`, async () => {
  const random = new Random(SEED + 1)
  const trees = Array.from({ length: TREES }, () => ({
    aggs: randomAggs(random, random.below(4), true),
    query: random.below(3) === 0 ? { term: { k: `k${random.below(9)}` } } : { match_all: {} },
  }))
  const drawn = new Map<string, number>()
  for (const { aggs } of trees) count(aggs, drawn)
  for (const [settings, extra] of WAYS) {
    const set = await rest.call('PUT /i/_settings', settings)
    expect(set.status, set.text).toBe(200)
    for (const [i, { aggs, query }] of trees.entries()) {
      const answer = await rest.call('POST /i/_search', { size: 0, query, aggs, ...extra })
      const title = `tree ${i} ${JSON.stringify(extra)}: ${JSON.stringify({ query, aggs })}`
      expect(answer.status, `${title} ${answer.text}`).toBe(200)
      const matched = rows.filter(
        ({ document }) => 'match_all' in query || document.k.includes(query.term!.k),
      )
      expect(answer.json.aggregations, title).toEqual(expected(aggs, matched, rows))
    }
  }
  for (const [kind, draws] of drawn) expect(draws, kind).toBeGreaterThanOrEqual(MIN_DRAWS)
})

function count(aggs: Aggs, drawn: Map<string, number>): void {
  for (const agg of Object.values(aggs)) {
    for (const key of Object.keys(agg))
      if (key !== 'aggs') drawn.set(key, (drawn.get(key) ?? 0) + 1)
    if (agg.aggs !== undefined) count(agg.aggs, drawn)
  }
}
