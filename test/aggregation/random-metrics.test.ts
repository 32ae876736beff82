import { afterAll, beforeAll, expect, it } from 'vitest'
import { Random } from '../../src/util/random.ts'
import {
  expectedMetric,
  METRIC_KINDS,
  type MeasuredDocument,
  randomMetric,
} from '../support/plain-metrics.ts'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

const SEED = 3307
const DOCUMENTS = 300
const REQUESTS = 150
/** Draws that each kind must have at least. */
const MIN_DRAWS = 4

let rest: Rest
let documents: readonly MeasuredDocument[]

beforeAll(async () => {
  const random = new Random(SEED)
  rest = await openRest()
  await rest.call('PUT /i', {
    settings: { number_of_shards: 3, 'index.refresh_interval': '-1' },
    mappings: {
      properties: {
        id: { type: 'keyword' },
        k: { type: 'keyword' },
        n: { type: 'long' },
        d: { type: 'double' },
        w: { type: 'integer' },
        at: { type: 'geo_point' },
      },
    },
  })
  const live = new Map<string, MeasuredDocument>()
  for (let at = 0; at < DOCUMENTS; at += 50) {
    const lines: object[] = []
    for (let id = at; id < at + 50; id++) {
      const document = randomDocument(random, `${1000 + id}`)
      lines.push({ index: { _index: 'i', _id: document.id } }, document)
      live.set(document.id, document)
    }
    await rest.call('POST /_bulk?refresh', ndjson(...lines))
  }
  for (let i = 0; i < 30; i++) {
    const id = `${1000 + random.below(DOCUMENTS)}`
    live.delete(id)
    await rest.call(`DELETE /i/_doc/${id}`)
  }
  await rest.call('POST /i/_refresh')
  documents = [...live.values()]
})
afterAll(() => rest.close())

function randomDocument(random: Random, id: string): MeasuredDocument {
  const some = <T>(count: number, make: () => T): T[] =>
    Array.from({ length: random.below(count) }, make)
  return {
    id,
    k: some(4, () => `k${random.below(9)}`),
    n: some(3, () => random.below(10) - 1),
    at: some(3, () => ({
      lat: ((random.below(161) - 80) * 180) / 2 ** 10,
      lon: ((random.below(161) - 80) * 360) / 2 ** 10,
    })),
    ...(random.below(5) === 0 ? {} : { d: (random.below(80) - 8) / 8 }),
    ...(random.below(5) === 0 ? {} : { w: 1 + random.below(4) }),
  }
}

/** How one request may be run; what it answers must not show which. */
const WAYS: readonly (readonly [settings: object, body: object])[] = [
  [{ 'index.search.concurrent_segment_search.mode': 'none' }, {}],
  [{ 'index.search.concurrent_segment_search.mode': 'none' }, { profile: true }],
  ...[2, 4].map(
    slices =>
      [
        {
          'index.search.concurrent_segment_search.mode': 'all',
          'index.search.concurrent.max_slice_count': slices,
        },
        slices === 2 ? {} : { profile: true },
      ] as const,
  ),
]

it(`answers as the documents say, however slices are cut (seed ${SEED})`, async () => {
  const random = new Random(SEED + 1)
  const requests = Array.from({ length: REQUESTS }, () => ({
    metric: randomMetric(random),
    key: random.below(3) === 0 ? `k${random.below(10)}` : null,
    isBelow: random.below(2) === 0,
  }))
  for (const [settings, extra] of WAYS) {
    const set = await rest.call('PUT /i/_settings', settings)
    expect(set.status, set.text).toBe(200)
    for (const { metric, key, isBelow } of requests) {
      const query = key === null ? { match_all: {} } : { term: { k: key } }
      const aggs = isBelow
        ? { g: { terms: { field: 'k', size: 100, order: { _key: 'asc' } }, aggs: { m: metric } } }
        : { m: metric }
      const answer = await rest.call('POST /i/_search', { size: 0, query, aggs, ...extra })
      const title = `${JSON.stringify(extra)}: ${JSON.stringify({ query, aggs })}`
      expect(answer.status, `${title} ${answer.text}`).toBe(200)
      const matched = documents.filter(({ k }) => key === null || k.includes(key))
      const { aggregations } = answer.json
      if (isBelow) {
        const keys = [...new Set(matched.flatMap(({ k }) => k))].sort()
        expect(
          aggregations.g.buckets.map((bucket: { key: string; m: unknown }) => [
            bucket.key,
            bucket.m,
          ]),
          title,
        ).toEqual(
          keys.map(each => [
            each,
            expectedMetric(
              metric,
              matched.filter(({ k }) => k.includes(each)),
            ),
          ]),
        )
      } else expect(aggregations.m, title).toEqual(expectedMetric(metric, matched))
    }
  }
  for (const kind of METRIC_KINDS) {
    const draws = requests.filter(({ metric }) => kind in metric).length
    expect(draws, kind).toBeGreaterThanOrEqual(MIN_DRAWS)
  }
})
