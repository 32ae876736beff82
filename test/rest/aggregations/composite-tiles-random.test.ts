import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Random } from '../../../src/util/random.ts'
import { cellOrder, cellsOf, type PlainPlace, randomPlace } from '../../support/plain-cells.ts'
import { ndjson, openRest, type Rest } from '../../support/rest-calls.ts'

const SEED = 314
const DOCUMENTS = 120

interface Row {
  readonly k: readonly string[]
  readonly p: readonly PlainPlace[]
}

const asked = fc.record({
  precision: fc.nat(29),
  descending: fc.boolean(),
  hasNull: fc.boolean(),
  isFirst: fc.boolean(),
  size: fc.integer({ min: 1, max: 60 }),
  slices: fc.constantFrom(1, 2, 4),
})
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never

type Key = readonly [k: string, t: string | null]

/** All keys in order with their counts. */
function expected(rows: readonly Row[], of: Asked): [Key, number][] {
  const counts = new Map<string, [Key, number]>()
  const body = { field: 'p', precision: of.precision }
  for (const { k, p } of rows) {
    const cells: (string | null)[] = [...cellsOf('geotile_grid', body, p)]
    if (cells.length === 0 && of.hasNull) cells.push(null)
    for (const word of new Set(k))
      for (const cell of cells) {
        const id = `${word} ${cell}`
        counts.set(id, [[word, cell], (counts.get(id)?.[1] ?? 0) + 1])
      }
  }
  const tile = (cell: string): bigint => cellOrder('geotile_grid', cell)
  const compare = (a: string | null, b: string | null): number => {
    if (a === b) return 0
    if (a === null || b === null) return (a === null) === of.isFirst ? -1 : 1
    return tile(a) < tile(b) === of.descending ? 1 : -1
  }
  return [...counts.values()].sort(([[a, at]], [[b, bt]]) => compare(at, bt) || (a < b ? -1 : 1))
}

async function pages(rest: Rest, of: Asked): Promise<[Key, number][]> {
  const tiles = {
    field: 'p',
    precision: of.precision,
    order: of.descending ? 'desc' : 'asc',
    missing_bucket: of.hasNull,
    ...(of.hasNull ? { missing_order: of.isFirst ? 'first' : 'last' } : {}),
  }
  const sources = [{ t: { geotile_grid: tiles } }, { k: { terms: { field: 'k' } } }]
  const found: [Key, number][] = []
  let after: object | undefined
  for (;;) {
    const aggs = { x: { composite: { sources, size: of.size, after } } }
    const { json, text } = await rest.call('POST /i/_search?request_cache=false', { size: 0, aggs })
    expect(json.aggregations, text).toBeDefined()
    const { buckets, after_key: next } = json.aggregations.x
    if (buckets.length === 0) return found
    for (const { key, doc_count: count } of buckets) found.push([[key.k, key.t], count])
    after = next
  }
}

it(`gives each combination with a tile once over all pages (seed ${SEED})`, async () => {
  const random = new Random(SEED)
  const rest = await openRest()
  try {
    await rest.call('PUT /i', {
      settings: { number_of_shards: 2, 'index.refresh_interval': '-1' },
      mappings: { properties: { k: { type: 'keyword' }, p: { type: 'geo_point' } } },
    })
    const some = <T>(count: number, make: () => T): T[] =>
      Array.from({ length: random.below(count) }, make)
    const rows = Array.from(
      { length: DOCUMENTS },
      (): Row => ({
        k: some(3, () => `k${random.below(4)}`),
        p: some(4, () => randomPlace(random)),
      }),
    )
    for (let at = 0; at < DOCUMENTS; at += 30)
      await rest.call(
        'POST /i/_bulk?refresh',
        ndjson(...rows.slice(at, at + 30).flatMap(row => [{ index: {} }, row])),
      )
    await fc.assert(
      fc.asyncProperty(asked, async of => {
        await rest.call('PUT /i/_settings', {
          'index.search.concurrent_segment_search.mode': of.slices === 1 ? 'none' : 'all',
          'index.search.concurrent.max_slice_count': Math.max(2, of.slices),
        })
        expect(await pages(rest, of)).toEqual(expected(rows, of))
      }),
      { seed: SEED, numRuns: 40 },
    )
  } finally {
    await rest.close()
  }
})
