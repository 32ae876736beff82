import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, indexOf, refusal } from '../support/field-life.ts'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
let index: FieldIndex
const SEARCH = 'POST /i/_search'
const QSE = '400 query_shard_exception: '

const properties = {
  t: { type: 'text', fields: { exact: { type: 'keyword' } } },
  u: { type: 'text' },
  k: { type: 'keyword' },
  n: { type: 'long' },
  d: { type: 'date' },
  book: { properties: { title: { type: 'text' }, name: { type: 'text' } } },
}
const DOCUMENTS: Readonly<Record<string, object>> = {
  1: { t: 'quick brown fox', u: 'red', k: 'A b', n: 5, d: '2024-01-01T00:00:00Z' },
  2: { t: 'brown bear', u: 'quick', k: 'c/d', n: 10, d: '2024-01-02T01:00:00Z' },
  3: { t: 'lazy fox jumps', n: 15, book: { title: 'fox', name: 'dog' } },
  4: { t: 'fox quick', k: 'x' },
}

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /i', { mappings: { properties } })
  const lines = Object.entries(DOCUMENTS).flatMap(([_id, source]) => [{ index: { _id } }, source])
  await rest.call('POST /i/_bulk?refresh', ndjson(...lines))
  index = indexOf(rest)
})
afterAll(() => rest.close())

/** The query as its profile prints it. */
async function printed(options: object): Promise<string> {
  const query = { query_string: options }
  const { json, text } = await rest.call(SEARCH, { query, profile: true })
  if (json.profile === undefined) throw new Error(text)
  return json.profile.shards[0].searches[0].query[0].description
}

describe('query_string', () => {
  it.each([
    ['quick fox', ['1', '3', '4']],
    ['quick AND fox', ['1', '4']],
    ['quick && fox', ['1', '4']],
    ['quick || lazy', ['1', '3', '4']],
    ['+fox -quick', ['3']],
    ['fox NOT quick', ['3']],
    ['fox !quick', ['3']],
    ['-quick', ['2', '3']],
    ['(quick OR lazy) AND fox', ['1', '3', '4']],
    ['"fox quick"', ['4']],
    ['"quick fox"~1', ['1']],
    ['"quick fox"~2', ['1', '4']],
    ['qiuck~', ['1', '4']],
    ['quick~0', ['1', '4']],
    ['BRO*', ['1', '2']],
    ['b?ar', ['2']],
    ['B*R', ['2']],
    ['/[fb]ox/', ['1', '3', '4']],
    ['t:brown', ['1', '2']],
    ['k:x', ['4']],
    ['k:A\\ b', ['1']],
    ['k:"A b"', ['1']],
    ['k:c\\/d', ['2']],
    ['k:[a TO d}', ['2']],
    ['n:[5 TO 10]', ['1', '2']],
    ['n:{5 TO 10]', ['2']],
    ['n:[* TO 10}', ['1']],
    ['n:[10 TO *]', ['2', '3']],
    ['n:>=10', ['2', '3']],
    ['n:>10', ['3']],
    ['n:<10', ['1']],
    ['n:<=10', ['1', '2']],
    ['n:(5 OR 15)', ['1', '3']],
    ['n:"5"', ['1']],
    ['d:[2024-01-02 TO *]', ['2']],
    ['book.\\*:fox', ['3']],
    ['_exists_:n', ['1', '2', '3']],
    ['u:*', ['1', '2']],
    ['*:*', ['1', '2', '3', '4']],
    ['_id:3', ['3']],
    ['absent:x', []],
    ['absent\\*:x', []],
    ['   ', []],
    ['', []],
  ])('%s', async (query, expected) => {
    const found = await index.ids({ query_string: { query, default_field: 't' } })
    expect(found).toEqual(expected)
  })

  it.each([
    [{ query: 'quick' }, ['1', '2', '4']],
    [{ query: 'quick', fields: ['u'] }, ['2']],
    [{ query: 'quick', fields: ['t', 'u^3'] }, ['1', '2', '4']],
    [{ query: 'quick fox', fields: ['t'], default_operator: 'and' }, ['1', '4']],
    [{ query: 'quick OR lazy', fields: ['t'], default_operator: 'AND' }, ['1', '3', '4']],
    [{ query: 'quick brown fox', fields: ['t'], minimum_should_match: 2 }, ['1', '4']],
    [{ query: '"quick fox"', fields: ['t'], phrase_slop: 2 }, ['1', '4']],
    [{ query: '"brown bear"', fields: ['t'], quote_field_suffix: '.exact' }, ['2']],
    [{ query: '"brown"', fields: ['t'], quote_field_suffix: '.exact' }, []],
    [{ query: '"Brown"', fields: ['t'], quote_analyzer: 'keyword' }, []],
    [{ query: 'Brown', fields: ['t'], analyzer: 'keyword' }, []],
    [{ query: 'quick*fox', fields: ['t'], escape: true }, ['1', '3', '4']],
    [{ query: 'bro-be*', fields: ['t'], analyze_wildcard: true }, ['2']],
    [{ query: 'n:x', lenient: true }, []],
    [{ query: 'foxx~', fields: ['t'], fuzziness: 0 }, []],
    [{ query: 'gox~', fields: ['t'], fuzzy_prefix_length: 1 }, []],
    [{ query: 'qiuck~1', fields: ['t'], fuzzy_transpositions: false }, []],
    [{ query: 'd:2024-01-01', time_zone: '+01:00' }, ['1']],
    [{ query: 'd:[2024-01-01 TO 2024-01-01]', time_zone: '-02:00' }, ['2']],
    [
      { query: 'quick', fields: ['t', 'u'], type: 'most_fields', tie_breaker: 0.5 },
      ['1', '2', '4'],
    ],
    [{ query: 'b*', fields: ['t'], rewrite: 'top_terms_1', boost: 2 }, ['2']],
    [
      {
        query: 'f?x',
        fields: ['t'],
        enable_position_increments: true,
        fuzzy_max_expansions: 5,
        max_determinized_states: 100,
        auto_generate_synonyms_phrase_query: false,
        allow_leading_wildcard: false,
        fuzzy_rewrite: 'constant_score',
      },
      ['1', '3', '4'],
    ],
  ])('%j', async (options, expected) => {
    expect(await index.ids({ query_string: options })).toEqual(expected)
  })

  it.each([
    ['a b', 't:a t:b'],
    ['a AND b', '+t:a +t:b'],
    ['a OR b AND c', 't:a +t:b +t:c'],
    ['a AND b OR c', '+t:a +t:b t:c'],
    ['+a b -c', '+t:a t:b -t:c'],
    ['NOT a', '-t:a #*:*'],
    ['a^2 "b c"^3', '(t:a)^2.0 (t:"b c")^3.0'],
    ['(a b)^2 c', '(t:a t:b)^2.0 t:c'],
    ['"b c"~3', 't:"b c"~3'],
    ['u:(a b) c', 'u:a u:b t:c'],
    ['Ab*', 't:ab*'],
    ['A?B', 't:a?b'],
    ['/A.b/', 't:/a.b/'],
    ['n:[1 TO 2]', 'IndexOrDocValuesQuery(indexQuery=n:[1 TO 2], dvQuery=n:[1 TO 2])'],
    ['t:{A TO b]', 't:{a TO b]'],
    ['a\\:b', 't:a:b'],
    ['a\\u0062', 't:ab'],
  ])('reads %s as %s', async (query, expected) => {
    expect(await printed({ query, default_field: 't' })).toBe(expected)
  })

  it('closes the gaps of words that were taken out where positions shall not count', async () => {
    const options = { default_field: 't', quote_analyzer: 'stop' }
    const long = { ...options, query: '"fox the bear"' }
    expect(await printed(long)).toBe('t:"fox ? bear"')
    expect(await printed({ ...long, enable_position_increments: false })).toBe('t:"fox bear"')
  })

  it('asks the best of several fields for each clause', async () => {
    expect(await printed({ query: 'a b*', fields: ['t', 'u^2'], tie_breaker: 0.3 })).toBe(
      '(t:a | (u:a)^2.0)~0.3 (t:b* | (u:b*)^2.0)~0.3',
    )
  })

  it.each([
    ['(a', 'Cannot parse \'(a\': Encountered "<EOF>" at line 1, column 2.'],
    ['a)', 'Cannot parse \'a)\': Encountered " ")" ") "" at line 1, column 1.'],
    ['a AND', 'Cannot parse \'a AND\': Encountered "<EOF>" at line 1, column 5.'],
    [
      '"a',
      'Cannot parse \'"a\': Lexical error at line 1, column 3.  Encountered: <EOF> after : "\\"a"',
    ],
    ['n:[1 TO', 'Cannot parse \'n:[1 TO\': Encountered "<EOF>" at line 1, column 7.'],
    ['a^b', "Cannot parse 'a^b': Lexical error at line 1, column 3."],
  ])('refuses %s, lenient or not', async (query, start) => {
    const { status, json } = await rest.call(SEARCH, {
      query: { query_string: { query, lenient: true } },
    })
    const reason = json.error.failed_shards[0].reason
    expect(status).toBe(400)
    expect([reason.type, reason.reason]).toEqual([
      'query_shard_exception',
      `Failed to parse query [${query}]`,
    ])
    expect(reason.index).toBe('i')
    expect(reason.caused_by.type).toBe('parse_exception')
    expect(reason.caused_by.reason.startsWith(start)).toBe(true)
  })

  it.each([
    [{ fields: ['t'] }, '400 parsing_exception: [query_string] must be provided with a [query]'],
    [
      { query: 'a', fields: [null] },
      '400 parsing_exception: [query_string] field name in [fields] cannot be null',
    ],
    [
      { query: 'a', fields: ['t'], default_field: 'u' },
      '400 illegal_argument_exception: cannot use [fields] parameter in conjunction with [default_field]',
    ],
    [
      { query: 'a', time_zone: 'Mars' },
      '400 parsing_exception: [query_string] time_zone [Mars] is unknown',
    ],
    [{ query: 'a', analyzer: 'none' }, `${QSE}[query_string] analyzer [none] not found`],
    [
      { query: 'a', quote_analyzer: 'none' },
      `${QSE}[query_string] quote_analyzer [none] not found`,
    ],
    [
      { query: 'a', other: 1 },
      '400 parsing_exception: [query_string] query does not support [other]',
    ],
    [
      { query: 'a', default_operator: 'xor' },
      '400 illegal_argument_exception: Failed to parse operator [xor], expected [or] or [and]',
    ],
    [{ query: 'n:x' }, '400 number_format_exception: For input string: "x"'],
    [
      { query: 't:a~3' },
      '400 illegal_argument_exception: Valid edit distances are [0, 1, 2] but was [3]',
    ],
    [
      { query: `t:/${'a'.repeat(1001)}/` },
      '400 illegal_argument_exception: The length of regex [1001] used in the [query_string] has exceeded the allowed maximum of [1000]. This maximum can be set by changing the [index.max_regex_length] index level setting.',
    ],
    [
      { query: 't:*a', allow_leading_wildcard: false },
      "400 parse_exception: '*' or '?' not allowed as first character in WildcardQuery",
    ],
    [
      { query: 'a'.repeat(32_001) },
      '400 parse_exception: Query string length exceeds max allowed length 32000 (search.query.max_query_string_length); actual length: 32001',
    ],
  ])('refuses %j', async (options, expected) => {
    const query = { query_string: { lenient: false, ...options } }
    expect(await refusal(rest, SEARCH, { query })).toBe(expected)
  })
})

describe('the query of the URL', () => {
  it.each([
    ['q=t:fox', 3],
    ['q=quick&df=u', 1],
    ['q=quick%20fox&df=t&default_operator=AND', 2],
    ['q=Quick&df=t&analyzer=keyword', 0],
    ['q=bro-be*&df=t&analyze_wildcard=true', 1],
    ['q=n:x&lenient=true', 0],
  ])('%s', async (parameters, expected) => {
    const found = await rest.call(`GET /i/_search?${parameters}`)
    expect(found.json.hits.total.value).toBe(expected)
    const counted = await rest.call(`GET /i/_count?${parameters}`)
    expect(counted.json.count).toBe(expected)
  })

  it('replaces that of the body, and nothing else of it', async () => {
    const body = { query: { match_none: {} }, size: 1 }
    const { json } = await rest.call('POST /i/_search?q=t:fox', body)
    expect([json.hits.total.value, json.hits.hits.length]).toEqual([3, 1])
  })

  it('is refused as one of the body is', async () => {
    expect(await refusal(rest, 'GET /i/_search?q=(a&df=t')).toContain('400 parse_exception: Enc')
    expect(await refusal(rest, 'GET /i/_search?q=a&lenient=perhaps')).toContain(
      'Failed to parse value [perhaps]',
    )
  })
})
