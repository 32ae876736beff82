import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prepareSearch, rewriteSearch } from '../../../src/parallel/prepare.ts'
import { reduceSlices } from '../../../src/parallel/reduce.ts'
import { runSlice } from '../../../src/parallel/run-slice.ts'
import { cutSlices } from '../../../src/parallel/slices.ts'
import { SearchControl } from '../../../src/search/collector/search-control.ts'
import type {
  FuzzyQuery,
  PatternQuery,
  Query,
  TermRewrite,
} from '../../../src/search/query/query.ts'
import { onShard, queryText } from '../../../src/search/query/query-ops.ts'
import type { Leaf } from '../../../src/segment/leaf.ts'
import { LevenshteinAutomaton } from '../../../src/util/automaton/levenshtein.ts'
import { Oracle } from '../../support/oracle.ts'
import { type PlainDocument, plainLeaf } from '../../support/plain-leaf.ts'
import { editDistance } from '../../support/plain-terms.ts'
import { searchPlan } from '../../support/search-plan.ts'
import { testArena } from '../../support/test-arena.ts'

const arena = testArena(8 << 20)
const FIELDS = { text: ['body'], keywords: ['tag'], numbers: [] }

/** Few letters, of one to four bytes each, so that words are often alike. */
const letter = fc.constantFrom('a', 'a', 'b', 'b', 'B', 'c', 'é', '語', '🦊')
const word = fc.array(letter, { minLength: 1, maxLength: 6 }).map(letters => letters.join(''))

const document = fc.record({
  body: fc.array(word, { maxLength: 12 }),
  tag: fc.array(word, { maxLength: 3 }),
  isLive: fc.constantFrom(true, true, true, true, false),
})

const rewrite: fc.Arbitrary<TermRewrite> = fc.oneof(
  fc.constant<TermRewrite>({ kind: 'constant' }),
  fc
    .constantFrom('constantClauses', 'scoringClauses')
    .map((kind): TermRewrite => ({ kind, max: 9999 })),
  fc
    .tuple(
      fc.constantFrom('topTerms', 'topTermsBoost', 'topTermsBlended'),
      fc.integer({ min: 1, max: 30 }),
    )
    .map(([kind, max]): TermRewrite => ({ kind, max })),
)

const wildcard = fc
  .array(fc.oneof(letter, fc.constantFrom('*', '*', '?', '\\a', '\\*')), { maxLength: 6 })
  .map(parts => ({ kind: 'wildcard', text: parts.join('') }) as const)
const operators = {
  intersection: true,
  complement: false,
  empty: true,
  anyString: true,
  interval: true,
}
const atom = fc.oneof(letter, fc.constantFrom('.', '[a-c]', '[^ab]', '[é語]', '(a|bc)', '(b|c)'))
const regexp = fc
  .array(fc.tuple(atom, fc.constantFrom('', '', '', '*', '+', '?', '{1,2}', '{2}', '|')), {
    minLength: 1,
    maxLength: 5,
  })
  .map(parts => {
    const text = parts.map(([part, repeat]) => part + repeat).join('')
    // There is no empty alternative.
    const whole = text.endsWith('|') ? `${text}a` : text
    return { kind: 'regexp', text: whole, operators, maxStates: 10_000 } as const
  })
const literal = fc
  .tuple(fc.constantFrom('term', 'prefix'), fc.oneof(word, fc.constant('')))
  .map(([kind, text]) => ({ kind, text }) as const)
const field = fc.constantFrom('body', 'tag')
const start = fc.constantFrom('', '', '', 'a', '語b')

const pattern: fc.Arbitrary<PatternQuery> = fc.record({
  kind: fc.constant('pattern'),
  field,
  start,
  pattern: fc.oneof(wildcard, wildcard, regexp, regexp, literal),
  ignoresCase: fc.constant(false),
  rewrite,
})
const fuzzy: fc.Arbitrary<FuzzyQuery> = fc.record({
  kind: fc.constant('fuzzy'),
  field,
  start,
  term: word,
  maxEdits: fc.constantFrom(0, 1, 2),
  prefixLength: fc.integer({ min: 0, max: 3 }),
  transpositions: fc.boolean(),
  rewrite,
})
const asked: fc.Arbitrary<Query> = fc
  .tuple(fc.oneof(pattern, fuzzy), fc.constantFrom('plain', 'boosted', 'required', 'filter', 'not'))
  .map(([query, place]): Query => {
    if (place === 'plain') return query
    if (place === 'boosted') return { kind: 'boost', query, boost: 2.5 }
    if (place === 'filter') return { kind: 'constantScore', query }
    const term: Query = { kind: 'term', field: 'body', term: 'a' }
    const clauses = [
      { occur: 'should' as const, query: term },
      { occur: place === 'not' ? ('must_not' as const) : ('must' as const), query },
    ]
    return { kind: 'boolean', clauses, minimumShouldMatch: 0 }
  })

function hitsOf(query: Query, leaves: readonly Leaf[], slices: number, profiled: boolean): unknown {
  const plan = searchPlan(query, { topCount: 40, trackTotalHits: Number.POSITIVE_INFINITY })
  const prepared = prepareSearch(rewriteSearch(plan), leaves)
  const cut = cutSlices(
    leaves.map(leaf => leaf.maxDoc),
    { maxSliceCount: slices, intraSegment: 'none', intraSegmentMinDocs: 1 },
  )
  const control = new SearchControl()
  const results = cut.map((slice, sliceId) => {
    const { weight, spec } = prepared
    const profile = profiled ? ({ sampling: 'calibrated', perLeaf: true } as const) : null
    const task = { sliceId, slice, weight, spec, profile, kernels: true, reports: false, queued: 1 }
    return runSlice(structuredClone(task), ord => leaves[ord] as Leaf, control, -1).result
  })
  const { hits, total } = reduceSlices(prepared.spec, results, [])
  return { hits: hits.map(({ globalDoc, score }) => [globalDoc, score]), total }
}

describe('patterns and fuzzy terms', () => {
  it('find and score what a plain comparison with every term says, in any slices', () => {
    fc.assert(
      fc.property(
        fc.array(document, { minLength: 1, maxLength: 120 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 }),
        fc.array(asked, { minLength: 12, maxLength: 12 }),
        (sources, sizes, queries) => {
          arena.clear()
          const documents = sources.map(
            ({ body, tag, isLive }, id): PlainDocument => ({
              id: `d${id}`,
              text: new Map(body.length === 0 ? [] : [['body', body]]),
              keywords: new Map(tag.length === 0 ? [] : [['tag', [...new Set(tag)]]]),
              numbers: new Map(),
              isLive,
            }),
          )
          const leaves: Leaf[] = []
          for (let docBase = 0; docBase < documents.length; ) {
            const part = documents.slice(docBase, docBase + sizes[leaves.length % sizes.length]!)
            const place = { uid: leaves.length, ord: leaves.length, docBase }
            leaves.push(plainLeaf(arena, part, FIELDS, place))
            docBase += part.length
          }
          const oracle = new Oracle(documents)
          for (const query of queries) {
            const matches = oracle.search(rewriteSearch(searchPlan(query, {})).query)
            const expected = {
              hits: matches.slice(0, 40).map(({ doc, score }) => [doc, score]),
              total: { value: matches.length, relation: 'eq' },
            }
            const title = JSON.stringify(query)
            expect(hitsOf(query, leaves, 1, false), title).toEqual(expected)
            expect(hitsOf(query, leaves, 3, true), title).toEqual(expected)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('print as Lucene does', () => {
    const rewrite = { kind: 'constant' } as const
    const of = (pattern: PatternQuery['pattern']): string =>
      queryText({ kind: 'pattern', field: 'f', start: '', pattern, ignoresCase: false, rewrite })
    expect(of({ kind: 'wildcard', text: 'a*b?' })).toBe('f:a*b?')
    expect(of({ kind: 'prefix', text: 'ab' })).toBe('f:ab*')
    expect(of({ kind: 'regexp', text: 'ab+', operators, maxStates: 9 })).toBe('f:/ab+/')
    const base = { kind: 'fuzzy', field: 'f', start: '', term: 'ab', prefixLength: 0 } as const
    expect(queryText({ ...base, maxEdits: 2, transpositions: true, rewrite })).toBe('f:ab~2')
  })

  it('refuse more terms than clauses are allowed', () => {
    arena.clear()
    const keywords = new Map([['tag', ['a', 'b', 'c']]])
    const one: PlainDocument = {
      id: '0',
      text: new Map(),
      keywords,
      numbers: new Map(),
      isLive: true,
    }
    const leaf = plainLeaf(arena, [one], FIELDS, { uid: 0, ord: 0, docBase: 0 })
    const query: PatternQuery = {
      kind: 'pattern',
      field: 'tag',
      start: '',
      pattern: { kind: 'wildcard', text: '*' },
      ignoresCase: false,
      rewrite: { kind: 'scoringClauses', max: 2 },
    }
    expect(() => onShard(query, [leaf])).toThrow('maxClauseCount is set to 2')
  })
})

describe('LevenshteinAutomaton', () => {
  it('counts the edits that a table of distances counts', () => {
    fc.assert(
      fc.property(word, word, fc.constantFrom(0, 1, 2), fc.boolean(), (a, b, max, swaps) => {
        const points = (text: string): number[] => [...text].map(char => char.codePointAt(0)!)
        const edits = editDistance([...a], [...b], swaps)
        const automaton = new LevenshteinAutomaton(points(a), max, 0, swaps)
        expect(automaton.editsTo(points(b))).toBe(edits > max ? -1 : edits)
      }),
      { numRuns: 3000 },
    )
  })
})
