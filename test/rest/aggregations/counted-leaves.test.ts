import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/util/random.ts'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

const SEED = 3104
const REQUESTS = 150
const LIMIT = 'search.max_aggregation_rewrite_filters'
const HOUR = 3_600_000
const START = 1_600_000_000_000
/** A multiple of 700 seconds. */
const BASE = 1_400_000_000_000
const KEYS = ['optimized_segments', 'unoptimized_segments', 'leaf_visited', 'inner_visited']

let rest: Rest
const ok = okOf(() => rest)

const properties = {
  t: { type: 'date' },
  u: { type: 'date' },
  nanos: { type: 'date_nanos' },
  hidden: { type: 'date', index: false },
  many: { type: 'date' },
  l: { type: 'long' },
  d: { type: 'double' },
  h: { type: 'half_float' },
  s: { type: 'scaled_float', scaling_factor: 100 },
}
const DATES = ['t', 'u', 'nanos', 'hidden', 'many']
const NUMBERS = ['l', 'd', 'h', 's']

const randomRow = (random: Random): object => {
  const instant = (): number => START + random.below(400 * 24) * HOUR + random.below(3) * 1000
  const number = (): number => (random.below(4000) - 2000) / 16
  return {
    ...(random.below(5) === 0 ? {} : { t: instant() }),
    u: instant(),
    nanos: instant(),
    hidden: instant(),
    many: [instant(), instant()],
    ...(random.below(5) === 0 ? {} : { l: Math.floor(number()) }),
    d: number(),
    h: number(),
    s: number(),
  }
}

beforeAll(async () => {
  rest = await openRest()
  const random = new Random(SEED)
  const settings = { number_of_shards: 1, 'index.refresh_interval': '-1' }
  await ok('PUT /drawn', { settings, mappings: { properties } })
  let id = 0
  for (const size of [1500, 700, 40, 300]) {
    const lines = Array.from({ length: size }, () => [
      { index: { _id: String(id++) } },
      randomRow(random),
    ])
    await rest.call('POST /drawn/_bulk?refresh', ndjson(...lines.flat()))
  }
  await ok('DELETE /drawn/_doc/2300?refresh')
  await ok('PUT /steps', { settings, mappings: { properties } })
  const rows = Array.from({ length: 1200 }, (_, i) => [{ index: {} }, { t: BASE + i * 1000, l: i }])
  await rest.call('POST /steps/_bulk?refresh', ndjson(...rows.flat()))
  await ok('PUT /steps/_settings', { 'index.search.concurrent_segment_search.mode': 'none' })
})
afterAll(() => rest.close())

const setLimit = (limit: number | null): Promise<unknown> =>
  ok('PUT /_cluster/settings', { persistent: { [LIMIT]: limit } })

describe('counting leaves by their points', () => {
  it(`gives the answers that documents give (seed ${SEED})`, async () => {
    const random = new Random(SEED + 1)
    let counted = 0
    for (let i = 0; i < REQUESTS; i++) {
      const mode = random.below(2) === 0 ? 'none' : 'all'
      await ok('PUT /drawn/_settings', { 'index.search.concurrent_segment_search.mode': mode })
      const request = randomRequest(random)
      await setLimit(0)
      const plain = await ok('POST /drawn/_search', request)
      await setLimit(null)
      const fast = await ok('POST /drawn/_search', request)
      const profiled = await ok('POST /drawn/_search', { ...request, profile: true })
      const title = `${mode}: ${JSON.stringify(request)}`
      expect(fast.aggregations, title).toEqual(plain.aggregations)
      expect(profiled.aggregations, title).toEqual(plain.aggregations)
      expect(fast.hits.total, title).toEqual(plain.hits.total)
      for (const { debug } of profiled.profile.shards[0].aggregations)
        counted += debug?.optimized_segments ?? 0
    }
    expect(counted).toBeGreaterThan(REQUESTS / 2)
  })

  it('tells the blocks of points that it read and those that it counted whole', async () => {
    const histogram = { date_histogram: { field: 't', fixed_interval: '700s' } }
    expect(await debugOf(histogram)).toEqual({ total_buckets: 2, ...told(1, 0, 1, 2) })
    const below = { range: { t: { lt: BASE + 600_000 } } }
    expect(await debugOf(histogram, below)).toEqual({ total_buckets: 1, ...told(1, 0, 0, 1) })
    const above = { range: { t: { gte: BASE + 600_000 } } }
    expect(await debugOf(histogram, above)).toEqual({ total_buckets: 2, ...told(1, 0, 1, 1) })
    const ranges = { range: { field: 'l', ranges: [{ to: 100 }, { from: 600 }] } }
    expect(await debugOf(ranges)).toEqual(told(1, 0, 2, 1))
    const source = { date_histogram: { field: 't', fixed_interval: '700s' } }
    const pages = { composite: { sources: [{ x: source }] } }
    expect(await debugOf(pages)).toEqual(told(1, 0, 1, 2))
    const auto = { auto_date_histogram: { field: 't', buckets: 2, minimum_interval: 'day' } }
    expect(await debugOf(auto)).toEqual({ ...told(1, 0, 0, 3), surviving_buckets: 1 })
  })

  it('delivers no document of a leaf to the aggregation', async () => {
    const x = { date_histogram: { field: 't', fixed_interval: '700s' } }
    const counts = async (aggs: object): Promise<readonly number[]> => {
      const answer = await ok('POST /steps/_search', { size: 0, profile: true, aggs })
      const { breakdown } = answer.profile.shards[0].aggregations[0]
      return [breakdown.build_leaf_collector_count, breakdown.collect_count]
    }
    expect(await counts({ x })).toEqual([1, 0])
    expect(await counts({ x: { ...x, aggs: { m: { max: { field: 'l' } } } } })).toEqual([1, 1200])
  })

  it('says nothing where every leaf is collected', async () => {
    const histogram = { date_histogram: { field: 't', fixed_interval: '700s' } }
    const plain = { total_buckets: 2 }
    expect(await debugOf(histogram, { range: { l: { gte: 3 } } })).toEqual(plain)
    const missing = { date_histogram: { ...histogram.date_histogram, missing: '1970-01-01' } }
    expect(await debugOf(missing)).toEqual(plain)
    const overlapping = { range: { field: 'l', ranges: [{ to: 100 }, { from: 50 }] } }
    expect(await debugOf(overlapping)).toBeUndefined()
    await setLimit(1)
    expect(await debugOf(histogram)).toEqual(plain)
    await setLimit(0)
    expect(await debugOf(histogram)).toEqual(plain)
    await setLimit(null)
  })
})

/** The rewrite keys. */
function told(...values: readonly number[]): object {
  return Object.fromEntries(KEYS.map((key, i) => [key, values[i]]))
}

async function debugOf(x: object, query: object = { match_all: {} }): Promise<unknown> {
  const request = { size: 0, profile: true, query, aggs: { x } }
  const answer = await ok('POST /steps/_search', request)
  return answer.profile.shards[0].aggregations[0].debug
}

function randomRequest(random: Random): object {
  const one = <T>(of: readonly T[]): T => of[random.below(of.length)]!
  const field = one(random.below(2) === 0 ? ['t', 'u'] : DATES)
  const number = one(NUMBERS)
  const calendar = one(['hour', 'day', 'week', 'month', 'quarter', 'year'])
  const steps = one<object>([
    { fixed_interval: '36h' },
    { calendar_interval: calendar },
    { calendar_interval: 'month', time_zone: 'Europe/Paris' },
    { calendar_interval: 'week', offset: '+5h' },
  ])
  const ends = Array.from({ length: 4 }, () => (random.below(320) - 160) / 2).sort((a, b) => a - b)
  const ranges = [{ to: ends[0] }, { from: ends[1], to: ends[2] }, { from: ends[3] }]
  const dates = Array.from({ length: 2 }, () => START + random.below(9600) * HOUR).sort()
  const dateRanges = [{ to: dates[0] }, { from: dates[0], to: dates[1] }]
  const order = one(['asc', 'desc'])
  const source = { x: { date_histogram: { field, ...steps, order } } }
  const aggs = {
    a: one<object>([
      { date_histogram: { field, ...steps } },
      { auto_date_histogram: { field, buckets: 1 + random.below(30) } },
      { date_range: { field, format: 'epoch_millis', ranges: dateRanges } },
      { range: { field: number, ranges } },
      { composite: { size: 1 + random.below(40), sources: [source] } },
    ]),
    b: { range: { field: number, ranges } },
  }
  const [from, to] = dates
  const query = one<object>([
    { match_all: {} },
    { range: { [field]: { gte: from, lt: to, format: 'epoch_millis' } } },
    { range: { [field]: { gt: from, format: 'epoch_millis' } } },
    { range: { [number]: { gte: ends[0], lte: ends[3] } } },
    { exists: { field } },
    { bool: { filter: [{ range: { l: { lt: 20 } } }] } },
  ])
  return { size: one([0, 3]), query, aggs }
}
