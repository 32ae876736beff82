import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { highlightCalls } from '../../support/highlight-calls.ts'
import { openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const { fill, first, highlights, shardFailure } = highlightCalls(() => rest)

const LONG =
  'The quick brown fox jumps. A lazy dog sleeps! Nobody knows why the brown dog, which is old and ' +
  'tired and has seen many a fox in its long life, would never again run after one. The end.'

beforeAll(async () => {
  rest = await openRest()
  await fill(
    {
      properties: {
        t: {
          type: 'text',
          fields: {
            offsets: { type: 'text', index_options: 'offsets' },
            vectors: { type: 'text', term_vector: 'with_positions_offsets' },
            stop: { type: 'text', analyzer: 'stop' },
            raw: { type: 'keyword', ignore_above: 10 },
          },
        },
        many: { type: 'text' },
        k: { type: 'keyword' },
        n: { type: 'integer' },
        folded: { type: 'keyword', normalizer: 'lowercase' },
        also: { type: 'alias', path: 't' },
        html: { type: 'text' },
      },
    },
    [
      {
        t: LONG,
        many: ['a brown fox. And more', 'no match here', 'the fox, brown'],
        k: ['fox', 'brown fox'],
        n: 7,
        folded: 'FOX',
        html: 'a <b>fox</b> & "hen"',
      },
      { t: 'short fox', many: [] },
      { many: 'nothing in t' },
    ],
  )
})
afterAll(() => rest.close())

const match = (text: string, field = 't'): object => ({ match: { [field]: text } })
const one = (options: object, field = 't'): object => ({ fields: { [field]: options } })

describe('unified highlighting', () => {
  it('shows sentences with each term between tags of its own', async () => {
    const found = await first(match('brown dog'), { fields: { t: {} } })
    expect(found).toEqual({
      t: [
        'The quick <em>brown</em> fox jumps. A lazy <em>dog</em> sleeps!',
        'Nobody knows why the <em>brown</em> <em>dog</em>, which is old and tired and has seen many ' +
          'a fox in its long life, would',
      ],
    })
  })

  it('shows nothing for a hit without a match or a value', async () => {
    const all = await highlights({ match_all: {} }, { fields: { t: {} } })
    expect(all).toEqual({ 0: undefined, 1: undefined, 2: undefined })
    expect(await highlights(match('nothing', 'many'), one({}))).toEqual({ 2: undefined })
  })

  it('cuts at sentences, at words, or not at all', async () => {
    const end = match('end')
    expect(await first(end, one({ fragment_size: 0 }))).toEqual({ t: ['The <em>end</em>.'] })
    expect(await first(end, one({ boundary_scanner: 'word' }))).toEqual({ t: ['<em>end</em>'] })
    const whole = LONG.replace('end', '<em>end</em>')
    expect(await first(end, one({ number_of_fragments: 0 }))).toEqual({ t: [whole] })
    expect(await first(match('sleeps'), one({ fragment_size: 10 }))).toEqual({
      t: ['lazy dog <em>sleeps</em>'],
    })
    expect(
      await first(match('sleeps'), one({ boundary_scanner: 'SENTENCE', fragment_size: 0 })),
    ).toEqual({ t: ['A lazy dog <em>sleeps</em>!'] })
  })

  it('keeps the best passages, in the order of the text or of their scores', async () => {
    const query = match('fox dog brown')
    const options = { fragment_size: 30, number_of_fragments: 2 }
    const inText = (await first(query, one(options)))!['t']!
    const byScore = (await first(query, one({ ...options, order: 'score' })))!['t']!
    expect(inText).toHaveLength(2)
    expect([...inText].sort()).toEqual([...byScore].sort())
    expect(LONG.indexOf(inText[0]!.replaceAll(/<\/?em>/g, ''))).toBeLessThan(
      LONG.indexOf(inText[1]!.replaceAll(/<\/?em>/g, '')),
    )
    const best = (await first(query, one({ ...options, number_of_fragments: 1 })))!['t']
    expect(best).toEqual([byScore[0]])
  })

  it('never lets a passage go beyond a value', async () => {
    const field = one({ fragment_size: 1000 }, 'many')
    expect(await first(match('fox', 'many'), field)).toEqual({
      many: ['a brown <em>fox</em>. And more', 'the <em>fox</em>, brown'],
    })
    const whole = one({ number_of_fragments: 0 }, 'many')
    expect(await first(match('fox', 'many'), whole)).toEqual({
      many: ['a brown <em>fox</em>. And more', 'the <em>fox</em>, brown'],
    })
  })

  it('marks the terms of phrases, spans and intervals where these are', async () => {
    const whole = { fields: { t: { number_of_fragments: 0 } } }
    const marked = (...words: readonly [string, string][]): object => ({
      t: [words.reduce((text, [from, to]) => text.replace(from, to), LONG)],
    })
    expect(await first({ match_phrase: { t: 'brown dog' } }, whole)).toEqual(
      marked(['brown dog', '<em>brown</em> <em>dog</em>']),
    )
    expect(await first({ match_phrase_prefix: { t: 'brown f' } }, whole)).toEqual(
      marked(['brown fox', '<em>brown</em> <em>fox</em>']),
    )
    const span = (value: string): object => ({ span_term: { t: value } })
    const near = { clauses: [span('quick'), span('fox')], slop: 1, in_order: true }
    expect(await first({ span_near: near }, whole)).toEqual(
      marked(['quick', '<em>quick</em>'], ['fox', '<em>fox</em>']),
    )
    const notNear = { include: span('dog'), exclude: span('lazy'), pre: 1 }
    expect(await first({ span_not: notNear }, whole)).toEqual(marked(['dog,', '<em>dog</em>,']))
    const ordered = { match: { query: 'old tired', max_gaps: 1, ordered: true } }
    expect(await first({ intervals: { t: ordered } }, whole)).toEqual(
      marked(['old', '<em>old</em>'], ['tired', '<em>tired</em>']),
    )
    // A term that is looked for by itself, too, is marked everywhere.
    const both = { bool: { should: [{ match_phrase: { t: 'brown dog' } }, match('brown')] } }
    expect(await first(both, whole)).toEqual(
      marked(['brown fox', '<em>brown</em> fox'], ['brown dog', '<em>brown</em> <em>dog</em>']),
    )
  })

  it('marks the terms that a query for many terms accepts', async () => {
    const fragments = { fields: { t: { fragment_size: 0, number_of_fragments: 1 } } }
    const sentence = ['A lazy dog <em>sleeps</em>!']
    for (const query of [
      { prefix: { t: 'slee' } },
      { wildcard: { t: 's*ps' } },
      { regexp: { t: 'sl[e]+ps' } },
      { fuzzy: { t: 'sleps' } },
      { range: { t: { gte: 'sl', lt: 'sm' } } },
      { terms: { t: ['sleeps', 'wakes'] } },
      { query_string: { query: 't:slee*' } },
      { match_bool_prefix: { t: 'slee' } },
      { constant_score: { filter: { term: { t: 'sleeps' } } } },
      { dis_max: { queries: [{ term: { t: 'sleeps' } }] } },
      { function_score: { query: { term: { t: 'sleeps' } } } },
      {
        boosting: {
          positive: { term: { t: 'sleeps' } },
          negative: match('dog'),
          negative_boost: 1,
        },
      },
      { bool: { filter: { term: { t: 'sleeps' } }, must_not: { term: { t: 'cat' } } } },
    ])
      expect({ query, found: await first(query, fragments) }).toEqual({
        query,
        found: { t: sentence },
      })
  })

  it('never marks what must not match', async () => {
    const query = { bool: { must: match('end'), must_not: match('fox', 'k.none') } }
    expect(await first(query, one({ require_field_match: false }))).toEqual({
      t: ['The <em>end</em>.'],
    })
  })

  it('marks matches of other fields where the field need not match', async () => {
    const query = match('fox', 'k')
    expect(await first(query, one({}, 'many'))).toBeUndefined()
    expect(await first(query, one({ require_field_match: false }, 'many'))).toEqual({
      many: ['a brown <em>fox</em>. And more', 'the <em>fox</em>, brown'],
    })
    const ids = { ids: { values: ['0'] } }
    expect(await first(ids, one({ require_field_match: false }))).toBeUndefined()
  })

  it('takes the matches of other fields beside its own', async () => {
    const query = { multi_match: { query: 'the end', fields: ['t', 't.stop'] } }
    expect(await first(query, one({ fragment_size: 0 }, 't.stop'))).toEqual({
      't.stop': ['The <em>end</em>.'],
    })
    const found = await first(query, one({ fragment_size: 0, matched_fields: ['t'] }, 't.stop'))
    expect(found!['t.stop']!.at(-1)).toBe('<em>The</em> <em>end</em>.')
  })

  it('marks another query than that of the search', async () => {
    const highlight = { highlight_query: match('end'), fields: { t: {} } }
    expect(await first(match('fox'), highlight)).toEqual({ t: ['The <em>end</em>.'] })
    const perField = {
      highlight_query: match('end'),
      fields: { t: { highlight_query: match('old') } },
    }
    expect((await first(match('fox'), perField))!['t']![0]).toContain('<em>old</em>')
    const lookup = { terms: { t: { index: 'i', id: '1', path: 't' } } }
    expect(await first({ match_all: {} }, { fields: { t: { highlight_query: lookup } } })).toBe(
      undefined,
    )
    const words = { terms: { k: { index: 'i', id: '0', path: 'k' } } }
    expect(await first({ match_all: {} }, { fields: { k: { highlight_query: words } } })).toEqual({
      k: ['<em>fox</em>', '<em>brown fox</em>'],
    })
  })

  it('finds offsets in postings, in vectors and by analysis alike', async () => {
    const query = { multi_match: { query: 'brown dog', fields: ['t', 't.offsets', 't.vectors'] } }
    const found = (await first(query, { fields: { 't*': {} } }))!
    expect(found['t.offsets']).toEqual(found['t'])
    expect(found['t.vectors']).toEqual(found['t'])
    expect(Object.keys(found)).toEqual(['t', 't.offsets', 't.vectors'])
  })

  it('shows the beginning of a text without a match up to a word end', async () => {
    const query = { match_all: {} }
    expect(await highlights(query, one({ no_match_size: 6 }))).toEqual({
      0: { t: ['The quick'] },
      1: { t: ['short fox'.slice(0, 9)] },
      2: undefined,
    })
    expect(await highlights(query, one({ no_match_size: 1000 }))).toMatchObject({
      0: { t: [LONG] },
      1: { t: ['short fox'] },
    })
    const filled = one({ no_match_size: 3 }, 'many')
    expect(await highlights(query, filled)).toMatchObject({
      0: { many: ['a brown'] },
      1: undefined,
    })
  })

  it('takes whole values of fields that are not analysed', async () => {
    expect(await first(match('fox', 'k'), one({}, 'k'))).toEqual({ k: ['<em>fox</em>'] })
    expect(await first(match('fox', 'folded'), one({}, 'folded'))).toEqual({
      folded: ['<em>fox</em>'],
    })
    const raw = await highlights({ prefix: { 't.raw': 'sho' } }, one({}, 't.raw'))
    expect(raw).toEqual({ 1: { 't.raw': ['<em>short fox</em>'] } })
    expect(await first({ prefix: { k: 'brown' } }, one({}, 't.raw'))).toBeUndefined()
  })

  it('leaves fields alone that are not mapped, and those that no pattern may mean', async () => {
    const query = { bool: { must: [match('fox'), { term: { n: 7 } }] } }
    const fields = { none: {}, n: {}, t: { number_of_fragments: 1, fragment_size: 0 } }
    expect(Object.keys((await first(query, { fields }))!)).toEqual(['t'])
    const any = { require_field_match: false, no_match_size: 5, fields: { '*': {} } }
    const found = Object.keys((await first(query, any))!)
    expect(found).toContain('also')
    expect(found).not.toContain('n')
    expect(await first(query, one({ no_match_size: 5 }, 'n'))).toEqual({ n: ['7'] })
  })

  it('names an alias as it was asked for', async () => {
    const found = await first(match('end', 'also'), one({}, 'also'))
    expect(found).toEqual({ also: ['The <em>end</em>.'] })
  })

  it('takes tags and writes HTML', async () => {
    const query = match('fox', 'html')
    const tags = { pre_tags: ['<1>', '<2>'], post_tags: ['</1>'] }
    expect(await first(query, { ...tags, fields: { html: {} } })).toEqual({
      html: ['a <b><1>fox</1></b> & "hen"'],
    })
    expect(await first(query, { encoder: 'html', ...tags, fields: { html: {} } })).toEqual({
      html: ['a &lt;b&gt;<1>fox</1>&lt;&#x2F;b&gt; &amp; &quot;hen&quot;'],
    })
    expect(await first(query, { tags_schema: 'styled', fields: { html: {} } })).toEqual({
      html: ['a <b><em class="hlt1">fox</em></b> & "hen"'],
    })
    expect(
      await first(query, { ...tags, fields: { html: { pre_tags: '[', post_tags: ']' } } }),
    ).toEqual({ html: ['a <b>[fox]</b> & "hen"'] })
  })

  it('takes the language of the boundaries, known or not', async () => {
    for (const boundary_scanner_locale of ['de-DE', 'el', 'no such', ''])
      expect(
        await first(match('sleeps'), one({ boundary_scanner_locale, fragment_size: 0 })),
      ).toEqual({ t: ['A lazy dog <em>sleeps</em>!'] })
  })

  it('gives the same with a profile, which has its phase', async () => {
    const { json } = await rest.call('POST /i/_search', {
      query: match('end'),
      highlight: one({}),
      profile: true,
    })
    expect(json.hits.hits[0].highlight).toEqual({ t: ['The <em>end</em>.'] })
  })

  it('refuses boundaries of characters', async () => {
    expect(await shardFailure({ highlight: one({ boundary_scanner: 'chars' }) })).toEqual([
      400,
      'illegal_argument_exception',
      'Invalid boundary scanner type: CHARS',
    ])
  })
})

describe('text beyond the limit', () => {
  const limit = { 'index.highlight.max_analyzed_offset': 20 }
  const advice =
    'This maximum can be set by changing the [index.highlight.max_analyzed_offset] index level ' +
    'setting. For large texts, indexing with offsets or term vectors is recommended!'
  const text = 'The quick brown fox jumps'

  it('is refused where it would be analysed', async () => {
    await fill(
      {
        properties: {
          t: { type: 'text', fields: { o: { type: 'text', index_options: 'offsets' } } },
        },
      },
      [{ t: text }],
      limit,
    )
    expect(await shardFailure({ query: match('fox'), highlight: one({}) })).toEqual([
      400,
      'illegal_argument_exception',
      'The length [25] of [t] field of [0] doc of [i] index has exceeded [20] - maximum allowed to ' +
        `be analyzed for highlighting. ${advice}`,
    ])
    expect(await first(match('fox', 't.o'), one({}, 't.o'))).toEqual({
      't.o': ['The quick brown <em>fox</em> jumps'],
    })
  })

  it('is cut where the request says so, and within the limit', async () => {
    expect(await first(match('quick fox jumps'), one({ max_analyzer_offset: 16 }))).toEqual({
      t: ['The <em>quick</em> brown <em>fox</em> jumps'],
    })
    expect(
      await shardFailure({
        query: match('fox'),
        highlight: one({ max_analyzer_offset: 21 }),
      }),
    ).toEqual([
      400,
      'illegal_argument_exception',
      `max_analyzer_offset has exceeded [20] - maximum allowed to be analyzed for highlighting. ${advice}`,
    ])
  })
})
