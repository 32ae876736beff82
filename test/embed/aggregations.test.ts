import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { type Database, type Index, open } from '../../src/index.ts'

let db: Database
let books: Index<{ tag: string; year: string; pages: number }>
beforeAll(async () => {
  db = await open()
  const properties = {
    tag: { type: 'keyword' },
    year: { type: 'date' },
    pages: { type: 'integer' },
  } as const
  books = await db.index('books', { properties })
  await books.put('1', { tag: 'sea', year: '1851', pages: 635 })
  await books.put('2', { tag: 'sea', year: '1870', pages: 300 })
  await books.put('3', { tag: 'war', year: '1869', pages: 1225 }, { refresh: true })
})
afterAll(() => db.close())

describe('aggregations in the library', () => {
  it('have the types that the request tells', async () => {
    const { aggs } = await books.search({
      size: 0,
      aggs: {
        byYear: {
          date_histogram: { field: 'year', calendar_interval: 'year', min_doc_count: 1 },
          aggs: { longest: { max: { field: 'pages' } } },
        },
        tags: { terms: { field: 'tag' } },
        pages: { stats: { field: 'pages' } },
        best: {
          sampler: { shard_size: 2 },
          aggs: {
            special: { significant_terms: { field: 'tag', min_doc_count: 1 } },
            near: { variable_width_histogram: { field: 'pages', buckets: 1 } },
          },
        },
      },
    })
    expectTypeOf(aggs.best.special.buckets[0]!.score).toEqualTypeOf<number>()
    expectTypeOf(aggs.best.near.buckets[0]!.min).toEqualTypeOf<number>()
    expect(aggs.best).toMatchObject({
      doc_count: 2,
      special: { doc_count: 2, bg_count: 3, buckets: [{ key: 'sea', doc_count: 2, bg_count: 2 }] },
      near: { buckets: [{ min: 300, key: 467.5, max: 635, doc_count: 2 }] },
    })
    const [first] = aggs.byYear.buckets
    expectTypeOf(first!.key).toEqualTypeOf<number>()
    expectTypeOf(first!.longest.value).toEqualTypeOf<number | null>()
    expect(first).toMatchObject({ key: -3755289600000, doc_count: 1, longest: { value: 635 } })
    expect(aggs.tags.buckets).toEqual([
      { key: 'sea', doc_count: 2 },
      { key: 'war', doc_count: 1 },
    ])
    expect(aggs.pages).toMatchObject({ count: 3, min: 300, max: 1225, sum: 2160 })
  })

  it('are null where none were asked for', async () => {
    const { aggs } = await books.search({ size: 0 })
    expect(aggs).toBeNull()
  })
})
