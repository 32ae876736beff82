import { afterAll, beforeAll, expect, it } from 'vitest'
import { okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

/** Buckets of a document: several documents fill more than a batch, so that some are split. */
const BUCKETS = 3000

beforeAll(async () => {
  rest = await openRest()
  const properties = {
    r: { type: 'integer_range' },
    a: {
      type: 'nested',
      properties: {
        x: { type: 'long' },
        c: { type: 'nested', properties: { y: { type: 'long' } } },
      },
    },
  }
  await ok('PUT /i', { settings: { number_of_shards: 1 }, mappings: { properties } })
  for (let id = 0; id < 5; id++)
    await ok(`POST /i/_doc/${id}${id === 4 ? '?refresh' : ''}`, {
      r: { gte: 0, lt: BUCKETS },
      a: [
        { x: 1, c: [{ y: 1 }, { y: 2 }] },
        { x: 2, c: [{ y: 1 }] },
      ],
    })
})
afterAll(() => rest.close())

it('counts all nested objects of documents whose buckets come in several batches', async () => {
  const one = { filter: { term: { 'a.x': 1 } } }
  const { aggregations } = await ok('POST /i/_search', {
    size: 0,
    aggs: {
      h: {
        histogram: { field: 'r', interval: 1 },
        aggs: {
          a: {
            nested: { path: 'a' },
            aggs: {
              one,
              pairs: { adjacency_matrix: { filters: { one: one.filter } } },
              c: {
                nested: { path: 'a.c' },
                aggs: {
                  y: { filter: { term: { 'a.c.y': 1 } } },
                  back: { reverse_nested: { path: 'a' }, aggs: { one } },
                },
              },
            },
          },
        },
      },
    },
  })
  expect(aggregations.h.buckets).toHaveLength(BUCKETS)
  for (const { a } of aggregations.h.buckets)
    expect(a).toEqual({
      doc_count: 10,
      one: { doc_count: 5 },
      pairs: { buckets: [{ key: 'one', doc_count: 5 }] },
      c: { doc_count: 15, y: { doc_count: 10 }, back: { doc_count: 10, one: { doc_count: 5 } } },
    })
})
