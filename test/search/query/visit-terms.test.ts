import { describe, expect, it } from 'vitest'
import type { Query } from '../../../src/search/query/query.ts'
import { visitTerms } from '../../../src/search/query/query-ops.ts'
import type { TermVisitor } from '../../../src/search/query/term-visitor.ts'

const WORDS = ['sea', 'seal', 'see', 'wolf', 'wo']

/** The visited terms of a query, a line each; its weight is in front. */
function told(query: Query): string[] {
  const lines: string[] = []
  const visitor = (weight: number): TermVisitor => ({
    term: (field, term) => void lines.push(`${weight} ${field}:${term}`),
    termsLike: (field, label, accepts) =>
      void lines.push(`${weight} ${field} like ${label}: ${WORDS.filter(accepts).join()}`),
    phrase: ({ field, terms, slop, isPrefix }) =>
      void lines.push(`${weight} ${field} "${terms.join(' ')}"~${slop}${isPrefix ? '*' : ''}`),
    span: (field, span) => void lines.push(`${weight} ${field} span ${span.kind}`),
    intervals: (field, source) => void lines.push(`${weight} ${field} intervals ${source.kind}`),
    boosted: factor => visitor(weight * factor),
  })
  visitTerms(query, visitor(1))
  return lines
}

const term = (text: string): Query => ({ kind: 'term', field: 'f', term: text })
const rewrite = { kind: 'constant' } as const

describe('what a query looks for in texts', () => {
  it.each<[Query, readonly string[]]>([
    [term('sea'), ['1 f:sea']],
    [{ kind: 'synonym', field: 'f', terms: ['a', 'b'] }, ['1 f:a', '1 f:b']],
    [
      {
        kind: 'blended',
        terms: [
          { field: 'f', term: 'a', boost: 1 },
          { field: 'g', term: 'a', boost: 3 },
        ],
        tieBreaker: 0,
      },
      ['1 f:a', '3 g:a'],
    ],
    [
      {
        kind: 'combinedFields',
        fields: [
          { field: 'f', weight: 2 },
          { field: 'g', weight: 1 },
        ],
        terms: ['a', 'b'],
        similarity: null,
      },
      ['2 f:a', '2 f:b', '1 g:a', '1 g:b'],
    ],
    [{ kind: 'termsInSet', field: 'f', terms: ['sea'] }, ['1 f:sea']],
    [{ kind: 'termsInSet', field: 'f', terms: ['sea', 'wo'] }, ['1 f like f:(sea wo): sea,wo']],
    [{ kind: 'prefix', field: 'f', prefix: 'se' }, ['1 f like f:se*: sea,seal,see']],
    [
      {
        kind: 'pattern',
        field: 'f',
        start: '',
        pattern: { kind: 'wildcard', text: 's?a*' },
        ignoresCase: false,
        rewrite,
      },
      ['1 f like f:s?a*: sea,seal'],
    ],
    [
      {
        kind: 'fuzzy',
        field: 'f',
        start: '',
        term: 'sea',
        maxEdits: 1,
        prefixLength: 0,
        transpositions: true,
        rewrite,
      },
      ['1 f like f:sea~1: sea,seal,see'],
    ],
    [
      {
        kind: 'termRange',
        field: 'f',
        lower: 'sea',
        upper: 'wo',
        includeLower: false,
        includeUpper: true,
      },
      ['1 f like f:{sea TO wo]: seal,see,wo'],
    ],
    [
      { kind: 'phrase', field: 'f', terms: ['a', 'b'], positions: [0, 1], slop: 2 },
      ['1 f "a b"~2'],
    ],
    [
      {
        kind: 'phrasePrefix',
        field: 'f',
        terms: [['a'], ['b', 'c']],
        positions: [0, 1],
        slop: 0,
        maxExpansions: 50,
      },
      ['1 f "a b,c"~0*'],
    ],
    [
      { kind: 'multiPhrase', field: 'f', terms: [['a', 'b'], ['c']], positions: [0, 1], slop: 0 },
      ['1 f "a,b c"~0'],
    ],
    [{ kind: 'span', field: 'f', span: { kind: 'term', term: 'a' } }, ['1 f span term']],
    [
      { kind: 'positionIntervals', field: 'f', source: { kind: 'term', term: 'a' } },
      ['1 f intervals term'],
    ],
  ])('is told: %j', (query, lines) => {
    expect(told(query)).toEqual(lines)
  })

  it('is that of the queries within, but for those that must not match or only count', () => {
    const inner = (name: string): Query => ({ kind: 'boost', query: term(name), boost: 2 })
    const query: Query = {
      kind: 'boolean',
      clauses: [
        { occur: 'must', query: { kind: 'constantScore', query: inner('must') } },
        { occur: 'filter', query: inner('filter') },
        { occur: 'must_not', query: inner('must_not') },
        {
          occur: 'should',
          query: {
            kind: 'boosting',
            positive: inner('positive'),
            negative: inner('negative'),
            negativeBoost: 0.5,
          },
        },
        {
          occur: 'should',
          query: { kind: 'disMax', queries: [inner('first'), inner('second')], tieBreaker: 0 },
        },
        {
          occur: 'should',
          query: { kind: 'blockJoin', query: inner('nested'), parentPath: null, scoreMode: 'none' },
        },
      ],
      minimumShouldMatch: 0,
    }
    expect(told({ kind: 'boost', query, boost: 3 })).toEqual(
      ['must', 'filter', 'positive', 'first', 'second', 'nested'].map(name => `6 f:${name}`),
    )
  })

  it('is nothing where a query is about other things', () => {
    expect(told({ kind: 'matchAll' })).toEqual([])
    expect(told({ kind: 'ids', ids: ['a'] })).toEqual([])
    expect(told({ kind: 'fieldExists', field: 'f', listed: false })).toEqual([])
  })
})
