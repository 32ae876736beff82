import { expect, it } from 'vitest'
import { ndjson, okOf, openRest } from '../../support/rest-calls.ts'

it('shows nested objects with their place, source and the id of their document', async () => {
  const rest = await openRest()
  const ok = okOf(() => rest)
  const kid = { type: 'nested', properties: { n: { type: 'integer' } } }
  await ok('PUT /nests', {
    mappings: {
      properties: {
        kids: { type: 'nested', properties: { n: { type: 'integer' }, toys: kid } },
      },
    },
  })
  await ok(
    'POST /nests/_bulk?refresh',
    ndjson(
      { index: { _id: 'a' } },
      {
        kids: [
          { n: 1, toys: [{ n: 5 }, { n: 6 }] },
          { n: 2, toys: { n: 7 } },
        ],
      },
      { index: { _id: 'b' } },
      { kids: { n: 3, toys: [{ n: 8 }] } },
      { index: { _id: 'c' } },
      {},
    ),
  )
  const top = {
    top_hits: {
      size: 4,
      sort: [{ 'kids.toys.n': 'desc' }],
      version: true,
      docvalue_fields: ['kids.toys.n'],
    },
  }
  const { aggregations } = await ok('POST /nests/_search?size=0', {
    query: { match_all: {} },
    aggs: {
      kids: {
        nested: { path: 'kids' },
        aggs: {
          best: { top_hits: { size: 1, sort: [{ 'kids.n': 'desc' }] } },
          toys: { nested: { path: 'kids.toys' }, aggs: { top } },
        },
      },
    },
  })
  expect(aggregations.kids.best.hits.hits).toEqual([
    {
      _index: 'nests',
      _id: 'b',
      _nested: { field: 'kids', offset: 0 },
      _score: null,
      _source: { n: 3, toys: [{ n: 8 }] },
      sort: [3],
    },
  ])
  const toys = aggregations.kids.toys.top.hits
  expect(toys.total).toEqual({ value: 4, relation: 'eq' })
  const toy = (id: string, kid: number, offset: number, n: number): object => ({
    _index: 'nests',
    _id: id,
    _nested: { field: 'kids', offset: kid, _nested: { field: 'toys', offset } },
    _version: 1,
    _score: null,
    _source: { n },
    fields: { 'kids.toys.n': [n] },
    sort: [n],
  })
  expect(toys.hits).toEqual([
    toy('b', 0, 0, 8),
    toy('a', 1, 0, 7),
    toy('a', 0, 1, 6),
    toy('a', 0, 0, 5),
  ])
  await rest.close()
})
