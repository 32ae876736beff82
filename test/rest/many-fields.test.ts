import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { explained, outlineOf, profiled, scored } from '../support/search-shapes.ts'

let index: FieldIndex
beforeAll(async () => {
  index = await fieldIndex({
    first: { type: 'text' },
    last: { type: 'text' },
    code: { type: 'text', analyzer: 'keyword' },
    tag: { type: 'keyword' },
    words: { type: 'keyword', split_queries_on_whitespace: true },
    flat: { type: 'text', similarity: 'boolean' },
    n: { type: 'long' },
  })
  await index.add(
    { first: 'Will', last: 'Smith', tag: 'a', n: 1, words: 'Will' },
    { first: 'Smith', last: 'Jones', tag: 'b', words: 'x' },
    { first: 'Will Will', last: 'Jones', tag: 'Smith' },
    { first: 'Anna', code: 'Will Smith' },
  )
})
afterAll(() => index.close())

describe('multi_match of the type cross_fields', () => {
  const cross = (options: object): object => ({ multi_match: { type: 'cross_fields', ...options } })

  it('asks each term of all fields', async () => {
    const all = { query: 'Will Smith', operator: 'and', fields: ['first', 'last'] }
    expect(await index.find(cross(all))).toEqual(['0'])
    expect(await index.find(cross({ ...all, operator: 'or' }))).toEqual(['0', '1', '2'])
    expect(await profiled(index, cross({ ...all, fields: ['first', 'last^2'] }))).toEqual([
      'BooleanQuery',
      '+((last:will)^2.0 | first:will) +((last:smith)^2.0 | first:smith)',
    ])
  })

  it('scores the fields by the frequency of the commonest', async () => {
    const top = await explained(index, cross({ query: 'jones', fields: ['last', 'first'] }), '1')
    expect(top.details[0]!.details[0]!.details[0]!.details[0]!.value).toBe(2)
    await scored(index, cross({ query: 'will smith', fields: ['last', 'first'] }))
  })

  it('keeps fields of other analyzers apart', async () => {
    const query = { query: 'Will Smith', operator: 'and', fields: ['code', 'first', 'last'] }
    expect(await index.find(cross(query))).toEqual(['0', '3'])
    expect(await profiled(index, cross({ ...query, tie_breaker: 0.5 }))).toEqual([
      'DisjunctionMaxQuery',
      '(code:Will Smith | (+(last:will | first:will)~0.5 +(last:smith | first:smith)~0.5))~0.5',
    ])
  })

  it.each([
    [{ query: 'Smith', fields: ['tag', 'last'] }, ['0', '2']],
    [{ query: '1', fields: ['tag', 'n'] }, ['0']],
    [{ query: 'x', fields: ['tag', 'n'], lenient: true }, []],
    [{ query: 'Will', fields: ['words', 'tag'] }, ['0']],
    [{ query: 'a b', fields: ['first', 'last'], analyzer: 'keyword' }, []],
    [{ query: 'Will Smith Anna', fields: ['first', 'last'], minimum_should_match: 2 }, ['0']],
    [{ query: '', fields: ['first', 'last'], zero_terms_query: 'all' }, ['0', '1', '2', '3']],
    [{ query: '', fields: ['first', 'last'] }, []],
    [{ query: 'x', fields: ['absent', 'gone'] }, []],
  ])('%j', async (options, expected) => {
    expect(await index.find(cross(options))).toEqual(expected)
  })

  it.each([
    [{ query: 'x', fields: ['n', 'tag'] }, 'For input string: "x"'],
    [
      { query: 'a', fields: ['first', 'last'], analyzer: 'none' },
      '[multi_match] analyzer [none] not found',
    ],
    [
      { query: 'a', fields: ['first'], fuzziness: 1 },
      'Fuzziness not allowed for type [cross_fields]',
    ],
  ])('refuses %j', async (options, reason) => {
    expect(await index.refusal({ query: cross(options) })).toEqual([400, reason])
  })

  it('is a type of query_string too', async () => {
    const query_string = {
      query: 'Will Smith',
      type: 'cross_fields',
      fields: ['first', 'last'],
      default_operator: 'and',
    }
    expect(await index.find({ query_string })).toEqual(['0'])
  })
})

describe('combined_fields', () => {
  const combined = (options: object): object => ({ combined_fields: options })
  const fields = ['first', 'last']

  it('asks each term of the fields as of one', async () => {
    const query = { query: 'Will Smith', fields: ['first', 'last^2'], operator: 'and' }
    expect(await index.find(combined(query))).toEqual(['0'])
    expect(await profiled(index, combined(query))).toEqual([
      'BooleanQuery',
      '+CombinedFieldQuery((first last^2.0)(will)) +CombinedFieldQuery((first last^2.0)(smith))',
    ])
    expect(await profiled(index, combined({ query: 'Will', fields: ['first'] }))).toEqual([
      'CombinedFieldQuery',
      'CombinedFieldQuery((first)(will))',
    ])
  })

  it('sums frequencies and lengths', async () => {
    const hits = await scored(index, combined({ query: 'will', fields }))
    expect(hits.map(([id]) => id)).toEqual(['2', '0'])
    const top = await explained(
      index,
      combined({ query: 'will', fields: ['first^2', 'last'] }),
      '2',
    )
    expect(outlineOf(top)).toEqual([
      'weight(CombinedFieldQuery((first^2.0 last)(will)) in 2), result of:',
      ' score(freq=4.0), computed as boost * idf * tf from:',
      '  idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:',
      '   n, number of documents containing term',
      '   N, total number of documents with field',
      '  tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:',
      '   termFreq=4.0',
      '   k1, term saturation parameter',
      '   b, length normalization parameter',
      '   dl, length of field',
      '   avgdl, average length of field',
    ])
    const [, tf] = top.details[0]!.details
    expect(tf!.details[3]!.value).toBe(5)
  })

  it.each([
    [{ query: 'Will Smith Anna', fields, minimum_should_match: '2' }, ['0']],
    [{ query: 'Will', fields: ['f*st', 'last'] }, ['0', '2']],
    [{ query: '', fields, zero_terms_query: 'all' }, ['0', '1', '2', '3']],
    [{ query: '', fields, auto_generate_synonyms_phrase_query: false }, []],
    [{ query: 'x', fields: ['absent'], boost: 2 }, []],
  ])('%j', async (options, expected) => {
    expect(await index.find(combined(options))).toEqual(expected)
  })

  it.each([
    [{ fields }, 'Required [query]'],
    [{ query: 'a' }, 'Required [fields]'],
    [{}, 'Required [query, fields]'],
    [{ query: 'a', fields, slop: 1 }, '[1:57] [combined_fields] unknown field [slop]'],
    [
      { query: 'a', fields: ['tag'] },
      'Field [tag] of type [keyword] does not support [combined_fields] queries',
    ],
    [
      { query: 'a', fields: ['first', 'code'] },
      'All fields in [combined_fields] query must have the same search analyzer',
    ],
    [{ query: 'a', fields: ['first^0.5'] }, 'weight must be greater or equal to 1'],
    [
      { query: 'a', fields: ['flat'] },
      '[combined_fields] queries can only be used with the [BM25] similarity',
    ],
  ])('refuses %j', async (options, reason) => {
    const [status, text] = await index.refusal({ query: combined(options) })
    expect([status, text.replace(/^\[1:\d+\]/, '[1:57]')]).toEqual([400, reason])
  })
})
