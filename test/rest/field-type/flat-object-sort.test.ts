import { afterAll, beforeAll, expect, it } from 'vitest'
import { Random } from '../../../src/util/random.ts'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

const COUNT = 12_000
const SEED = 20261123
let rest: Rest
const ok = okOf(() => rest)
/** By id, the values at `o.k`. */
const values: string[][] = []

beforeAll(async () => {
  rest = await openRest()
  const properties = { o: { type: 'flat_object' }, n: { type: 'integer' } }
  const settings = {
    number_of_shards: 1,
    'index.refresh_interval': '-1',
    'index.search.concurrent.intra_segment_min_docs': 1024,
  }
  await ok('PUT /i', { settings, mappings: { properties } })
  const random = new Random(SEED)
  const lines: object[] = []
  for (let i = 0; i < COUNT; i++) {
    const own = Array.from({ length: random.below(3) }, () => `v${random.below(500)}`)
    values.push(own)
    // Values of other paths stand on both sides of those that count.
    const o = { a: `v${random.below(9)}`, k: own, kk: 'zzz', z: { k: 'v0' } }
    lines.push({ index: { _id: String(i) } }, { o, n: i })
  }
  for (let at = 0; at < lines.length; at += 6000) {
    await ok('POST /i/_bulk', ndjson(...lines.slice(at, at + 6000)))
    await ok('POST /i/_refresh')
  }
})
afterAll(() => rest.close())

it.each([1, 2, 4])(
  `sorts by a path as a plain model does, in %i slices (seed ${SEED})`,
  async count => {
    await ok('PUT /i/_settings', { 'index.search.concurrent.max_slice_count': count })
    for (const order of ['asc', 'desc'] as const)
      for (const missing of ['_first', '_last', 'v25']) {
        const sign = order === 'asc' ? 1 : -1
        const model = values.map((own, n) => {
          const sorted = [...own].sort()
          return { n, value: (order === 'asc' ? sorted[0] : sorted.at(-1)) ?? null }
        })
        const rank = (value: string | null): string => value ?? missing
        model.sort((a, b) => {
          if (a.value !== b.value && (a.value === null || b.value === null) && missing !== 'v25')
            return (a.value === null) === (missing === '_first') ? -1 : 1
          const [x, y] = [rank(a.value), rank(b.value)]
          return x === y ? a.n - b.n : x < y ? -sign : sign
        })
        const sort = [{ 'o.k': { order, missing } }, { n: 'asc' }]
        for (const profile of [false, true]) {
          const { hits } = await ok('POST /i/_search', { size: 300, sort, profile })
          expect([
            order,
            missing,
            hits.hits.map((hit: { sort: [string | null, number] }) => hit.sort),
          ]).toEqual([
            order,
            missing,
            model.slice(0, 300).map(({ n, value }) => [missing === 'v25' ? rank(value) : value, n]),
          ])
        }
      }
  },
)
