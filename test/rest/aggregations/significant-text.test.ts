import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/util/random.ts'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

interface Row {
  readonly c: string
  readonly text: string | readonly string[]
  readonly more?: string
}

const SEED = 77
const random = new Random(SEED)
const words = (count: number, most: number): string =>
  Array.from({ length: 1 + random.below(count) }, () => `W${random.below(most)}`).join(' ')
const ROWS: readonly Row[] = Array.from({ length: 150 }, () => {
  const c = `c${random.below(2)}`
  const most = c === 'c0' ? 8 : 20
  return {
    c,
    text: random.below(4) === 0 ? [words(4, most), words(4, most)] : words(6, most),
    ...(random.below(3) === 0 ? { more: words(4, most) } : {}),
  }
})
const SEGMENT = 40

beforeAll(async () => {
  rest = await openRest()
  const properties = {
    c: { type: 'keyword', normalizer: 'lowercase' },
    n: { type: 'long' },
    text: { type: 'text', fields: { whole: { type: 'keyword' } } },
    more: { type: 'text' },
    o: { type: 'nested', properties: { text: { type: 'text' } } },
  }
  for (const [name, shards] of [
    ['i', 1],
    ['two', 2],
    ['noise', 1],
  ] as const) {
    const settings = { number_of_shards: shards, 'index.refresh_interval': '-1' }
    await ok(`PUT /${name}`, { settings, mappings: { properties } })
    const rows = name === 'noise' ? [] : ROWS
    for (let at = 0; at < rows.length; at += SEGMENT) {
      const part = rows.slice(at, at + SEGMENT)
      const lines = part.flatMap((row, id) => [{ index: { _id: String(at + id) } }, row])
      await ok(`POST /${name}/_bulk?refresh`, ndjson(...lines))
    }
  }
  const run = 'one two three four five six'
  const noise = [
    { c: 'a', text: `good ${run}`, n: 7 },
    { c: 'a', text: `good more ${run}` },
    { c: 'a', text: `good ${run} end`, o: [{ text: 'inner words' }] },
    { c: 'b', text: 'bad' },
  ]
  const lines = noise.flatMap((row, id) => [{ index: { _id: String(id) } }, row])
  await ok('POST /noise/_bulk?refresh', ndjson(...lines))
})
afterAll(() => rest.close())

const search = async (body: object, index = 'i', parameters = ''): Promise<unknown> =>
  (await ok(`POST /${index}/_search${parameters}`, { size: 0, ...body })).aggregations

const tokensOf = (texts: readonly (string | undefined)[]): ReadonlySet<string> =>
  new Set(texts.flatMap(text => text?.toLowerCase().split(' ') ?? []))

type TextsOf = (row: Row) => readonly (string | undefined)[]

/** The jlh buckets of the words of some rows. */
function expected(
  textsOf: TextsOf,
  inside: (row: Row) => boolean,
  inBackground: (row: Row) => boolean,
  size = 10,
): object {
  const rows = ROWS.filter(inside)
  const all = ROWS.filter(inBackground)
  const count = (list: readonly Row[], texts: TextsOf, word: string): number =>
    list.filter(row => tokensOf(texts(row)).has(word)).length
  const words = new Set(rows.flatMap(row => [...tokensOf(textsOf(row))]))
  const buckets = [...words]
    .map(key => {
      const doc_count = count(rows, textsOf, key)
      const bg_count = count(all, ({ text }) => [text].flat(), key)
      const share = doc_count / rows.length
      const other = (bg_count === 0 ? 1 : bg_count) / all.length
      const score = share <= other ? 0 : (share - other) * (share / other)
      return { key, doc_count, score, bg_count }
    })
    .filter(({ doc_count, score }) => doc_count >= 3 && score > 0)
    .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
    .slice(0, size)
  return { doc_count: rows.length, bg_count: all.length, buckets }
}

const QUERY = { term: { c: 'c0' } }
const own: TextsOf = ({ text }) => [text].flat()
const IN_C0 = ({ c }: Row): boolean => c === 'c0'
const ALL = (): boolean => true

const WAYS: readonly (readonly [mode: string, slices: number, profile: boolean])[] = [
  ['none', 0, false],
  ['none', 0, true],
  ['all', 2, false],
  ['all', 4, true],
]

describe('significant_text', () => {
  it('counts the words of sources, however slices are cut', async () => {
    for (const [mode, slices, profile] of WAYS)
      for (const index of ['i', 'two']) {
        await ok(`PUT /${index}/_settings`, {
          'index.search.concurrent_segment_search.mode': mode,
          'index.search.concurrent.max_slice_count': slices,
        })
        const title = `seed ${SEED}: ${JSON.stringify([mode, slices, profile, index])}`
        const x = { significant_text: { field: 'text', size: 6 } }
        expect(await search({ query: QUERY, profile, aggs: { x } }, index), title).toEqual({
          x: expected(own, IN_C0, ALL, 6),
        })
        const filtered = {
          significant_text: { field: 'text', background_filter: { term: { c: 'c1' } } },
        }
        expect(
          await search({ query: QUERY, profile, aggs: { x: filtered } }, index),
          title,
        ).toEqual({ x: expected(own, IN_C0, ({ c }) => c === 'c1') })
      }
  })

  it('reads other fields of the source, and compares the words of buckets and samples', async () => {
    const more = {
      significant_text: { field: 'text', source_fields: ['text', 'more'] },
    }
    const both: TextsOf = row => [...own(row), row.more]
    const aggs = {
      c: { terms: { field: 'c', order: { _key: 'asc' } }, aggs: { more } },
      s: { sampler: { shard_size: 1000 }, aggs: { more } },
    }
    expect(await search({ aggs })).toMatchObject({
      c: {
        buckets: ['c0', 'c1'].map(key => ({
          key,
          more: expected(both, ({ c }) => c === key, ALL),
        })),
      },
      s: { more: expected(both, ALL, ALL) },
    })
    const one = { significant_text: { field: 'text', source_fields: 'more' } }
    expect(await search({ query: QUERY, aggs: { one } })).toEqual({
      one: expected(({ more: text }) => [text], IN_C0, ALL),
    })
  })

  it('leaves out runs of words that an earlier text of the bucket had', async () => {
    const options = { field: 'text', min_doc_count: 2 }
    const query = { term: { c: 'a' } }
    const keys = async (more: object): Promise<readonly string[]> => {
      const x = { significant_text: { ...options, ...more } }
      const found = (await search({ query, aggs: { x } }, 'noise')) as {
        x: { buckets: readonly { key: string }[] }
      }
      return found.x.buckets.map(({ key }) => key)
    }
    expect(await keys({})).toEqual(['five', 'four', 'good', 'one', 'six', 'three', 'two'])
    expect(await keys({ filter_duplicate_text: true })).toEqual(['good'])
    expect(await keys({ include: 'f.*', exclude: 'four' })).toEqual(['five'])
    expect(await keys({ shard_size: 1, size: 1 })).toEqual(['five'])
  })

  it('takes keywords whole, as their normalizers make them', async () => {
    const x = { significant_text: { field: 'text.whole', min_doc_count: 1 } }
    expect(await search({ query: { term: { c: 'b' } }, aggs: { x } }, 'noise')).toEqual({
      x: {
        doc_count: 1,
        bg_count: 5,
        buckets: [{ key: 'bad', doc_count: 1, score: 4, bg_count: 1 }],
      },
    })
  })

  it('counts nested objects, which have no source of their own', async () => {
    const x = { significant_text: { field: 'o.text', min_doc_count: 1 } }
    const aggs = { o: { nested: { path: 'o' }, aggs: { x } } }
    expect(await search({ aggs }, 'noise')).toEqual({
      o: { doc_count: 1, x: { doc_count: 1, bg_count: 5, buckets: [] } },
    })
  })

  it('is typed, and empty where no index has the field', async () => {
    const aggs = {
      x: { significant_text: { field: 'none' } },
      y: { significant_text: { field: 'text' } },
    }
    const body = { query: { match_none: {} }, aggs }
    expect(await search(body, 'noise', '?typed_keys')).toEqual({
      'umsigterms#x': { buckets: [] },
      'sigsterms#y': { doc_count: 0, bg_count: 5, buckets: [] },
    })
  })

  it('is profiled as terms in a map', async () => {
    const aggs = { x: { significant_text: { field: 'text' } } }
    const answer = await ok('POST /noise/_search', { profile: true, aggs })
    expect(answer.profile.shards[0].aggregations).toMatchObject([
      {
        type: 'MapStringTermsAggregator',
        description: 'x',
        debug: { result_strategy: 'significant_terms' },
        breakdown: { collect_count: 4 },
      },
    ])
  })

  it.each<readonly [options: object, reason: string]>([
    [{ field: undefined }, 'Required one of fields [field, script], but none were specified. '],
    [{ missing: 'x' }, '[significant_text] unknown field [missing]'],
    [{ size: -1 }, '[size] must be greater than 0. Found [-1] in [x]'],
    [
      { filter_duplicate_text: 'maybe' },
      '[significant_text] failed to parse field [filter_duplicate_text]',
    ],
    [{ field: 'n' }, 'Field [n] has no analyzer, but SignificantText requires an analyzed field'],
    [
      { field: '_id' },
      'Field [_id] has no analyzer, but SignificantText requires an analyzed field',
    ],
    [{ include: 'a'.repeat(1001) }, 'The length of regex [1001] used in the request has exceeded'],
  ])('refuses %j', async (options, reason) => {
    const aggs = { x: { significant_text: { field: 'text', ...options } } }
    const answer = await rest.call('POST /noise/_search', { aggs })
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining(JSON.stringify(reason).slice(1, -1)),
    ])
  })

  it('refuses aggregations below it', async () => {
    const x = { significant_text: { field: 'text' }, aggs: { m: { max: { field: 'n' } } } }
    const answer = await rest.call('POST /noise/_search', { aggs: { x } })
    expect([answer.status, answer.json.error.root_cause[0]]).toEqual([
      400,
      {
        type: 'aggregation_initialization_exception',
        reason: 'Aggregator [x] of type [significant_text] cannot accept sub-aggregations',
      },
    ])
  })
})
