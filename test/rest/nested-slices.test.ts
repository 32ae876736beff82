import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../src/util/random.ts'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

const COUNT = 12_000
let rest: Rest
const documents: { isLive: boolean; words: string[]; kids: { word: string; n: number }[] }[] = []

/** Words that are frequent, so that kernels, bit sets and cached filters take part. */
const WORDS = ['the', 'of', 'sea', 'whale', 'tide']

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /big', {
    settings: {
      number_of_shards: 1,
      'index.refresh_interval': '-1',
      'index.search.concurrent.max_slice_count': 4,
      'index.search.concurrent.intra_segment_min_docs': 4096,
    },
    mappings: {
      properties: {
        text: { type: 'text' },
        kids: {
          type: 'nested',
          properties: { word: { type: 'keyword' }, text: { type: 'text' }, n: { type: 'integer' } },
        },
      },
    },
  })
  const random = new Random(5)
  const lines: object[] = []
  for (let i = 0; i < COUNT; i++) {
    const words = Array.from({ length: 1 + random.below(4) }, () => WORDS[random.below(5)]!)
    const kids = Array.from({ length: random.below(4) }, () => ({
      word: WORDS[random.below(5)]!,
      n: 1 + random.below(50),
    }))
    documents.push({ isLive: true, words, kids })
    lines.push(
      { index: { _id: String(i) } },
      { text: words.join(' '), kids: kids.map(kid => ({ ...kid, text: kid.word })) },
    )
  }
  for (let at = 0; at < lines.length; at += 6000)
    await rest.call('POST /big/_bulk', ndjson(...lines.slice(at, at + 6000)))
  await rest.call('POST /big/_forcemerge?max_num_segments=1')
  // Some are replaced by documents without nested ones, and some are deleted.
  for (let i = 0; i < 300; i++) {
    const id = random.below(COUNT)
    const gone = documents[id]!
    gone.kids = []
    gone.isLive = i % 2 !== 0
    const line =
      i % 2 === 0
        ? ndjson({ delete: { _id: String(id) } })
        : ndjson({ index: { _id: String(id) } }, { text: gone.words.join(' ') })
    await rest.call('POST /big/_bulk', line)
  }
  await rest.call('POST /big/_refresh')
}, 120_000)
afterAll(() => rest.close())

const matching = (test: (document: (typeof documents)[number]) => boolean): number =>
  documents.filter(document => document.isLive && test(document)).length
const nested = (query: object, score_mode = 'avg'): object => ({
  nested: { path: 'kids', query, score_mode },
})
const both = { bool: { must: [{ term: { 'kids.word': 'sea' } }, { term: { 'kids.n': 7 } }] } }

describe('nested queries over slices, kernels and cached filters', () => {
  it.each<[string, object, number | (() => number)]>([
    ['alone', nested(both), () => matching(d => d.kids.some(k => k.word === 'sea' && k.n === 7))],
    ['all', { match_all: {} }, () => matching(() => true)],
    ['a word', { match: { text: 'whale' } }, () => matching(d => d.words.includes('whale'))],
    [
      'beside a word',
      { bool: { must: { match: { text: 'whale' } }, filter: nested(both) } },
      () =>
        matching(d => d.words.includes('whale') && d.kids.some(k => k.word === 'sea' && k.n === 7)),
    ],
    [
      'prohibited',
      { bool: { must: { match: { text: 'the' } }, must_not: nested({ match_all: {} }) } },
      () => matching(d => d.words.includes('the') && d.kids.length === 0),
    ],
    [
      'as one of two',
      {
        bool: {
          should: [{ match: { text: 'tide' } }, nested({ range: { 'kids.n': { gt: 45 } } })],
        },
      },
      () => matching(d => d.words.includes('tide') || d.kids.some(k => k.n > 45)),
    ],
    [
      'a word within',
      nested({ match: { 'kids.text': 'whale' } }, 'sum'),
      () => matching(d => d.kids.some(k => k.word === 'whale')),
    ],
  ])('%s: the same however it runs', async (_name, query, expected) => {
    const count = typeof expected === 'number' ? expected : expected()
    const ask = async (body: object): Promise<unknown> => {
      const { status, json, text } = await rest.call('POST /big/_search', {
        query,
        size: 20,
        track_total_hits: true,
        ...body,
      })
      expect(status, text).toBe(200)
      expect(json.hits.total).toEqual({ value: count, relation: 'eq' })
      return json.hits.hits.map((hit: { _id: string; _score: number }) => [hit._id, hit._score])
    }
    const first = await ask({})
    // Filters are kept after a few uses.
    for (let i = 0; i < 6; i++) expect(await ask({})).toEqual(first)
    expect(await ask({ profile: true })).toEqual(first)
    for (const slices of [1, 4]) {
      await rest.call('PUT /big/_settings', {
        'index.search.concurrent.max_slice_count': slices,
      })
      expect(await ask({})).toEqual(first)
      expect(await ask({ profile: true })).toEqual(first)
    }
    expect((await rest.call('POST /big/_count', { query })).json.count).toBe(count)
  })

  it('explain the scores that they give', async () => {
    const query = nested({ match: { 'kids.text': 'whale' } }, 'max')
    const { json } = await rest.call('POST /big/_search', { query, size: 10, explain: true })
    for (const hit of json.hits.hits) expect(hit._explanation.value).toBe(hit._score)
  })
})
