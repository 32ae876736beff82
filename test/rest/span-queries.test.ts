import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { explained, outlineOf, profiled, scored } from '../support/search-shapes.ts'

let index: FieldIndex
beforeAll(async () => {
  index = await fieldIndex({
    t: { type: 'text', fields: { stems: { type: 'text', analyzer: 'english' } } },
    prefixed: { type: 'text', index_prefixes: {} },
    docs: { type: 'text', index_options: 'docs' },
    k: { type: 'keyword' },
    n: { type: 'long' },
  })
  await index.add(
    { t: 'the quick brown fox', prefixed: 'quick fox' },
    { t: 'fox and the quick hound', prefixed: 'quick', docs: 'x', k: 'x' },
    { t: 'quick the lazy brown foxes' },
    { t: 'brown quick brown' },
  )
})
afterAll(() => index.close())

const term = (text: string, field = 't'): object => ({ span_term: { [field]: text } })
const quick = term('quick')
const fox = term('fox')
const brown = term('brown')

describe('spans', () => {
  it.each<[object, string[]]>([
    [quick, ['0', '1', '2', '3']],
    [{ span_term: { t: { value: 'fox', boost: 2 } } }, ['0', '1']],
    [{ span_near: { clauses: [quick, fox] } }, []],
    [{ span_near: { clauses: [quick, fox], slop: 1 } }, ['0']],
    [{ span_near: { clauses: [quick, fox], slop: 2, in_order: false } }, ['0', '1']],
    [{ span_near: { clauses: [quick, { span_gap: { t: 1 } }, fox] } }, ['0']],
    [{ span_near: { clauses: [quick] } }, ['0', '1', '2', '3']],
    [{ span_or: { clauses: [fox, term('lazy')] } }, ['0', '1', '2']],
    [{ span_not: { include: brown, exclude: quick } }, ['0', '2', '3']],
    [{ span_not: { include: brown, exclude: quick, pre: 1 } }, ['2', '3']],
    [{ span_not: { include: brown, exclude: quick, dist: 1 } }, ['2']],
    [{ span_not: { include: brown, exclude: quick, post: 1 } }, ['0', '2', '3']],
    [{ span_not: { include: fox, exclude: term('absent') } }, ['0', '1']],
    [{ span_first: { match: fox, end: 1 } }, ['1']],
    [{ span_multi: { match: { prefix: { absent: 'fo' } } } }, []],
    [
      {
        span_near: { clauses: [{ span_multi: { match: { fuzzy: { a: 'x' } } } }, term('x', 'a')] },
      },
      [],
    ],
    [{ span_or: { clauses: [{ span_multi: { match: { range: { a: { gt: 1 } } } } }] } }, []],
    [{ span_first: { match: quick, end: 2 } }, ['0', '2', '3']],
    [
      {
        span_containing: {
          big: { span_near: { clauses: [quick, fox], slop: 5, in_order: false } },
          little: term('the'),
        },
      },
      ['1'],
    ],
    [
      {
        span_within: {
          big: { span_near: { clauses: [quick, fox], slop: 5, in_order: false } },
          little: brown,
        },
      },
      ['0'],
    ],
    [{ span_multi: { match: { prefix: { t: 'fox' } } } }, ['0', '1', '2']],
    [{ span_multi: { match: { wildcard: { t: 'l*y' } } } }, ['2']],
    [{ span_multi: { match: { regexp: { t: 'qu.ck' } } } }, ['0', '1', '2', '3']],
    [{ span_multi: { match: { fuzzy: { t: 'quack' } } } }, ['0', '1', '2', '3']],
    [
      { span_multi: { match: { prefix: { t: { value: 'f', rewrite: 'top_terms_1' } } } } },
      ['0', '1'],
    ],
    [{ span_multi: { match: { range: { t: { gte: 'fox', lt: 'hound' } } } } }, ['0', '1', '2']],
    [{ span_multi: { match: { range: { t: { gt: 'fox', lt: 'hound' } } } } }, ['2']],
    [{ span_multi: { match: { range: { t: { gt: 'foxes', lte: 'hound' } } } } }, ['1']],
    [{ span_multi: { match: { range: { t: { gt: 'the' } } } } }, []],
    [
      { span_near: { clauses: [{ span_multi: { match: { range: { t: { lt: 'c' } } } } }, fox] } },
      ['0'],
    ],
    [{ span_multi: { match: { range: { gone: { gt: 'x' } } } } }, []],
    [{ span_multi: { match: { prefix: { t: 'x' } } } }, []],
    [{ span_multi: { match: { prefix: { prefixed: 'qui' } } } }, ['0', '1']],
    [{ span_multi: { match: { prefix: { gone: 'x' } } } }, []],
    [
      {
        span_near: { clauses: [brown, { span_multi: { match: { prefix: { t: 'fox' } } } }] },
      },
      ['0', '2'],
    ],
    [
      {
        span_near: {
          clauses: [brown, { field_masking_span: { query: term('fox', 't.stems'), field: 't' } }],
        },
      },
      ['0', '2'],
    ],
    [{ span_field_masking: { query: term('fox', 't.stems'), field: 't' } }, ['0', '1', '2']],
    [term('x', 'gone'), []],
  ])('%j', async (query, expected) => {
    expect(await index.find(query)).toEqual(expected)
    expect(await index.find({ bool: { filter: query } })).toEqual(expected)
    await scored(index, query)
  })

  it.each<[object, string, string]>([
    [quick, 'SpanTermQuery', 't:quick'],
    [
      { span_near: { clauses: [quick, fox], slop: 3, in_order: false } },
      'SpanNearQuery',
      'spanNear([t:quick, t:fox], 3, false)',
    ],
    [{ span_or: { clauses: [quick, fox] } }, 'SpanOrQuery', 'spanOr([t:quick, t:fox])'],
    [{ span_first: { match: fox, end: 4 } }, 'SpanFirstQuery', 'spanFirst(t:fox, 4)'],
    [
      { span_not: { include: fox, exclude: quick, pre: 1, post: 2 } },
      'SpanNotQuery',
      'spanNot(t:fox, t:quick, 1, 2)',
    ],
    [
      { span_containing: { big: fox, little: quick } },
      'SpanContainingQuery',
      'SpanContaining(t:fox, t:quick)',
    ],
    [{ span_within: { big: fox, little: quick } }, 'SpanWithinQuery', 'SpanWithin(t:fox, t:quick)'],
    [
      { span_multi: { match: { prefix: { t: 'fox' } } } },
      'SpanOrQuery',
      'spanOr([t:fox, t:foxes])',
    ],
    [
      { field_masking_span: { query: term('fox', 't.stems'), field: 't' } },
      'FieldMaskingSpanQuery',
      'mask(t.stems:fox) as t',
    ],
    [
      { span_near: { clauses: [quick, { span_gap: { t: 2 } }, fox] } },
      'SpanNearQuery',
      'spanNear([t:quick, SpanGap(t:2), t:fox], 0, true)',
    ],
  ])('print %j', async (query, type, description) => {
    expect(await profiled(index, query)).toEqual([type, description])
  })

  it('count less, the wider they are', async () => {
    const near = { span_near: { clauses: [quick, fox], slop: 4, in_order: false } }
    const outline = outlineOf(await explained(index, near, '0'))
    expect(outline.slice(0, 5)).toEqual([
      'weight(spanNear([t:quick, t:fox], 4, false) in 0) [PerFieldSimilarity], result of:',
      ' score(freq=0.25), computed as boost * idf * tf from:',
      '  idf, sum of:',
      '   idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:',
      '    n, number of documents containing term',
    ])
    expect(outline).toContain('   phraseFreq=0.25')
  })

  it.each<[object, string]>([
    [{ span_near: {} }, 'span_near must include [clauses]'],
    [{ span_near: { clauses: [] } }, '[span_near] must include at least one clause'],
    [
      { span_near: { clauses: [{ term: { t: 'a' } }] } },
      'span_near [clauses] must be of type span query',
    ],
    [
      { span_near: { clauses: [{ span_term: { t: { value: 'a', boost: 2 } } }] } },
      "span_near [clauses] as a nested span clause can't have non-default boost value [2.0]",
    ],
    [
      { span_near: { clauses: [quick, term('a', 'prefixed')] } },
      '[span_near] clauses must have same field',
    ],
    [{ span_near: { clauses: 1 } }, '[span_near] unknown token [VALUE_NUMBER] after [clauses]'],
    [{ span_near: { x: 1 } }, '[span_near] query does not support [x]'],
    [
      { span_near: { clauses: [{ span_gap: { t: 1 } }, quick] } },
      '[span_near] the first clause must not be a gap',
    ],
    [
      { span_near: { clauses: [quick, { span_gap: { t: 1 } }], in_order: false } },
      'Gaps can only be added to ordered near queries',
    ],
    [{ span_gap: { t: -1 } }, '[span_gap] width must not be negative'],
    [{ span_gap: { t: 1 } }, '[span_gap] is a clause of [span_near] alone'],
    [
      { span_or: { clauses: [quick, { span_gap: { t: 1 } }] } },
      '[span_gap] is a clause of [span_near] alone',
    ],
    [{ span_or: {} }, 'span_or must include [clauses]'],
    [{ span_or: { clauses: [] } }, '[span_or] must include at least one clause'],
    [{ span_first: { match: fox } }, 'span_first must have [end] set for it'],
    [{ span_first: { end: 1 } }, 'span_first must have [match] span query clause'],
    [
      { span_first: { match: { match_all: {} }, end: 1 } },
      'span_first [match] must be of type span query',
    ],
    [{ span_not: { exclude: fox } }, 'span_not must have [include] span query clause'],
    [{ span_not: { include: fox } }, 'span_not must have [exclude] span query clause'],
    [
      { span_not: { include: fox, exclude: fox, dist: 1, pre: 1 } },
      'span_not can either use [dist] or [pre] & [post] (or none)',
    ],
    [{ span_containing: { big: fox } }, 'inner clause [little] cannot be null.'],
    [{ span_within: { little: fox } }, 'inner clause [big] cannot be null.'],
    [{ span_multi: {} }, '[span_multi] must have [match] multi term query clause'],
    [
      { span_multi: { match: { term: { t: 'a' } } } },
      '[span_multi] [match] must be of type multi term query',
    ],
    ...(['k', 'n'] as const).map((field): [object, string] => [
      { span_multi: { match: { prefix: { [field]: 'a' } } } },
      `Can only use span prefix queries on text fields - not on [${field}] which is of type ` +
        `[${field === 'k' ? 'keyword' : 'long'}]`,
    ]),
    [
      { field_masking_span: { field: 't' } },
      'field_masking_span must have [query] span query clause',
    ],
    [{ field_masking_span: { query: fox } }, 'field_masking_span must have [field] set for it'],
  ])('refuse %j', async (query, reason) => {
    expect(await index.refusal({ query })).toEqual([400, reason])
  })

  it.each([
    ['docs', 'x'],
    ['k', 'x'],
  ])('need positions, which %s has not', async (field, text) => {
    const { json } = await index.rest.call('POST /i/_search', { query: term(text, field) })
    expect(json.error.failed_shards[0].reason.caused_by).toEqual({
      type: 'illegal_state_exception',
      reason: `field "${field}" was indexed without position data; cannot run SpanTermQuery (term=x)`,
    })
  })

  it('are scored by what they look for, not by what they exclude', async () => {
    const alone = await scored(index, fox)
    const excluding = { span_not: { include: fox, exclude: term('lazy') } }
    expect(await scored(index, excluding)).toEqual(alone)
  })

  it('of another field, alone, are scored as in that field', async () => {
    const masked = { field_masking_span: { query: term('fox', 'prefixed'), field: 't' } }
    expect(await scored(index, masked)).toEqual(await scored(index, term('fox', 'prefixed')))
  })

  it('of a pattern are limited in number', async () => {
    await index.rest.call('PUT /_cluster/settings', {
      transient: { 'indices.query.bool.max_clause_count': 2 },
    })
    const query = { span_multi: { match: { wildcard: { t: '*' } } } }
    expect(await index.refusal({ query })).toEqual([400, 'maxClauseCount is set to 2'])
    await index.rest.call('PUT /_cluster/settings', {
      transient: { 'indices.query.bool.max_clause_count': null },
    })
  })
})
