import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/util/random.ts'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

const SEED = 811
const LIMIT = 'search.aggregations.terms.max_precompute_cardinality'

let rest: Rest
const ok = okOf(() => rest)

const properties = {
  k: { type: 'keyword' },
  few: { type: 'keyword' },
  hidden: { type: 'keyword', index: false },
  ip: { type: 'ip' },
  n: { type: 'long' },
  text: { type: 'text', fielddata: true },
}

const randomRow = (random: Random): object => {
  const key = (): string => `k${random.below(40)}`
  return {
    ...(random.below(4) === 0 ? {} : { k: random.below(3) === 0 ? [key(), key()] : key() }),
    few: `f${random.below(3)}`,
    hidden: key(),
    ip: `10.0.0.${random.below(9)}`,
    n: random.below(10),
    text: `${key()} ${key()}`,
  }
}

/** Segments of 300, 120 and 7 documents. */
async function fill(name: string, settings: object = {}): Promise<void> {
  const random = new Random(SEED)
  const all = { number_of_shards: 1, 'index.refresh_interval': '-1', ...settings }
  await ok(`PUT /${name}`, { settings: all, mappings: { properties } })
  let id = 0
  for (const size of [300, 120, 7]) {
    const lines = Array.from({ length: size }, () => [
      { index: { _id: String(id++) } },
      randomRow(random),
    ])
    await rest.call(`POST /${name}/_bulk?refresh`, ndjson(...lines.flat()))
  }
}

beforeAll(async () => {
  rest = await openRest()
  await fill('i')
  await fill('holes')
  await ok('DELETE /holes/_doc/5?refresh')
  await ok('PUT /weighted', { mappings: { properties } })
  await ok('PUT /weighted/_doc/1?refresh', { k: 'a', _doc_count: 5 })
})
afterAll(() => rest.close())

const setLimit = (limit: number | null): Promise<unknown> =>
  ok('PUT /_cluster/settings', { persistent: { [LIMIT]: limit } })

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
async function search(terms: object, more: object = {}, index = 'i'): Promise<any> {
  const aggs = { x: { terms } }
  return await ok(`POST /${index}/_search`, { size: 0, profile: true, aggs, ...more })
}

/** Documents that were delivered, leaves that were opened, and those that noted their column. */
async function delivered(terms: object, more: object = {}, index = 'i'): Promise<unknown> {
  const answer = await search(terms, more, index)
  const { breakdown, debug } = answer.profile.shards[0].aggregations[0]
  const noted = debug.segments_with_single_valued_ords + debug.segments_with_multi_valued_ords
  return [breakdown.collect_count, breakdown.build_leaf_collector_count, noted]
}

describe('terms that the dictionary counts', () => {
  it.each<[string, object, string]>([
    ['dense', { field: 'k' }, 'GlobalOrdinalsStringTermsAggregator.LowCardinality'],
    ['few', { field: 'few' }, 'GlobalOrdinalsStringTermsAggregator.LowCardinality'],
  ])('collect no document: %s', async (_title, terms, type) => {
    const answer = await search(terms)
    expect(answer.profile.shards[0].aggregations[0].type).toBe(type)
    expect(await delivered(terms)).toEqual([0, 3, 0])
    expect(await delivered({ ...terms, size: 2, order: { _key: 'desc' } })).toEqual([0, 3, 0])
  })

  it.each<[string, object, object, string]>([
    ['a query', { field: 'k' }, { query: { range: { n: { gte: 0 } } } }, 'i'],
    ['a min score', { field: 'k' }, { min_score: 0.5 }, 'i'],
    ['no index of terms', { field: 'hidden' }, {}, 'i'],
    ['a missing value', { field: 'k', missing: 'none' }, {}, 'i'],
    ['a filter', { field: 'k', include: 'k1.*' }, {}, 'i'],
    ['addresses, which have points in place of postings', { field: 'ip' }, {}, 'i'],
    ['analysed text', { field: 'text' }, {}, 'i'],
    ['buckets without documents', { field: 'k', min_doc_count: 0 }, {}, 'i'],
  ])('are collected with %s', async (_title, terms, more, index) => {
    const [collected] = (await delivered(terms, more, index)) as [number]
    expect(collected).toBe(427)
  })

  it('are collected where a document is deleted, of that leaf alone', async () => {
    expect(await delivered({ field: 'k' }, {}, 'holes')).toEqual([299, 3, 1])
  })

  it('are collected where documents have weights, and below other buckets', async () => {
    const weighted = await search({ field: 'k' }, {}, 'weighted')
    expect(weighted.aggregations.x.buckets).toEqual([{ key: 'a', doc_count: 5 }])
    const aggs = { f: { terms: { field: 'few' }, aggs: { x: { terms: { field: 'k' } } } } }
    const { profile } = await ok('POST /i/_search', { size: 0, profile: true, aggs })
    const [node] = profile.shards[0].aggregations
    expect(node.breakdown.collect_count).toBe(427)
    expect(node.children[0].breakdown.collect_count).toBe(427)
  })

  it('are collected where the dictionary is longer than the setting', async () => {
    const forty = { field: 'k' }
    await setLimit(39)
    // The first segment alone has all forty.
    expect(await delivered(forty)).toEqual([300, 3, 1])
    await setLimit(0)
    expect(await delivered(forty)).toEqual([427, 3, 3])
    await setLimit(null)
    expect(await delivered(forty)).toEqual([0, 3, 0])
  })

  it(`give the answers that documents give (seed ${SEED})`, async () => {
    const random = new Random(SEED)
    const one = <T>(of: readonly T[]): T => of[random.below(of.length)]!
    for (let i = 0; i < 120; i++) {
      const index = one(['i', 'holes'])
      const mode = one(['none', 'all'])
      await ok(`PUT /${index}/_settings`, {
        'index.search.concurrent_segment_search.mode': mode,
      })
      const field = one(['k', 'few', 'ip', 'hidden', 'n'])
      const order = one([{ _count: 'desc' }, { _count: 'asc' }, { _key: 'asc' }, { _key: 'desc' }])
      const size = one([1, 5, 100])
      const terms = { field, order, size, shard_size: one([size, size + 3]) }
      const query = one([
        { match_all: {} },
        { match_all: { boost: 2 } },
        { exists: { field: 'k' } },
      ])
      const request = { size: 0, query, aggs: { x: { terms } }, profile: random.below(2) === 0 }
      await setLimit(0)
      const plain = await ok(`POST /${index}/_search`, request)
      await setLimit(null)
      const counted = await ok(`POST /${index}/_search`, request)
      expect(counted.aggregations, JSON.stringify(request)).toEqual(plain.aggregations)
    }
  })
})
