/**
 * Filters below a search of few documents and of many: few are looked up in them, for many all documents of a filter
 * are noted as bits. Either way each bucket has what a plain loop finds.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/util/random.ts'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

const COUNT = 12_000
const DELETED = 11

interface Row {
  readonly k: string
  readonly n: number
  readonly t: string
  readonly o?: string
  readonly p: number
}

const random = new Random(20261130)
const rows: readonly Row[] = Array.from({ length: COUNT }, (_, p) => ({
  k: `k${random.below(5)}`,
  n: random.below(1000),
  t: `w${random.below(40)} w${random.below(40)}`,
  ...(random.below(3) === 0 ? { o: `x${random.below(300)}` } : {}),
  p,
}))

interface Bucket {
  readonly key: string
  readonly doc_count: number
  readonly s: { readonly value: number }
  readonly z: Bucket
}

interface Answer extends Bucket {
  readonly buckets: readonly Bucket[]
}

/** Queries with what they match. */
const FILTERS: readonly (readonly [object, (row: Row) => boolean])[] = [
  [{ term: { k: 'k1' } }, row => row.k === 'k1'],
  [{ terms: { k: ['k1', 'k3'] } }, row => row.k === 'k1' || row.k === 'k3'],
  [{ range: { n: { gte: 500 } } }, row => row.n >= 500],
  [{ range: { n: { gte: 500, lt: 503 } } }, row => row.n >= 500 && row.n < 503],
  [{ exists: { field: 'o' } }, row => row.o !== undefined],
  [{ prefix: { o: 'x1' } }, row => row.o?.startsWith('x1') === true],
  [{ match: { t: 'w3 w7' } }, row => / w3 | w7 /.test(` ${row.t} `)],
  [{ match_phrase: { t: 'w3 w7' } }, row => row.t === 'w3 w7'],
  [{ match_all: {} }, () => true],
  [{ term: { k: 'none' } }, () => false],
  [
    { bool: { filter: [{ term: { k: 'k2' } }], must_not: [{ range: { n: { lt: 100 } } }] } },
    row => row.k === 'k2' && row.n >= 100,
  ],
  [
    { bool: { should: [{ term: { k: 'k2' } }, { exists: { field: 'o' } }] } },
    row => row.k === 'k2' || row.o !== undefined,
  ],
]

let rest: Rest
const ok = okOf(() => rest)
beforeAll(async () => {
  rest = await openRest()
  const properties = {
    k: { type: 'keyword' },
    n: { type: 'integer' },
    t: { type: 'text' },
    o: { type: 'keyword' },
    p: { type: 'integer' },
  }
  await ok('PUT /i', { settings: { refresh_interval: '-1' }, mappings: { properties } })
  for (let from = 0; from < COUNT; from += 4000) {
    const lines = rows
      .slice(from, from + 4000)
      .flatMap(row => [{ index: { _id: String(row.p) } }, row])
    await rest.call('POST /i/_bulk?refresh', ndjson(...lines))
  }
  const gone = rows.filter(({ p }) => p % DELETED === 0 && p < COUNT / 2)
  await rest.call(
    'POST /i/_bulk?refresh',
    ndjson(...gone.map(({ p }) => ({ delete: { _id: `${p}` } }))),
  )
}, 60_000)
afterAll(() => rest.close())

const matching = (from: number, to: number): readonly Row[] =>
  rows.slice(from, to).filter(({ p }) => p % DELETED !== 0 || p >= COUNT / 2)

const sum = (own: readonly Row[]): number => own.reduce((all, { n }) => all + n, 0)

describe.each([
  ['few documents', 100, 130],
  ['documents of one segment', 4100, 7900],
  ['all documents', 0, COUNT],
])('filters of %s', (_name, from, to) => {
  const query = { range: { p: { gte: from, lt: to } } }
  const all = matching(from, to)
  const search = async (aggs: object): Promise<{ x: Answer; y: Answer }> =>
    (await ok('POST /i/_search', { size: 0, query, aggs })).aggregations

  it('count their documents, and gather what is below', async () => {
    const filters = FILTERS.map(([each]) => each)
    const { x } = await search({
      x: { filters: { filters, other_bucket_key: 'rest' }, aggs: { s: { sum: { field: 'n' } } } },
    })
    const groups = [
      ...FILTERS.map(([, isMatch]) => all.filter(isMatch)),
      all.filter(row => !FILTERS.some(([, isMatch]) => isMatch(row))),
    ]
    expect(x.buckets.map((each: Bucket) => [each.doc_count, each.s.value])).toEqual(
      groups.map(own => [own.length, sum(own)]),
    )
  })

  it.each(FILTERS.map(([filter, isMatch]) => [JSON.stringify(filter), filter, isMatch] as const))(
    'alone, and below terms: %s',
    async (_text, filter, isMatch) => {
      const { x, y } = await search({
        x: { filter },
        y: {
          terms: { field: 'k', order: { _key: 'asc' } },
          aggs: { z: { filter, aggs: { s: { sum: { field: 'n' } } } } },
        },
      })
      expect(x.doc_count).toBe(all.filter(isMatch).length)
      expect(y.buckets.map((each: Bucket) => [each.key, each.z.doc_count, each.z.s.value])).toEqual(
        [...new Set(all.map(({ k }) => k))].sort().map(k => {
          const own = all.filter(row => row.k === k && isMatch(row))
          return [k, own.length, sum(own)]
        }),
      )
    },
  )

  it('make pairs of an adjacency matrix', async () => {
    const names = FILTERS.slice(0, 7)
    const filters = Object.fromEntries(names.map(([each], i) => [`f${i}`, each]))
    const { x } = await search({ x: { adjacency_matrix: { filters } } })
    const wanted: Record<string, number> = {}
    for (const [i, [, isFirst]] of names.entries())
      for (const [j, [, isSecond]] of names.entries()) {
        const count = j < i ? 0 : all.filter(row => isFirst(row) && isSecond(row)).length
        if (count > 0) wanted[i === j ? `f${i}` : `f${i}&f${j}`] = count
      }
    expect(Object.fromEntries(x.buckets.map((each: Bucket) => [each.key, each.doc_count]))).toEqual(
      wanted,
    )
  })
})
