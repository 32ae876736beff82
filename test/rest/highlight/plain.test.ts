import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { highlightCalls } from '../../support/highlight-calls.ts'
import { openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const { fill, first, highlights, shardFailure } = highlightCalls(() => rest)

const TEXT =
  'The quick brown fox. A lazy dog sleeps, and the quick brown dog wakes up. Nobody knows.'

beforeAll(async () => {
  rest = await openRest()
  await fill(
    {
      properties: {
        t: { type: 'text', fields: { o: { type: 'text', index_options: 'offsets' } } },
        k: { type: 'keyword' },
        grams: { type: 'text', analyzer: 'grams' },
      },
    },
    [
      { t: TEXT, k: ['a fox', 'fox'], grams: 'foxes' },
      { t: ['one fox', 'two dogs', 'a fox, a dog'] },
    ],
    {
      'index.max_ngram_diff': 5,
      analysis: {
        analyzer: { grams: { tokenizer: 'grams' } },
        tokenizer: { grams: { type: 'ngram', min_gram: 2, max_gram: 4 } },
      },
    },
  )
})
afterAll(() => rest.close())

const match = (text: string, field = 't'): object => ({ match: { [field]: text } })
const plain = (options: object = {}, field = 't'): object => ({
  type: 'plain',
  fields: { [field]: options },
})

describe('plain highlighting', () => {
  it('shows fragments of about a size, with the blanks between them', async () => {
    expect(await first(match('quick dog'), plain({ fragment_size: 25 }))).toEqual({
      t: [
        ' <em>quick</em> brown <em>dog</em> wakes up. Nobody knows.',
        'The <em>quick</em> brown fox. A',
        ' lazy <em>dog</em> sleeps, and the',
      ],
    })
  })

  it('does not cut within a phrase, unless it is to', async () => {
    const phrase = { match_phrase: { t: { query: 'brown dog wakes', slop: 0 } } }
    expect(await first(phrase, plain({ fragment_size: 8 }))).toEqual({
      t: [' <em>brown</em> <em>dog</em> <em>wakes</em> up'],
    })
    const simple = await first(phrase, plain({ fragment_size: 8, fragmenter: 'simple' }))
    expect(simple).toEqual({ t: [' <em>brown</em> <em>dog</em>', ' <em>wakes</em>'] })
  })

  it('marks terms of phrases where these are', async () => {
    const whole = plain({ number_of_fragments: 0 })
    expect(await first({ match_phrase: { t: 'quick brown dog' } }, whole)).toEqual({
      t: [TEXT.replace('quick brown dog', '<em>quick</em> <em>brown</em> <em>dog</em>')],
    })
    expect(await first({ prefix: { t: 'sleep' } }, whole)).toEqual({
      t: [TEXT.replace('sleeps', '<em>sleeps</em>')],
    })
  })

  it('takes the best fragments of each value, and of them as many as are asked for', async () => {
    expect(await highlights(match('fox dog'), plain({ order: 'score' }))).toMatchObject({
      1: { t: ['a <em>fox</em>, a <em>dog</em>', 'one <em>fox</em>'] },
    })
    expect(await highlights(match('fox dog'), plain({ number_of_fragments: 1 }))).toMatchObject({
      1: { t: ['one <em>fox</em>'] },
    })
    expect(await highlights(match('fox dog'), plain({ number_of_fragments: 0 }))).toMatchObject({
      1: { t: ['one <em>fox</em>', 'a <em>fox</em>, a <em>dog</em>'] },
    })
  })

  it('puts one pair of tags around tokens that overlap', async () => {
    expect(await first({ term: { grams: 'fox' } }, plain({}, 'grams'))).toEqual({
      grams: ['<em>fox</em>es'],
    })
    expect(await first({ terms: { grams: ['fo', 'ox'] } }, plain({}, 'grams'))).toEqual({
      grams: ['<em>fox</em>es'],
    })
  })

  it('takes whole values of keywords', async () => {
    expect(await first(match('fox', 'k'), plain({}, 'k'))).toEqual({ k: ['<em>fox</em>'] })
    expect(await first({ prefix: { k: 'a' } }, plain({}, 'k'))).toEqual({ k: ['<em>a fox</em>'] })
  })

  it('shows the beginning of a text without a match, up to the end of a token', async () => {
    const all = { match_all: {} }
    expect(await first(all, plain({ no_match_size: 9 }))).toEqual({ t: ['The quick'] })
    expect(await first(all, plain({ no_match_size: 14 }))).toEqual({ t: ['The quick'] })
    expect(await first(all, plain({ no_match_size: 2 }))).toBeUndefined()
    expect(await first(all, plain({ no_match_size: 1000 }))).toEqual({ t: [TEXT.slice(0, -1)] })
  })

  it('counts a boosted term for more', async () => {
    const query = {
      bool: { should: [{ term: { t: { value: 'sleeps', boost: 9 } } }, match('quick brown')] },
    }
    const best = await first(query, plain({ fragment_size: 20, number_of_fragments: 1 }))
    expect(best!['t']![0]).toContain('<em>sleeps</em>')
  })

  it('refuses fragmenters that there are not', async () => {
    expect(await shardFailure({ highlight: plain({ fragmenter: 'none' }) })).toEqual([
      400,
      'illegal_argument_exception',
      'unknown fragmenter option [none] for the field [t]',
    ])
  })

  it('takes a million characters by default', async () => {
    for (const [id, length] of [
      ['1000000', 1_000_000],
      ['1000001', 1_000_001],
    ] as const) {
      const t = `fox${' '.repeat(length - 4)}.`
      await rest.call(`PUT /i/_doc/${id}?refresh`, { t })
      const query = { bool: { must: match('fox'), filter: { ids: { values: [id] } } } }
      for (const type of ['plain', 'unified']) {
        const highlight = { type, fields: { t: { number_of_fragments: 1 } } }
        const { status, json } = await rest.call('POST /i/_search', {
          query,
          highlight,
          _source: false,
        })
        if (length > 1_000_000) {
          expect(status).toBe(400)
          expect(json.error.root_cause[0].reason).toMatch(
            /^The length \[1000001\] of \[t\] field of \[1000001\] doc of \[i\] index has exceeded \[1000000\] - maximum/,
          )
        } else expect(json.hits.hits[0].highlight.t[0]).toContain('<em>fox</em>')
      }
      await rest.call(`DELETE /i/_doc/${id}?refresh`)
    }
  })

  it('refuses text beyond the limit, with offsets too, unless the request cuts it', async () => {
    await rest.call('PUT /i/_settings', { 'index.highlight.max_analyzed_offset': 10 })
    for (const field of ['t', 't.o'])
      expect(
        await shardFailure({
          query: { bool: { must: [match('fox', field), { ids: { values: ['0'] } }] } },
          highlight: plain({}, field),
        }),
      ).toEqual([
        400,
        'illegal_argument_exception',
        `The length [${TEXT.length}] of [${field}] field of [0] doc of [i] index has exceeded [10] - ` +
          'maximum allowed to be analyzed for highlighting. This maximum can be set by changing the ' +
          '[index.highlight.max_analyzed_offset] index level setting. For large texts, indexing with ' +
          'offsets or term vectors is recommended!',
      ])
    expect(await first(match('quick dog'), plain({ max_analyzer_offset: 10 }))).toEqual({
      t: ['The <em>quick</em> '],
    })
    await rest.call('PUT /i/_settings', { 'index.highlight.max_analyzed_offset': null })
  })
})
