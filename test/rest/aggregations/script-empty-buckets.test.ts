import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /i', {
    settings: { number_of_shards: 2 },
    mappings: {
      properties: { k: { type: 'keyword' }, n: { type: 'long' }, d: { type: 'double' } },
    },
  })
  for (let round = 0; round < 3; round++) {
    const lines = Array.from({ length: 30 }, (_, i) => {
      const id = round * 30 + i
      return [
        { index: { _id: String(id) } },
        { k: `k${id % 7}`, n: id % 11, d: (id % 5) / 2, ...(id % 9 === 0 ? { only: true } : {}) },
      ]
    }).flat()
    await ok('POST /i/_bulk?refresh', lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  }
  // The values of a document that is gone are no values of the shard.
  await ok('PUT /i/_doc/gone?refresh', { k: 'gone', n: 99, d: 99 })
  await ok('DELETE /i/_doc/gone?refresh')
})
afterAll(() => rest.close())

/** The buckets of an aggregation in a search whose query matches a few documents. */
async function buckets(aggregation: object, slices = 1): Promise<unknown> {
  await ok('PUT /_cluster/settings', {
    transient: { 'search.concurrent.max_slice_count': String(slices) },
  })
  const { aggregations } = await ok('POST /i/_search?size=0', {
    query: { ids: { values: ['3', '14'] } },
    aggs: { a: aggregation },
  })
  return aggregations.a
}

const FIELDS = [
  ['k', 'string'],
  ['n', 'long'],
  ['d', 'double'],
] as const

describe('min_doc_count 0 over scripts', () => {
  it.each(FIELDS)('terms of %s has the buckets that its field has', async (field, type) => {
    const more = { min_doc_count: 0, size: 50, order: { _key: 'asc' } }
    const expected = await buckets({ terms: { field, ...more } })
    const script = { source: `doc['${field}'].value` }
    for (const slices of [1, 3])
      expect(await buckets({ terms: { script, value_type: type, ...more } }, slices)).toEqual(
        expected,
      )
    const counts = (expected as { buckets: { doc_count: number }[] }).buckets.map(b => b.doc_count)
    expect([counts.length > 3, counts.includes(0)]).toEqual([true, true])
  })

  it('keeps to include and exclude', async () => {
    const more = { min_doc_count: 0, include: 'k[0-4]', exclude: 'k2', order: { _key: 'asc' } }
    const script = { source: "doc['k'].value" }
    expect(await buckets({ terms: { script, ...more } })).toEqual(
      await buckets({ terms: { field: 'k', ...more } }),
    )
  })

  it('fills every bucket around it', async () => {
    const around = (inner: object): object => ({
      terms: { field: 'k', min_doc_count: 0, order: { _key: 'asc' } },
      aggs: { b: { terms: { ...inner, min_doc_count: 0, order: { _key: 'asc' }, size: 20 } } },
    })
    const script = { source: "doc['n'].value" }
    expect(await buckets(around({ script, value_type: 'long' }))).toEqual(
      await buckets(around({ field: 'n' })),
    )
  })

  it('multi_terms has the tuples that its fields have', async () => {
    const more = { min_doc_count: 0, size: 200, order: { _key: 'asc' } }
    const [k, n] = ['k', 'n'].map(field => ({ script: { source: `doc['${field}'].value` } }))
    expect(
      await buckets({ multi_terms: { terms: [k, { ...n, value_type: 'long' }], ...more } }),
    ).toEqual(await buckets({ multi_terms: { terms: [{ field: 'k' }, { field: 'n' }], ...more } }))
  })

  it('answers what a script fails on, though no document that matches fails', async () => {
    const source = "if (doc['n'].value == 4) { throw new IllegalStateException('four') } return 1"
    const { status, json } = await rest.call('POST /i/_search?size=0', {
      query: { term: { n: 3 } },
      aggs: { a: { terms: { script: { source }, min_doc_count: 0 } } },
    })
    expect([status, json.error.root_cause[0].type]).toEqual([400, 'script_exception'])
  })
})
