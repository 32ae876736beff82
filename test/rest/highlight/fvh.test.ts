import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { highlightCalls } from '../../support/highlight-calls.ts'
import { openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const { fill, first, highlights, shardFailure } = highlightCalls(() => rest)

const TEXT =
  'The quick brown fox jumps over the lazy dog, which does not even wake up from its dreams of ' +
  'running after a brown fox. Later the dog wakes.'

const vectors = { type: 'text', term_vector: 'with_positions_offsets' }

beforeAll(async () => {
  rest = await openRest()
  await fill(
    {
      properties: {
        v: { ...vectors, fields: { stop: { ...vectors, analyzer: 'stop' } } },
        payloads: { type: 'text', term_vector: 'with_positions_offsets_payloads' },
        positions: { type: 'text', term_vector: 'with_positions' },
        t: { type: 'text' },
      },
    },
    [
      { v: TEXT, payloads: TEXT, positions: TEXT, t: TEXT },
      { v: ['a brown fox', 'nothing', '', 'the fox again'] },
    ],
  )
})
afterAll(() => rest.close())

const match = (text: string, field = 'v'): object => ({ match: { [field]: text } })
const fvh = (options: object = {}, field = 'v'): object => ({
  type: 'fvh',
  fields: { [field]: options },
})

describe('fvh highlighting', () => {
  it('shows fragments around the matches, cut at characters', async () => {
    expect(await first(match('lazy dog'), fvh({ fragment_size: 30 }))).toEqual({
      v: [
        'jumps over the <em>lazy</em> <em>dog</em>, which does',
        'fox. Later the <em>dog</em> wakes.',
      ],
    })
  })

  it('puts a phrase between one pair of tags', async () => {
    const whole = fvh({ number_of_fragments: 0 })
    expect(await first({ match_phrase: { v: 'brown fox' } }, whole)).toEqual({
      v: [TEXT.replaceAll('brown fox', '<em>brown fox</em>')],
    })
    const sloppy = { match_phrase: { v: { query: 'quick fox', slop: 1 } } }
    expect(await first(sloppy, whole)).toEqual({
      v: [TEXT.replace('quick brown fox', '<em>quick</em> brown <em>fox</em>')],
    })
    expect(await first({ match_phrase_prefix: { v: 'lazy d' } }, whole)).toEqual({
      v: [TEXT.replace('lazy dog', '<em>lazy dog</em>')],
    })
    const overlapping = {
      bool: {
        should: [{ match_phrase: { v: 'quick brown' } }, { match_phrase: { v: 'brown fox' } }],
      },
    }
    expect(await first(overlapping, whole)).toEqual({
      v: [
        TEXT.replace('quick brown fox', '<em>quick brown fox</em>').replace(
          'a brown fox',
          'a <em>brown fox</em>',
        ),
      ],
    })
  })

  it('takes tags in turn, a term or phrase each', async () => {
    const tags = { number_of_fragments: 0, pre_tags: ['<1>', '<2>'], post_tags: ['</1>', '</2>'] }
    expect(await first(match('quick lazy'), fvh(tags))).toEqual({
      v: [TEXT.replace('quick', '<1>quick</1>').replace('lazy', '<2>lazy</2>')],
    })
    const styled = { type: 'fvh', tags_schema: 'styled', fields: { v: { number_of_fragments: 0 } } }
    expect(await first(match('quick lazy'), styled)).toEqual({
      v: [
        TEXT.replace('quick', '<em class="hlt1">quick</em>').replace(
          'lazy',
          '<em class="hlt2">lazy</em>',
        ),
      ],
    })
  })

  it('takes the first fragments, or the best', async () => {
    const query = { bool: { should: [match('dreams'), match('brown fox')] } }
    const options = { fragment_size: 20, number_of_fragments: 1 }
    expect((await first(query, fvh(options)))!['v']![0]).toContain(
      'quick <em>brown</em> <em>fox</em>',
    )
    const boosted = {
      bool: { should: [{ term: { v: { value: 'dreams', boost: 5 } } }, match('fox')] },
    }
    expect((await first(boosted, fvh({ ...options, order: 'score' })))!['v']![0]).toContain(
      '<em>dreams</em>',
    )
  })

  it('moves ends to characters, words or sentences', async () => {
    const query = match('wakes')
    const size = { fragment_size: 18, number_of_fragments: 1 }
    expect(await first(query, fvh({ ...size, boundary_scanner: 'sentence' }))).toEqual({
      v: ['Later the dog <em>wakes</em>.'],
    })
    expect(await first(query, fvh({ ...size, boundary_scanner: 'word' }))).toEqual({
      v: ['the dog <em>wakes</em>.'],
    })
    expect(await first(query, fvh({ ...size, boundary_max_scan: 0 }))).toEqual({
      v: ['e dog <em>wakes</em>.'],
    })
    expect(await first(query, fvh({ ...size, boundary_chars: 'L' }))).toEqual({
      v: ['ater the dog <em>wakes</em>.'],
    })
  })

  it('never lets a fragment go beyond a value', async () => {
    expect(await highlights(match('fox'), fvh({ fragment_size: 100 }))).toMatchObject({
      1: { v: ['a brown <em>fox</em>', 'the <em>fox</em> again'] },
    })
    expect(await highlights(match('fox'), fvh({ number_of_fragments: 0 }))).toMatchObject({
      1: { v: ['a brown <em>fox</em>', 'the <em>fox</em> again'] },
    })
  })

  it('takes the matches of other fields in place of its own', async () => {
    const query = { multi_match: { query: 'the dog', fields: ['v', 'v.stop'] } }
    const whole = { number_of_fragments: 0 }
    expect(await first(query, fvh({ ...whole, matched_fields: ['v'] }, 'v.stop'))).toEqual({
      'v.stop': [
        TEXT.replaceAll('The', '<em>The</em>')
          .replaceAll('the', '<em>the</em>')
          .replaceAll('dog', '<em>dog</em>'),
      ],
    })
    expect(await first(query, fvh({ ...whole, matched_fields: ['v.stop'] }))).toEqual({
      v: [TEXT.replaceAll('dog', '<em>dog</em>')],
    })
    expect(await first(query, fvh({ ...whole, matched_fields: ['v', 'v.stop'] }))).toEqual({
      v: [
        TEXT.replaceAll('The', '<em>The</em>')
          .replaceAll('the', '<em>the</em>')
          .replaceAll('dog', '<em>dog</em>'),
      ],
    })
  })

  it('looks at so many phrases', async () => {
    expect(await first(match('dog'), fvh({ phrase_limit: 1, number_of_fragments: 0 }))).toEqual({
      v: [TEXT.replace('dog', '<em>dog</em>')],
    })
  })

  it('leaves spans and intervals alone', async () => {
    const near = { clauses: [{ span_term: { v: 'quick' } }, { span_term: { v: 'fox' } }], slop: 1 }
    expect(await first({ span_near: near }, fvh())).toBeUndefined()
    expect(await first({ span_term: { v: 'quick' } }, fvh({ fragment_size: 18 }))).toEqual({
      v: ['The <em>quick</em> brown fox'],
    })
  })

  it('shows the beginning of a text without a match', async () => {
    expect(await first({ match_all: {} }, fvh({ no_match_size: 12 }))).toEqual({
      v: ['The quick brown'],
    })
    // Of several values only where the first one, which is eleven long, has as much of it.
    const shown = async (no_match_size: number): Promise<unknown> =>
      (await highlights({ match_all: {} }, fvh({ no_match_size })))['1']
    expect(await shown(9)).toEqual({ v: ['a brown fox'] })
    expect(await shown(12)).toEqual({ v: ['a brown fox'] })
    expect(await shown(13)).toBeUndefined()
  })

  it('wants vectors with offsets', async () => {
    expect(await first(match('quick', 'payloads'), fvh({ fragment_size: 18 }, 'payloads'))).toEqual(
      {
        payloads: ['The <em>quick</em> brown fox'],
      },
    )
    for (const field of ['t', 'positions'])
      expect(await shardFailure({ highlight: fvh({}, field) })).toEqual([
        400,
        'illegal_argument_exception',
        `the field [${field}] should be indexed with term vector with position offsets to be used ` +
          'with fast vector highlighter',
      ])
  })

  it('passes over fields of patterns that have none', async () => {
    const query = { multi_match: { query: 'quick', fields: ['v', 't'] } }
    const highlight = { type: 'fvh', fields: { '*': { fragment_size: 18 } } }
    expect(await first(query, highlight)).toEqual({ v: ['The <em>quick</em> brown fox'] })
  })

  it('refuses fragments that are too small', async () => {
    expect(
      await shardFailure({ query: match('dog'), highlight: fvh({ fragment_size: 17 }) }),
    ).toEqual([
      400,
      'illegal_argument_exception',
      'fragCharSize(17) is too small. It must be 18 or higher.',
    ])
    const offset = fvh({ fragment_size: 17, fragment_offset: 2 })
    expect(await first(match('wakes'), offset)).toEqual({ v: ['the dog <em>wakes</em>.'] })
    expect(
      await shardFailure({ query: match('dog'), highlight: fvh({ fragment_offset: -2 }) }),
    ).toEqual([
      400,
      'illegal_argument_exception',
      'margin(-2) is too small. It must be 0 or higher.',
    ])
  })
})
