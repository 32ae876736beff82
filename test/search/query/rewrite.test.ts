import { describe, expect, it } from 'vitest'
import { boosted, MATCH_ALL, matchNone, type Query } from '../../../src/search/query/query.ts'
import { queryText, rewrite } from '../../../src/search/query/query-ops.ts'
import type { Occur } from '../../../src/search/weight/weight-node.ts'
import { Random } from '../../../src/util/random.ts'
import { Oracle } from '../../support/oracle.ts'
import { randomDocument, randomQuery } from '../../support/random-search.ts'

const a: Query = { kind: 'term', field: 'f', term: 'a' }
const b: Query = { kind: 'term', field: 'f', term: 'b' }
const c: Query = { kind: 'term', field: 'f', term: 'c' }

function bool(minimumShouldMatch: number, ...clauses: readonly (readonly [Occur, Query])[]): Query {
  return {
    kind: 'boolean',
    clauses: clauses.map(([occur, query]) => ({ occur, query })),
    minimumShouldMatch,
  }
}

describe('rewrite', () => {
  it('keeps documents, and scores up to the rounding of sums', () => {
    const random = new Random(11)
    const documents = Array.from({ length: 150 }, (_, id) => randomDocument(random, id, 0))
    const oracle = new Oracle(documents)
    for (let i = 0; i < 400; i++) {
      const query = randomQuery(random, 4)
      const [before, after] = [oracle.search(query), oracle.search(rewrite(query, true))]
      const title = queryText(query)
      const byDoc = new Map(after.map(({ doc, score }) => [doc, score]))
      expect([...byDoc.keys()].sort(), title).toEqual(before.map(({ doc }) => doc).sort())
      for (const { doc, score } of before) expect(byDoc.get(doc), title).toBeCloseTo(score, 4)
      const unscored = oracle.search(rewrite(query, false)).map(({ doc }) => doc)
      expect(unscored.sort(), title).toEqual([...byDoc.keys()].sort())
    }
  })

  it('settles in one walk however deep the query is', () => {
    // Walked once for each level it would take hours.
    let query: Query = a
    for (let i = 0; i < 400; i++) query = bool(0, ['must', query], ['filter', b])
    expect(queryText(rewrite(query, true))).toBe('+f:a #f:b')
  })

  it.each<[string, Query, string]>([
    ['collapses a single must', bool(0, ['must', a]), 'f:a'],
    ['collapses a single should', bool(1, ['should', a]), 'f:a'],
    ['scores a lone filter 0', bool(0, ['filter', a]), '(ConstantScore(f:a))^0.0'],
    [
      'matches nothing with only prohibited clauses',
      bool(0, ['must_not', a]),
      'MatchNoDocsQuery("pure negative BooleanQuery")',
    ],
    [
      'passes on a required clause that matches nothing',
      bool(0, ['must', matchNone('x')], ['should', a]),
      'MatchNoDocsQuery("x")',
    ],
    [
      'drops an optional clause that matches nothing',
      bool(0, ['must', a], ['should', matchNone('x')]),
      'f:a',
    ],
    ['drops repeated filters', bool(0, ['must', a], ['filter', b], ['filter', b]), '+f:a #f:b'],
    [
      'merges repeated shoulds',
      bool(1, ['should', a], ['should', b], ['should', a]),
      '((f:a)^2.0 f:b)~1',
    ],
    [
      'keeps repeats where several must match',
      bool(2, ['should', a], ['should', b], ['should', a]),
      '(f:a f:b f:a)~2',
    ],
    [
      'drops a filter that is a must too',
      bool(0, ['must', a], ['filter', a], ['must', b]),
      '+f:a +f:b',
    ],
    [
      'makes a must of a filter that is a should too',
      bool(0, ['filter', a], ['should', a], ['should', b]),
      '+f:a f:b',
    ],
    [
      'matches nothing when required and prohibited',
      bool(0, ['must', a], ['must_not', a]),
      'MatchNoDocsQuery("FILTER or MUST clause also in MUST_NOT")',
    ],
    ['drops a match-all filter beside a must', bool(0, ['must', a], ['filter', MATCH_ALL]), 'f:a'],
    [
      'scores a match-all over filters by a constant',
      bool(0, ['must', MATCH_ALL], ['filter', a], ['filter', b]),
      'ConstantScore(#f:a #f:b)',
    ],
    [
      'flattens nested disjunctions',
      bool(0, ['should', a], ['should', bool(0, ['should', b], ['should', c])]),
      'f:a f:b f:c',
    ],
    [
      'requires all shoulds when so many must match',
      bool(2, ['should', a], ['should', b]),
      '+f:a +f:b',
    ],
    [
      'inlines a required conjunction',
      bool(0, ['must', bool(0, ['must', a], ['must_not', b])], ['must', c]),
      '+f:a -f:b +f:c',
    ],
    [
      'matches nothing when more must match than there are',
      bool(3, ['should', a], ['should', b]),
      'MatchNoDocsQuery("SHOULD clause count less than minimumNumberShouldMatch")',
    ],
    ['multiplies nested boosts', boosted(boosted(a, 2), 3), '(f:a)^6.0'],
    [
      'makes a term of a phrase of one word',
      { kind: 'phrase', field: 'f', terms: ['a'], positions: [3], slop: 0 },
      'f:a',
    ],
    [
      'takes a dis_max of one',
      { kind: 'disMax', queries: [matchNone('x'), a], tieBreaker: 0 },
      'f:a',
    ],
    [
      'makes a constant term of a set of one',
      { kind: 'termsInSet', field: 'f', terms: ['a'] },
      'ConstantScore(f:a)',
    ],
  ])('%s', (_title, query, text) => {
    expect(queryText(rewrite(query, true))).toBe(text)
  })

  it('wraps a query without scores, its musts being filters and its lone shoulds gone', () => {
    const query = bool(0, ['must', a], ['filter', b], ['should', c])
    expect(queryText(rewrite(query, false))).toBe('ConstantScore(#f:a #f:b)')
    expect(queryText(rewrite(boosted(a, 3), false))).toBe('ConstantScore(f:a)')
    expect(queryText(rewrite(matchNone('x'), false))).toBe('MatchNoDocsQuery("x")')
  })
})
