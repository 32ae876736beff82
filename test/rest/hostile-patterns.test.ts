/**
 * Patterns, regular expressions and texts of query languages that are made to cost: each is answered, with
 * hits or with an error of its own. What takes exponential time, or more states than are allowed, never
 * answers here; what nests without a bound ends in a defect, which the calls throw.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'

let index: FieldIndex
beforeAll(async () => {
  index = await fieldIndex({
    t: { type: 'text' },
    k: { type: 'keyword' },
    w: { type: 'wildcard' },
    c: { type: 'completion' },
    f: { type: 'flat_object' },
  })
  const words = ['a'.repeat(30), 'ab'.repeat(200), 'aba', 'b', '((((', 'sea']
  await index.add(...words.map(k => ({ t: k, k, w: k, c: k, f: { a: k } })))
})
afterAll(() => index.close())

const nest = (open: string, inner: string, close: string, depth: number): string =>
  open.repeat(depth) + inner + close.repeat(depth)

/** Where a search may have a pattern: the place, and the search with it. */
type Place = readonly [name: string, search: (pattern: string) => object]

const query = (name: string, make: (pattern: string) => object): Place => [
  name,
  pattern => ({ query: make(pattern) }),
]

/** Runs a search; errors are of the request, with a type and a reason. */
async function answered(body: object): Promise<string> {
  const { status, json, text } = await index.rest.call('POST /i/_search', body)
  if (status === 200) return 'hits'
  expect(status, text.slice(0, 500)).toBe(400)
  const { type, reason } = json.error.root_cause[0]
  expect(reason).not.toBe('')
  return type
}

const REGEXPS: readonly (readonly [string, string])[] = [
  ['stars within stars', nest('(', 'a*', ')*', 100)],
  ['alternatives that overlap', `(a|aa)*${'(a|ab|aba)'.repeat(60)}c`],
  ['states that double', `.*a${'.'.repeat(60)}`],
  ['repeats of repeats', '((((a{1,99}){1,99}){1,99}){1,99}){1,99}'],
  ['a repeat of any number', 'a{1,2147483647}'],
  ['a repeat beyond integers', 'a{99999999999999999999}'],
  ['complements within complements', nest('~(', 'a.*b', ')', 60)],
  ['an intersection of many', Array.from({ length: 60 }, (_, i) => `.*a.{${i}}`).join('&')],
  ['a range of all', '<0-99999999999999>'],
  ['groups as deep as the text is long', nest('(', 'a', ')', 490)],
  ['groups that do not end', '('.repeat(1000)],
  ['classes that do not end', '['.repeat(1000)],
  ['escapes alone', '\\'.repeat(999)],
]

const REGEXP_PLACES: readonly Place[] = [
  query('regexp', k => ({ regexp: { k } })),
  query('regexp of text', t => ({ regexp: { t: { value: t, case_insensitive: true } } })),
  query('regexp of a wildcard field', w => ({ regexp: { w } })),
  query('regexp of a flat object', pattern => ({ regexp: { 'f.a': pattern } })),
  query('regexp with as many states as there are', value => ({
    regexp: { k: { value, max_determinized_states: 2_147_483_647 } },
  })),
  query('query_string', text => ({ query_string: { query: `k:/${text}/` } })),
  query('intervals', pattern => ({ intervals: { t: { regexp: { pattern } } } })),
  query('span_multi', t => ({ span_multi: { match: { regexp: { t } } } })),
  ['completion', regex => ({ suggest: { s: { regex, completion: { field: 'c' } } } })],
]

describe.each(REGEXP_PLACES)('an expression in %s', (_, search) => {
  it.each(REGEXPS)('answers %s', { timeout: 60_000 }, async (_title, pattern) => {
    expect(await answered(search(pattern))).toBeOneOf(TYPES)
  })
})

const WILDCARDS: readonly (readonly [string, string])[] = [
  ['stars between letters', '*a'.repeat(5000)],
  ['stars and places', `${'*?'.repeat(3000)}b`],
  ['a star ahead of many places', `*a${'?'.repeat(5000)}`],
  ['places alone', '?'.repeat(30_000)],
  ['escapes alone', '\\'.repeat(30_001)],
  ['a pair cut in half', `${'*\ud83d'.repeat(1000)}`],
]

const WILDCARD_PLACES: readonly Place[] = [
  query('wildcard', k => ({ wildcard: { k } })),
  query('wildcard of a wildcard field', w => ({ wildcard: { w } })),
  query('query_string', text => ({ query_string: { query: text, fields: ['k'] } })),
  query('simple_query_string', text => ({
    simple_query_string: { query: text, fields: ['k'], analyze_wildcard: true },
  })),
  query('intervals', pattern => ({ intervals: { t: { wildcard: { pattern } } } })),
  query('names of fields', field => ({ exists: { field } })),
  query('fields of a query', field => ({ multi_match: { query: 'a', fields: [field] } })),
  ['fields', pattern => ({ fields: [pattern], docvalue_fields: [pattern] })],
  ['_source', pattern => ({ _source: { includes: [pattern], excludes: [pattern] } })],
  ['stored_fields', pattern => ({ stored_fields: [pattern] })],
  [
    'highlight',
    pattern => ({ highlight: { fields: { [pattern]: {} } }, query: { match_all: {} } }),
  ],
]

describe.each(WILDCARD_PLACES)('a pattern in %s', (_, search) => {
  it.each(WILDCARDS)('answers %s', { timeout: 60_000 }, async (_title, pattern) => {
    expect(await answered(search(pattern))).toBeOneOf(TYPES)
  })
})

const TEXTS: readonly (readonly [string, string])[] = [
  ['groups as deep as there is room', nest('(', 'a', ')', 16_000)],
  ['groups that do not end', '('.repeat(30_000)],
  ['operators alone', 'AND '.repeat(8000)],
  ['signs alone', '+-!'.repeat(10_000)],
  ['quotes alone', '"'.repeat(30_001)],
  ['phrases of any slop', '"a b"~2147483647 '.repeat(900)],
  ['edits of a long word', `${'a'.repeat(30_000)}~2`],
  ['many words with edits', 'sea~2 '.repeat(1000)],
  ['ranges that do not end', '[a TO '.repeat(5000)],
  ['boosts of boosts', `a${'^2'.repeat(10_000)}`],
  ['fields of fields', 'k:'.repeat(10_000)],
  ['fields by pattern', '*:a '.repeat(500)],
  ['expressions in a row', '/a.*/ '.repeat(900)],
  ['stars ahead of words', '*a '.repeat(900)],
]

const TEXT_PLACES: readonly Place[] = [
  query('query_string', text => ({ query_string: { query: text } })),
  query('query_string, leniently', text => ({
    query_string: { query: text, lenient: true, analyze_wildcard: true, fuzziness: 2 },
  })),
  query('simple_query_string', text => ({ simple_query_string: { query: text, fields: ['*'] } })),
  query('match', text => ({ match: { t: { query: text, fuzziness: 2 } } })),
  query('match_phrase_prefix', text => ({ match_phrase_prefix: { t: text } })),
  query('more_like_this', text => ({ more_like_this: { fields: ['t'], like: text } })),
]

describe.each(TEXT_PLACES)('a text in %s', (_, search) => {
  it.each(TEXTS)('answers %s', { timeout: 60_000 }, async (_title, text) => {
    expect(await answered(search(text))).toBeOneOf(TYPES)
  })
})

/** What may be answered. */
const TYPES = [
  'hits',
  'illegal_argument_exception',
  'query_shard_exception',
  'parsing_exception',
  'parse_exception',
  'x_content_parse_exception',
  'number_format_exception',
  'too_many_clauses',
  'too_many_nested_clauses',
  'json_parse_exception',
  'too_complex_to_determinize_exception',
]
