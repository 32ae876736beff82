import { afterAll, beforeAll, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  const properties = {
    timestamp: { type: 'date' },
    Carrier: { type: 'keyword' },
    OriginLocation: { type: 'geo_point' },
    Cancelled: { type: 'boolean' },
    AvgTicketPrice: { type: 'float' },
    msg: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
  }
  await rest.call('PUT /flights', { mappings: { properties } })
  const lines = Array.from({ length: 20 }, (_, i) => [
    { index: { _id: `${i}` } },
    {
      timestamp: `2026-01-01T${`${i}`.padStart(2, '0')}:00:00Z`,
      Carrier: i % 2 === 0 ? 'Jet' : 'Air',
      OriginLocation: { lat: i, lon: i },
      Cancelled: i % 5 === 0,
      AvgTicketPrice: i * 10.5,
      msg: `GET /img/${i}.png from ${i % 2 === 0 ? 'curl' : 'Mozilla'}`,
    },
  ])
  await rest.call('POST /flights/_bulk?refresh', ndjson(...lines.flat()))
})
afterAll(() => rest.close())

/** A search as the page Discover of Dashboards sends it. */
function discover(filter: object): object {
  const range = { gte: '2026-01-01T00:00:00.000Z', lte: '2026-01-02T00:00:00.000Z' }
  return {
    version: true,
    size: 500,
    sort: [{ timestamp: { order: 'desc', unmapped_type: 'boolean' } }],
    aggs: {
      2: {
        date_histogram: {
          field: 'timestamp',
          fixed_interval: '12h',
          time_zone: 'Europe/Berlin',
          min_doc_count: 1,
        },
      },
    },
    stored_fields: ['*'],
    script_fields: {},
    docvalue_fields: [{ field: 'timestamp', format: 'date_time' }],
    _source: { excludes: [] },
    query: {
      bool: {
        must: [],
        filter: [
          filter,
          { range: { timestamp: { ...range, format: 'strict_date_optional_time' } } },
        ],
        should: [],
        must_not: [],
      },
    },
    highlight: {
      pre_tags: ['<'],
      post_tags: ['>'],
      fields: { '*': {} },
      fragment_size: 2147483647,
    },
  }
}

it.each([
  ['everything', { match_all: {} }, 20, undefined],
  ['a word', { multi_match: { type: 'best_fields', query: 'curl', lenient: true } }, 10, 'curl'],
  ['a phrase', { multi_match: { type: 'phrase', query: 'from curl', lenient: true } }, 10, 'from'],
  [
    'a query string',
    { query_string: { query: 'cur* AND Carrier:Jet', analyze_wildcard: true, time_zone: 'UTC' } },
    10,
    'curl',
  ],
])('%s is found on all fields, with its source and highlights', async (_, filter, total, word) => {
  const line =
    'POST /flights/_search?ignore_unavailable=true&track_total_hits=true&timeout=30000ms&preference=1'
  const { status, json } = await rest.call(line, discover(filter))
  expect([status, json.hits.total.value]).toEqual([200, total])
  const hit = json.hits.hits[0]
  expect(Object.keys(hit._source)).toContain('OriginLocation')
  expect(hit.fields.timestamp[0]).toMatch(/^2026-01-01T1[89]:00:00.000Z$/)
  if (word === undefined) expect(hit.highlight).toBeUndefined()
  else expect(hit.highlight.msg[0]).toContain(`<${word}>`)
  const counts = json.aggregations[2].buckets.map((each: { doc_count: number }) => each.doc_count)
  expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(total)
})
