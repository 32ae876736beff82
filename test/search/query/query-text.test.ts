import { describe, expect, it } from 'vitest'
import { boosted, MATCH_ALL, matchNone, type Query } from '../../../src/search/query/query.ts'
import { classNameOf, queryText } from '../../../src/search/query/query-ops.ts'

const a: Query = { kind: 'term', field: 'f', term: 'a' }
const b: Query = { kind: 'term', field: 'f', term: 'b' }

function bool(...clauses: readonly (readonly [string, Query])[]): Query {
  return {
    kind: 'boolean',
    clauses: clauses.map(([occur, query]) => ({ occur: occur as 'must', query })),
    minimumShouldMatch: 0,
  }
}

describe('a query', () => {
  const range = {
    kind: 'pointRange',
    field: 'f',
    lower: 1n,
    upper: 9n,
    lowerText: '1',
    upperText: '9',
  } as const
  it.each<[Query, string, string]>([
    [a, 'TermQuery', 'f:a'],
    [MATCH_ALL, 'MatchAllDocsQuery', '*:*'],
    [matchNone('unmapped field [x]'), 'MatchNoDocsQuery', 'MatchNoDocsQuery("unmapped field [x]")'],
    [
      bool(['must', a], ['must_not', b], ['filter', a], ['should', b]),
      'BooleanQuery',
      '+f:a -f:b #f:a f:b',
    ],
    [
      bool(['should', a], ['should', bool(['must', a], ['must', b])]),
      'BooleanQuery',
      'f:a (+f:a +f:b)',
    ],
    [
      {
        kind: 'boolean',
        clauses: [
          { occur: 'should', query: a },
          { occur: 'should', query: b },
        ],
        minimumShouldMatch: 2,
      },
      'BooleanQuery',
      '(f:a f:b)~2',
    ],
    [boosted(a, 2), 'BoostQuery', '(f:a)^2.0'],
    [
      { kind: 'phrase', field: 'f', terms: ['a', 'b', 'c'], positions: [0, 2, 3], slop: 2 },
      'PhraseQuery',
      'f:"a ? b c"~2',
    ],
    [
      {
        kind: 'blended',
        terms: [
          { field: 'a', term: 'x', boost: 1 },
          { field: 'b', term: 'x', boost: 2 },
        ],
        tieBreaker: 0,
      },
      'BlendedTermQuery',
      'blended(terms:[a:x, b:x^2.0])',
    ],
    [
      {
        kind: 'combinedFields',
        fields: [
          { field: 'a', weight: 1 },
          { field: 'b', weight: 2 },
        ],
        terms: ['x', 'y'],
        similarity: null,
      },
      'CombinedFieldQuery',
      'CombinedFieldQuery((a b^2.0)(x, y))',
    ],
    [{ kind: 'constantScore', query: a }, 'ConstantScoreQuery', 'ConstantScore(f:a)'],
    [{ kind: 'disMax', queries: [a, b], tieBreaker: 0 }, 'DisjunctionMaxQuery', '(f:a | f:b)'],
    [
      { kind: 'disMax', queries: [a, b], tieBreaker: 0.3 },
      'DisjunctionMaxQuery',
      '(f:a | f:b)~0.3',
    ],
    [
      { ...range, indexed: true, docValues: true },
      'IndexOrDocValuesQuery',
      'IndexOrDocValuesQuery(indexQuery=f:[1 TO 9], dvQuery=f:[1 TO 9])',
    ],
    [{ ...range, indexed: true, docValues: false }, 'PointRangeQuery', 'f:[1 TO 9]'],
    [
      {
        kind: 'termRange',
        field: 'f',
        lower: 'a',
        upper: 'b',
        includeLower: true,
        includeUpper: false,
      },
      'MultiTermQueryConstantScoreBlendedWrapper',
      'f:[a TO b}',
    ],
    [
      { kind: 'prefix', field: 'f', prefix: 'ab' },
      'MultiTermQueryConstantScoreBlendedWrapper',
      'f:ab*',
    ],
    [{ kind: 'termsInSet', field: 'f', terms: ['a', 'b', 'c'] }, 'TermInSetQuery', 'f:(a b c)'],
    [
      { kind: 'fieldExists', field: 'f', listed: false },
      'FieldExistsQuery',
      'FieldExistsQuery [field=f]',
    ],
    [{ kind: 'ids', ids: ['1', '42'] }, 'TermInSetQuery', '_id:([fe 1f] [fe 42])'],
  ])('names its query', (query, type, description) => {
    expect(classNameOf(query)).toBe(type)
    expect(queryText(query)).toBe(description)
  })

  it('brackets booleans inside dis_max and boosts', () => {
    const both = bool(['should', a], ['should', b])
    expect(queryText({ kind: 'disMax', queries: [both, a], tieBreaker: 0 })).toBe(
      '((f:a f:b) | f:a)',
    )
    expect(queryText(boosted(both, 0.5))).toBe('(f:a f:b)^0.5')
  })
})
