import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal, throughLife } from '../../support/field-life.ts'
import { openRest, type Rest } from '../../support/rest-calls.ts'

const documents = {
  fox: { f: 'The quick brown fox jumps' },
  wolf: { f: ['the brown wolf', 'quick'] },
  bear: { f: 'brown bear, quick bear' },
  uml: { f: 'Überfall 😀😁😂' },
}

describe('text', () => {
  it('keeps beginnings of words for prefixes', async () => {
    const prefixes = { type: 'text', index_prefixes: { min_chars: 1, max_chars: 3 } }
    await throughLife(
      { properties: { f: { ...prefixes, fields: { sub: prefixes } } }, documents },
      async ({ ids, rest }) => {
        expect(await ids({ prefix: { f: 'qui' } })).toEqual(['bear', 'fox', 'wolf'])
        expect(await ids({ prefix: { f: 'jumps' } })).toEqual(['fox'])
        expect(await ids({ prefix: { 'f.sub': 'b' } })).toEqual(['bear', 'fox', 'wolf'])
        expect(await ids({ term: { 'f._index_prefix': 'wol' } })).toEqual(['wolf'])
        expect(await ids({ term: { 'f._index_prefix': 'wolf' } })).toEqual([])
        expect(await ids({ match_bool_prefix: { f: 'brown wo' } })).toEqual(['bear', 'fox', 'wolf'])
        expect(await ids({ prefix: { f: 'üb' } })).toEqual(['uml'])
        expect(await ids({ match_phrase_prefix: { f: 'brown wo' } })).toEqual(['wolf'])
        const { json } = await rest.call('GET /i/_mapping')
        expect(json.i.mappings.properties.f).toEqual({
          type: 'text',
          index_prefixes: { min_chars: 1, max_chars: 3 },
          fields: { sub: { type: 'text', index_prefixes: { min_chars: 1, max_chars: 3 } } },
        })
      },
    )
  })

  it('asks prefixes that are terms even where dear queries are forbidden', async () => {
    const rest = await openRest()
    await rest.call('PUT /i', {
      mappings: { properties: { f: { type: 'text', index_prefixes: {} } } },
    })
    await rest.call('PUT /_cluster/settings', {
      persistent: { 'search.allow_expensive_queries': false },
    })
    const prefix = (text: string): object => ({ query: { prefix: { f: text } } })
    expect((await rest.call('POST /i/_search', prefix('ab'))).status).toBe(200)
    expect(await refusal(rest, 'POST /i/_search', prefix('abcdef'))).toMatch(
      /enable \[index_prefixes\]\.$/,
    )
    await rest.close()
  })

  it('keeps pairs of words for phrases', async () => {
    await throughLife(
      { properties: { f: { type: 'text', index_phrases: true } }, documents },
      async ({ ids, rest }) => {
        expect(await ids({ match_phrase: { f: 'brown fox' } })).toEqual(['fox'])
        expect(await ids({ match_phrase: { f: 'quick brown fox' } })).toEqual(['fox'])
        expect(await ids({ match_phrase: { f: 'wolf quick' } })).toEqual([])
        expect(await ids({ match_phrase: { f: { query: 'brown quick', slop: 1 } } })).toEqual([
          'bear',
        ])
        expect(await ids({ term: { 'f._index_phrase': 'brown bear' } })).toEqual(['bear'])
        const body = { profile: true, query: { match_phrase: { f: 'quick brown fox' } } }
        const { text } = await rest.call('POST /i/_search', body)
        expect(text).toContain('f._index_phrase')
      },
    )
  })

  it('scores all matches alike with the similarity boolean', async () => {
    const properties = {
      f: { type: 'text', similarity: 'boolean' },
    }
    await throughLife({ properties, documents }, async ({ rest }) => {
      const scores = async (query: object): Promise<number[]> => {
        const { json } = await rest.call('POST /i/_search', { query })
        return json.hits.hits.map((hit: { _score: number }) => hit._score)
      }
      expect(await scores({ match: { f: 'bear' } })).toEqual([1])
      expect(await scores({ match: { f: 'brown bear' } })).toEqual([2, 1, 1])
      expect(await scores({ match_phrase: { f: 'quick bear' } })).toEqual([1])
    })
  })

  it('takes and prints the parameters of other parts', async () => {
    const f = {
      type: 'text',
      store: false,
      index_options: 'offsets',
      norms: false,
      term_vector: 'with_positions_offsets',
      fielddata: true,
      fielddata_frequency_filter: { min: 0.01, max: 0.5, min_segment_size: 5 },
      eager_global_ordinals: true,
    }
    await throughLife({ properties: { f }, documents }, async ({ rest, ids }) => {
      const { store: _store, ...printed } = f
      const { json } = await rest.call('GET /i/_mapping')
      expect(json.i.mappings.properties.f).toEqual(printed)
      expect(await ids({ match_phrase: { f: 'brown fox' } })).toEqual(['fox'])
    })
  })

  it('splits a match on a keyword where it says so', async () => {
    const properties = {
      k: { type: 'keyword', split_queries_on_whitespace: true },
      whole: { type: 'keyword' },
    }
    const words = { a: { k: 'foo', whole: 'foo' }, b: { k: ['foo', 'bar'] }, c: { k: 'foo bar' } }
    await throughLife({ properties, documents: words }, async ({ ids }) => {
      expect(await ids({ match: { k: ' foo  bar ' } })).toEqual(['a', 'b'])
      expect(await ids({ match: { k: { query: 'foo bar', operator: 'and' } } })).toEqual(['b'])
      expect(await ids({ match: { k: { query: 'foo bar', minimum_should_match: 2 } } })).toEqual([
        'b',
      ])
      expect(await ids({ match: { k: ' ' } })).toEqual([])
      expect(await ids({ match: { whole: 'foo bar' } })).toEqual([])
    })
  })
})

describe('match_only_text', () => {
  it('finds words and phrases, and scores them alike', async () => {
    await throughLife(
      { properties: { f: { type: 'match_only_text' } }, documents },
      async ({ ids, rest }) => {
        expect(await ids({ match: { f: 'FOX bear' } })).toEqual(['bear', 'fox'])
        expect(await ids({ match_phrase: { f: 'quick bear' } })).toEqual(['bear'])
        expect(await ids({ match_phrase_prefix: { f: 'brown be' } })).toEqual(['bear'])
        expect(await ids({ exists: { field: 'f' } })).toEqual(['bear', 'fox', 'uml', 'wolf'])
        const { json } = await rest.call('POST /i/_search', { query: { match: { f: 'brown' } } })
        expect(json.hits.hits.map((hit: { _score: number }) => hit._score)).toEqual([1, 1, 1])
      },
    )
  })

  it('takes the parameters of text, as far as the field has them', async () => {
    const given = {
      type: 'match_only_text',
      term_vector: 'yes',
      similarity: 'boolean',
      position_increment_gap: 0,
      boost: 2.0,
    }
    const off = { norms: false, index_options: 'docs', index_phrases: false }
    await throughLife(
      { properties: { f: { ...given, ...off } }, documents },
      async ({ ids, rest }) => {
        expect(await ids({ match_phrase: { f: 'wolf quick' } })).toEqual(['wolf'])
        const { json } = await rest.call('POST /i/_search', { query: { term: { f: 'fox' } } })
        expect(json.hits.max_score).toBe(2)
        const vectors = await rest.call('GET /i/_termvectors/uml')
        expect(Object.keys(vectors.json.term_vectors.f.terms)).toContain('überfall')
        const mapping = await rest.call('GET /i/_mapping')
        expect(mapping.json.i.mappings.properties.f).toEqual(given)
      },
    )
  })
})

describe('search_as_you_type', () => {
  it('finds by beginnings of words in a row', async () => {
    await throughLife(
      { properties: { f: { type: 'search_as_you_type' } }, documents },
      async ({ ids, rest }) => {
        const typed = (query: string): Promise<string[]> =>
          ids({
            multi_match: { query, type: 'bool_prefix', fields: ['f', 'f._2gram', 'f._3gram'] },
          })
        expect(await typed('jum')).toEqual(['fox'])
        expect(await typed('wol')).toEqual(['wolf'])
        expect(await ids({ match: { 'f._2gram': 'quick brown' } })).toEqual(['fox'])
        expect(await ids({ match: { 'f._3gram': 'quick brown' } })).toEqual([])
        expect(await ids({ match_bool_prefix: { 'f._2gram': 'brown fo' } })).toEqual(['fox'])
        expect(await ids({ term: { 'f._index_prefix': 'brown wo' } })).toEqual(['wolf'])
        expect(await ids({ term: { 'f._index_prefix': 'quick brown fox jumps' } })).toEqual([])
        expect(await ids({ match_phrase: { f: 'quick brown fox jumps' } })).toEqual(['fox'])
        expect(await ids({ match: { f: 'wolf' } })).toEqual(['wolf'])
        expect(await refusal(rest, 'POST /i/_search', { sort: 'f' })).toBe(
          "400 illegal_argument_exception: Can't load fielddata on [f] because fielddata is " +
            'unsupported on fields of type [search_as_you_type]. Use doc values instead.',
        )
        const { json } = await rest.call('GET /i/_mapping')
        expect(json.i.mappings.properties.f).toEqual({ type: 'search_as_you_type' })
      },
    )
  })
})

describe('refusals of mappings', () => {
  let rest: Rest
  beforeAll(async () => {
    rest = await openRest()
    await rest.call('PUT /i', {
      mappings: {
        properties: { p: { type: 'text', index_prefixes: {} }, s: { type: 'search_as_you_type' } },
      },
    })
  })
  afterAll(() => rest.close())

  const MPE = '400 mapper_parsing_exception: '
  const IAE = '400 illegal_argument_exception: '
  it.each<[object, string]>([
    [
      { type: 'text', search_analyzer: 'simple' },
      `${MPE}analyzer on field [f] must be set when search_analyzer is set`,
    ],
    [
      { type: 'search_as_you_type', analyzer: 'simple', search_quote_analyzer: 'simple' },
      `${MPE}analyzer and search_analyzer on field [f] must be set when search_quote_analyzer is set`,
    ],
    [
      { type: 'text', index: false, index_prefixes: {} },
      `${MPE}Cannot set index_prefixes on unindexed field [f]`,
    ],
    [
      { type: 'text', index: false, index_phrases: true },
      `${MPE}Cannot set index_phrases on unindexed field [f]`,
    ],
    [
      { type: 'text', index_options: 'freqs', index_phrases: true },
      `${MPE}Cannot set index_phrases on field [f] if positions are not enabled`,
    ],
    [
      { type: 'text', index_options: 'freqs', position_increment_gap: 1 },
      `${MPE}Cannot set position_increment_gap on field [f] without positions enabled`,
    ],
    [
      { type: 'text', index_prefixes: { min_chars: 0 } },
      `${IAE}min_chars [0] must be greater than zero`,
    ],
    [
      { type: 'text', index_prefixes: { max_chars: 20 } },
      `${IAE}max_chars [20] must be less than 20`,
    ],
    [
      { type: 'text', index_prefixes: { min_chars: 6 } },
      `${IAE}min_chars [6] must be less than max_chars [5]`,
    ],
    [
      { type: 'text', index_prefixes: { chars: 6 } },
      `${MPE}Mapping definition for [index_prefixes] has unsupported parameters:  [chars : 6]`,
    ],
    [
      { type: 'text', term_vector: 'maybe' },
      `${MPE}Unknown value [maybe] for field [term_vector] - accepted values are [no, yes, ` +
        'with_offsets, with_positions, with_positions_offsets, with_positions_payloads, ' +
        'with_positions_offsets_payloads] (field [f])',
    ],
    [{ type: 'text', similarity: 'TFIDF' }, `${MPE}Unknown Similarity type [TFIDF] for field [f]`],
    [
      { type: 'search_as_you_type', max_shingle_size: 5 },
      `${MPE}[max_shingle_size] must be at least [2] and at most [4], got [5]`,
    ],
    [
      { type: 'match_only_text', norms: true },
      `${MPE}Norms cannot be enabled on for match_only_text field`,
    ],
    [
      { type: 'match_only_text', index_options: 'freqs' },
      `${MPE}Unknown value [freqs] for field [index_options] - accepted values are [docs] (field [f])`,
    ],
    [
      { type: 'match_only_text', index_phrases: true },
      `${MPE}Index phrases cannot be enabled on for match_only_text field. Use text field instead`,
    ],
    [
      { type: 'match_only_text', index_prefixes: {} },
      `${MPE}Index prefixes cannot be enabled on for match_only_text field. Use text field instead`,
    ],
    [
      {
        type: 'text',
        index_prefixes: {},
        fields: { _index_prefix: { type: 'keyword' } },
      },
      `${MPE}Field [f._index_prefix] is defined more than once`,
    ],
  ])('says why of %o', async (definition, reason) => {
    expect(await refusal(rest, 'PUT /i/_mapping', { properties: { f: definition } })).toBe(reason)
  })

  it('names parameters that cannot change', async () => {
    const conflict = `${IAE}Mapper for [p] conflicts with existing mapper:\n\t`
    expect(await refusal(rest, 'PUT /i/_mapping', { properties: { p: { type: 'text' } } })).toBe(
      `${conflict}Cannot update parameter [index_prefixes] from [{min_chars=2, max_chars=5}] to [null]`,
    )
    const s = { type: 'search_as_you_type', max_shingle_size: 2 }
    expect(await refusal(rest, 'PUT /i/_mapping', { properties: { s } })).toBe(
      `${IAE}Mapper for [s] conflicts with existing mapper:\n\t` +
        'Cannot update parameter [max_shingle_size] from [3] to [2]',
    )
  })
})
