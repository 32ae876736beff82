/** The type and the description of each query in profiles, as the specification's table gives them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'

let index: FieldIndex
beforeAll(async () => {
  const analysis = {
    filter: {
      pairs: { type: 'synonym', synonyms: ['b, a'] },
      paths: { type: 'synonym_graph', synonyms: ['usa, united states'] },
    },
    analyzer: {
      pairs: { tokenizer: 'whitespace', filter: ['pairs'] },
      paths: { tokenizer: 'whitespace', filter: ['paths'] },
      gaps: { tokenizer: 'whitespace', filter: ['stop'] },
    },
  }
  const properties = {
    f: { type: 'text' },
    g: { type: 'text' },
    pairs: { type: 'text', analyzer: 'pairs' },
    paths: { type: 'text', analyzer: 'paths' },
    gaps: { type: 'text', analyzer: 'gaps' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    points: { type: 'long', doc_values: false },
    column: { type: 'long', index: false },
    d: { type: 'date' },
    b: { type: 'boolean' },
    s: { type: 'nested', properties: { t: { type: 'keyword' } } },
  }
  index = await fieldIndex(properties, null, { analysis })
  const numbers = { n: 5, points: 5, column: 5, b: true }
  await index.add(
    { f: 'word a b c', g: 'x', k: 'abc', ...numbers, d: '2024-01-01', s: [{ t: 'x' }] },
    { f: 'abd abc', pairs: 'a c', paths: 'the usa', gaps: 'c the d', k: 'abd', d: '2025-01-01' },
  )
})
afterAll(() => index.close())

interface Node {
  readonly type: string
  readonly description: string
  readonly children?: readonly Node[]
}

async function nodeOf(query: object, size = 10): Promise<Node> {
  const body = { query, profile: true, size, track_total_hits: true }
  const { json, text } = await index.rest.call('POST /i/_search', body)
  expect(json.error, text).toBeUndefined()
  return json.profile.shards[0].searches[0].query[0]
}

const a = { term: { f: 'a' } }
const b = { term: { f: 'b' } }
const c = { term: { f: 'c' } }
const x = { term: { g: 'x' } }

/** What a row is of, the query, its type, its description, and the descriptions of its children. */
type Row = readonly [string, object, string, string, ...string[]]

const ROWS: readonly Row[] = [
  ['a term', { term: { f: 'word' } }, 'TermQuery', 'f:word'],
  ['a single-token match', { match: { f: 'word' } }, 'TermQuery', 'f:word'],
  ['a match of several tokens', { match: { f: 'a b' } }, 'BooleanQuery', 'f:a f:b', 'f:a', 'f:b'],
  [
    'all occurs of a bool',
    { bool: { should: a, must: b, must_not: x, filter: c } },
    'BooleanQuery',
    '+f:b -g:x f:a #f:c',
    ...['f:b', 'g:x', 'f:a', 'f:c'],
  ],
  [
    'a bool in a bool',
    { bool: { must: [a, { bool: { should: [b, c] } }] } },
    'BooleanQuery',
    '+f:a +(f:b f:c)',
    ...['f:a', 'f:b f:c'],
  ],
  [
    'a minimum of clauses',
    { bool: { should: [a, b, c], minimum_should_match: 2 } },
    'BooleanQuery',
    '(f:a f:b f:c)~2',
    ...['f:a', 'f:b', 'f:c'],
  ],
  ['a boosted leaf', { term: { f: { value: 'a', boost: 2 } } }, 'BoostQuery', '(f:a)^2.0'],
  [
    'a boosted bool',
    { bool: { should: [a, b], boost: 2 } },
    'BoostQuery',
    '(f:a f:b)^2.0',
    ...['f:a', 'f:b'],
  ],
  ['a phrase', { match_phrase: { f: 'a b' } }, 'PhraseQuery', 'f:"a b"'],
  ['a phrase with a gap', { match_phrase: { gaps: 'c the d' } }, 'PhraseQuery', 'gaps:"c ? d"'],
  [
    'a sloppy phrase',
    { match_phrase: { f: { query: 'a b', slop: 2 } } },
    'PhraseQuery',
    'f:"a b"~2',
  ],
  [
    'a phrase with stacked tokens',
    { match_phrase: { pairs: 'a c' } },
    'MultiPhraseQuery',
    'pairs:"(a b) c"',
  ],
  [
    'a phrase prefix, which is rewritten to the terms that it finds',
    { match_phrase_prefix: { f: 'abd ab' } },
    'MultiPhraseQuery',
    'f:"abd (abc abd)"',
  ],
  // No token filter of release 3.6 weighs tokens (its `CommonAnalysisModulePlugin` has none), so that no
  // request makes a synonym with the boost that the table has.
  [
    'synonyms at one position',
    { match: { pairs: 'b' } },
    'SynonymQuery',
    'Synonym(pairs:a pairs:b)',
  ],
  [
    'a graph of synonyms',
    { match: { paths: 'the usa' } },
    'BooleanQuery',
    'paths:the paths:"united states" paths:usa',
    ...['paths:the', 'paths:"united states"', 'paths:usa'],
  ],
  [
    'a graph of synonyms in a phrase',
    { match_phrase: { paths: 'the usa' } },
    'SpanNearQuery',
    'spanNear([paths:the, spanOr([spanNear([paths:united, paths:states], 0, true), paths:usa])], 0, true)',
  ],
  [
    'constant_score',
    { constant_score: { filter: a } },
    'ConstantScoreQuery',
    'ConstantScore(f:a)',
    'f:a',
  ],
  ['match_all', { match_all: {} }, 'MatchAllDocsQuery', '*:*'],
  [
    'match_none',
    { match_none: {} },
    'MatchNoDocsQuery',
    'MatchNoDocsQuery("User requested "match_none" query.")',
  ],
  [
    'an unmapped field',
    { term: { nowhere: 1 } },
    'MatchNoDocsQuery',
    'MatchNoDocsQuery("unmapped field [nowhere]")',
  ],
  [
    'an analysis that leaves nothing',
    { match: { f: '' } },
    'MatchNoDocsQuery',
    'MatchNoDocsQuery("Matching no documents because no terms present")',
  ],
  [
    'a range of numbers',
    { range: { n: { gte: 1, lte: 9 } } },
    'IndexOrDocValuesQuery',
    'IndexOrDocValuesQuery(indexQuery=n:[1 TO 9], dvQuery=n:[1 TO 9])',
  ],
  [
    'a range of dates',
    { range: { d: { lt: '2024-02-01' } } },
    'IndexOrDocValuesQuery',
    'IndexOrDocValuesQuery(indexQuery=d:[-9223372036854775808 TO 1706745599999], ' +
      'dvQuery=d:[-9223372036854775808 TO 1706745599999])',
  ],
  [
    'a range of numbers without doc values',
    { range: { points: { gte: 1, lte: 9 } } },
    'PointRangeQuery',
    'points:[1 TO 9]',
  ],
  [
    'a range of numbers without points',
    { range: { column: { gte: 1, lte: 9 } } },
    'SortedNumericDocValuesRangeQuery',
    'column:[1 TO 9]',
  ],
  [
    'a range of keywords',
    { range: { k: { gte: 'a', lt: 'b' } } },
    'MultiTermQueryConstantScoreBlendedWrapper',
    'k:[a TO b}',
  ],
  [
    'a number',
    { term: { n: 5 } },
    'IndexOrDocValuesQuery',
    'IndexOrDocValuesQuery(indexQuery=n:[5 TO 5], dvQuery=n:[5 TO 5])',
  ],
  ['a number without doc values', { term: { points: 5 } }, 'PointRangeQuery', 'points:[5 TO 5]'],
  ['a boolean', { term: { b: true } }, 'TermQuery', 'b:T'],
  ['a prefix', { prefix: { k: 'ab' } }, 'MultiTermQueryConstantScoreBlendedWrapper', 'k:ab*'],
  [
    'a wildcard',
    { wildcard: { k: 'a*b?' } },
    'MultiTermQueryConstantScoreBlendedWrapper',
    'k:a*b?',
  ],
  [
    'a regular expression',
    { regexp: { k: 'ab+' } },
    'MultiTermQueryConstantScoreBlendedWrapper',
    'k:/ab+/',
  ],
  [
    'a fuzzy term',
    { fuzzy: { f: { value: 'abc', fuzziness: 1 } } },
    'BooleanQuery',
    'f:abc (f:abd)^0.6666666',
    ...['f:abc', '(f:abd)^0.6666666'],
  ],
  [
    'a fuzzy term that finds one',
    { fuzzy: { f: { value: 'wore', fuzziness: 1 } } },
    'BoostQuery',
    '(f:word)^0.75',
  ],
  ['terms', { terms: { k: ['a', 'b', 'c'] } }, 'TermInSetQuery', 'k:(a b c)'],
  [
    'ids',
    { ids: { values: ['0', '1'] } },
    'ConstantScoreQuery',
    'ConstantScore(_id:([fe f] [fe 1f]))',
    '_id:([fe f] [fe 1f])',
  ],
  [
    'exists',
    { exists: { field: 'f' } },
    'ConstantScoreQuery',
    'ConstantScore(FieldExistsQuery [field=f])',
    'FieldExistsQuery [field=f]',
  ],
  ['dis_max', { dis_max: { queries: [a, x] } }, 'DisjunctionMaxQuery', '(f:a | g:x)', 'f:a', 'g:x'],
  [
    'dis_max with a tie breaker',
    { dis_max: { tie_breaker: 0.3, queries: [a, x] } },
    'DisjunctionMaxQuery',
    '(f:a | g:x)~0.3',
    ...['f:a', 'g:x'],
  ],
  [
    'multi_match of the best field',
    { multi_match: { query: 'x', fields: ['f', 'g'] } },
    'DisjunctionMaxQuery',
    '(f:x | g:x)',
    ...['f:x', 'g:x'],
  ],
  [
    'function_score',
    { function_score: { query: a, functions: [{ filter: b, weight: 2 }] } },
    'FunctionScoreQuery',
    'function score (f:a, functions: [{filter(f:b), function [weight(2.0) of one]}])',
    ...['f:a', 'f:b'],
  ],
  [
    'script_score',
    { script_score: { query: a, script: '1' } },
    'ScriptScoreQuery',
    "script_score (f:a, script: {Script{type=inline, lang='painless', idOrCode='1', options={}, params={}}})",
    'f:a',
  ],
  [
    'nested',
    { nested: { path: 's', query: { term: { 's.t': 'x' } } } },
    'OpenSearchToParentBlockJoinQuery',
    'ToParentBlockJoinQuery (ConstantScore(s.t:x))',
    'ConstantScore(s.t:x)',
  ],
  [
    'boosting',
    { boosting: { positive: a, negative: b, negative_boost: 0.5 } },
    'FunctionScoreQuery',
    'FunctionScoreQuery(f:a, scored by boost(queryboost(score(f:b))^0.5))',
    ...['f:a', 'f:b'],
  ],
  [
    'hybrid',
    { hybrid: { queries: [a, { match: { f: 'b c' } }, { term: { n: 5 } }] } },
    'HybridQuery',
    '(f:a | (f:b f:c) | IndexOrDocValuesQuery(indexQuery=n:[5 TO 5], dvQuery=n:[5 TO 5]))',
    'f:a',
    'f:b f:c',
    'IndexOrDocValuesQuery(indexQuery=n:[5 TO 5], dvQuery=n:[5 TO 5])',
  ],
  ['a bool of one clause', { bool: { must: a } }, 'TermQuery', 'f:a'],
  [
    'a bool of filters alone',
    { bool: { filter: a } },
    'BoostQuery',
    '(ConstantScore(f:a))^0.0',
    'f:a',
  ],
  [
    'match_all that must match beside a filter',
    { bool: { must: { match_all: {} }, filter: a } },
    'ConstantScoreQuery',
    'ConstantScore(f:a)',
    'f:a',
  ],
]

for (const [title, query, type, description, ...children] of ROWS)
  it(title, async () => {
    const node = await nodeOf(query)
    expect([node.type, node.description]).toEqual([type, description])
    expect((node.children ?? []).map(child => child.description)).toEqual(children)
  })

it.each([
  ['f', 'abd ab', 'f:"abd ab*"', 'f:"abd (abc abd)"'],
  ['pairs', 'c a', 'pairs:"c (a* b*)"', 'pairs:"c (a b)"'],
])(
  'prints a phrase prefix as a validation does until it is rewritten: %s: %s',
  async (field, text, made, rewritten) => {
    const query = { match_phrase_prefix: { [field]: text } }
    for (const [rewrite, expected] of [
      [false, made],
      [true, rewritten],
    ]) {
      const line = `POST /i/_validate/query?explain=true&rewrite=${rewrite}`
      const { json } = await index.rest.call(line, { query })
      expect(json.explanations[0].explanation).toBe(expected)
    }
  },
)

it('is wrapped where nothing is scored', async () => {
  const node = await nodeOf({ match: { f: 'a b' } }, 0)
  expect([node.type, node.description]).toEqual(['ConstantScoreQuery', 'ConstantScore(f:a f:b)'])
  expect(node.children?.map(({ type, description }) => [type, description])).toEqual([
    ['BooleanQuery', 'f:a f:b'],
  ])
})
