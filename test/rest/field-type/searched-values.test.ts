/**
 * The specification's table of values by field type, row by row: what `term` and `range` find in a
 * field of each type with which score, and what they say of a value that is none of the type.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../../support/field-index.ts'

/** BM25 of a term in one of two documents that have the field, and in the only one. */
const ONE_OF_TWO = 0.31506687
const ONE_OF_ONE = 0.13076457
const DATES = '[strict_date_optional_time||epoch_millis]'

let index: FieldIndex
beforeAll(async () => {
  const bare = { index: false, doc_values: false }
  const properties = {
    text: { type: 'text' },
    keyword: { type: 'keyword' },
    folded: { type: 'keyword', normalizer: 'lowercase' },
    ranked: { type: 'keyword', use_similarity: true },
    byte: { type: 'byte' },
    integer: { type: 'integer' },
    long: { type: 'long' },
    float: { type: 'float' },
    half: { type: 'half_float' },
    double: { type: 'double' },
    scaled: { type: 'scaled_float', scaling_factor: 10 },
    date: { type: 'date' },
    nanos: { type: 'date_nanos' },
    boolean: { type: 'boolean' },
    ip: { type: 'ip' },
    integers: { type: 'integer_range' },
    dates: { type: 'date_range' },
    ips: { type: 'ip_range' },
    tokens: { type: 'token_count', analyzer: 'standard' },
    unsigned: { type: 'unsigned_long' },
    constant: { type: 'constant_keyword', value: 'c' },
    flat: { type: 'flat_object' },
    wild: { type: 'wildcard' },
    light: { type: 'match_only_text' },
    binary: { type: 'binary' },
    place: { type: 'geo_point' },
    shape: { type: 'geo_shape' },
    columns: { type: 'long', index: false },
    words: { type: 'keyword', index: false },
    bareLong: { type: 'long', ...bare },
    bareDate: { type: 'date', ...bare },
    bareFlag: { type: 'boolean', ...bare },
    bareIp: { type: 'ip', ...bare },
    bareWord: { type: 'keyword', ...bare },
    bareText: { type: 'text', index: false },
    other: { type: 'alias', path: 'long' },
  }
  index = await fieldIndex(properties)
  await index.add(
    {
      text: 'Red Sea',
      keyword: 'Red',
      folded: 'Red',
      ranked: 'Red',
      byte: 7,
      integer: 7,
      long: '7',
      float: 0.1,
      half: 0.1,
      double: 0.1,
      scaled: 1.23,
      date: '2020-01-05T10:00:00Z',
      nanos: '2020-01-05T10:00:00.000000001Z',
      boolean: 'true',
      ip: '10.0.0.1',
      integers: { gte: 1, lt: 5 },
      dates: { gte: '2020-01-01', lte: '2020-02' },
      ips: '10.0.0.0/8',
      tokens: 'one two three',
      unsigned: '18446744073709551615',
      constant: 'c',
      flat: { a: { b: 'Red' } },
      wild: 'Red Sea',
      light: 'Red red Sea',
      binary: 'AAAA',
      place: [1, 1],
      shape: { type: 'point', coordinates: [1, 1] },
      columns: 7,
      words: 'Red',
      bareLong: 7,
      bareDate: '2020',
      bareFlag: true,
      bareIp: '10.0.0.1',
      bareWord: 'Red',
      bareText: 'Red',
    },
    {
      text: 'Blue Sea',
      keyword: 'blue',
      ranked: 'blue',
      long: 8,
      columns: 8,
      boolean: false,
      date: '2020-02-01',
      ip: '::1',
      scaled: 1.3,
      words: 'blue',
      light: 'blue',
    },
  )
})
afterAll(() => index.close())

const term = (field: string, value: unknown): object => ({ term: { [field]: { value } } })
const range = (field: string, bounds: object): object => ({ range: { [field]: bounds } })

describe('finds', () => {
  it.each<[object, Record<string, number>]>([
    // Raw terms are never analysed.
    [term('text', 'red'), { 0: ONE_OF_TWO }],
    [term('text', 'Red'), {}],
    [range('text', { gt: 'red', lte: 'sea' }), { 0: 1, 1: 1 }],
    [term('keyword', 'Red'), { 0: 1 }],
    [term('keyword', 'red'), {}],
    [term('folded', 'RED'), { 0: 1 }],
    [term('ranked', 'Red'), { 0: ONE_OF_TWO }],
    // By bytes, upper case is before lower case.
    [range('keyword', { lt: 'a' }), { 0: 1 }],
    [term('byte', '7'), { 0: 1 }],
    [term('long', 7), { 0: 1 }],
    [term('long', 7.5), {}],
    [range('long', { gt: 6.5, lt: 7.5 }), { 0: 1 }],
    [range('long', { gt: 7.5 }), { 1: 1 }],
    [term('other', 7), { 0: 1 }],
    [term('float', 0.1), { 0: 1 }],
    [term('half', 0.1), { 0: 1 }],
    [term('double', '0.1'), { 0: 1 }],
    [range('float', { gt: 0.1 }), {}],
    [range('float', { gte: 0.1 }), { 0: 1 }],
    [term('scaled', 1.2), { 0: 1 }],
    [range('scaled', { gt: 1.2 }), { 1: 1 }],
    // The span of the precision that is given.
    [term('date', '2020-01-05'), { 0: 1 }],
    [term('date', '2020'), { 0: 1, 1: 1 }],
    [term('nanos', '2020-01-05T10'), { 0: 1 }],
    [range('date', { gt: '2020-01' }), { 1: 1 }],
    [range('date', { lte: '2020-01' }), { 0: 1 }],
    [term('boolean', 'true'), { 0: ONE_OF_TWO }],
    [range('boolean', { gt: false }), { 0: 1 }],
    [range('boolean', { lt: true }), { 1: 1 }],
    [term('ip', '10.0.0.1'), { 0: 1 }],
    [term('ip', '10.0.0.0/8'), { 0: 1 }],
    // Addresses of version 4 stand within those of version 6.
    [range('ip', { gt: '::1', lte: '255.255.255.255' }), { 0: 1 }],
    [term('integers', 4), { 0: 1 }],
    [term('integers', 5), {}],
    [range('integers', { gte: 0, lte: 9, relation: 'within' }), { 0: 1 }],
    [range('integers', { gte: 2, lte: 3, relation: 'CONTAINS' }), { 0: 1 }],
    [range('integers', { gte: 2, lte: 3, relation: 'within' }), {}],
    [term('dates', '2020-01-31'), { 0: 1 }],
    [term('ips', '10.9.9.9'), { 0: 1 }],
    [term('tokens', 3), { 0: 1 }],
    [range('tokens', { gt: 2 }), { 0: 1 }],
    [term('unsigned', '18446744073709551615'), { 0: 1 }],
    [range('unsigned', { gt: '18446744073709551614' }), { 0: 1 }],
    [term('constant', 'c'), { 0: 1, 1: 1 }],
    [term('constant', 'd'), {}],
    [term('flat.a.b', 'Red'), { 0: ONE_OF_ONE }],
    [term('flat', 'Red'), { 0: ONE_OF_ONE }],
    [term('wild', 'Red Sea'), { 0: 1 }],
    [term('wild', 'Red'), {}],
    [{ wildcard: { wild: '*d S*' } }, { 0: 1 }],
    [term('light', 'red'), { 0: 1 }],
    // Without an index by doc values.
    [term('columns', 7), { 0: 1 }],
    [range('columns', { gte: 8 }), { 1: 1 }],
    [term('words', 'Red'), { 0: 1 }],
    [{ prefix: { words: 'bl' } }, { 1: 1 }],
  ])('%j', async (query, expected) => {
    const { json, text } = await index.rest.call('POST /i/_search', { query })
    expect(json.error, text).toBeUndefined()
    const hits = json.hits.hits.map((hit: { _id: string; _score: number }) => [hit._id, hit._score])
    expect(Object.fromEntries(hits)).toEqual(expected)
    expect(await index.find(query)).toEqual(Object.keys(expected))
  })
})

describe('refuses', () => {
  const bare = (field: string): string =>
    `Cannot search on field [${field}] since it is both not indexed, and does not have ` +
    'doc_values enabled.'
  const date = (value: string): string =>
    `failed to parse date field [${value}] with format ${DATES}: ` +
    `[failed to parse date field [${value}] with format ${DATES}]`
  const places = (field: string): string =>
    'Geometry fields do not support exact searching, use dedicated geometry queries instead: ' +
    `[${field}]`

  it.each<[object, type: string, reason: string]>([
    [term('byte', 128), 'illegal_argument_exception', 'Value [128] is out of range for a byte'],
    [
      term('integer', 2147483648),
      'illegal_argument_exception',
      'Value [2147483648] is out of range for an integer',
    ],
    [
      term('long', '9223372036854775808'),
      'illegal_argument_exception',
      'Value [9223372036854775808] is out of range for a long',
    ],
    [term('long', 'x'), 'number_format_exception', 'For input string: "x"'],
    [range('long', { gt: 'x' }), 'number_format_exception', 'For input string: "x"'],
    [term('tokens', 'x'), 'number_format_exception', 'For input string: "x"'],
    [
      term('unsigned', -1),
      'illegal_argument_exception',
      'Value [-1] is out of range for an unsigned long',
    ],
    [
      term('double', 'NaN'),
      'illegal_argument_exception',
      '[double] supports only finite values, but got [NaN]',
    ],
    [
      term('half', 70000),
      'illegal_argument_exception',
      '[half_float] supports only finite values, but got [70000.0]',
    ],
    [term('date', 'x'), 'parse_exception', date('x')],
    [range('date', { gt: 'x||/d' }), 'parse_exception', date('x')],
    [term('dates', 'x'), 'parse_exception', date('x')],
    [
      term('boolean', 'x'),
      'illegal_argument_exception',
      "Can't parse boolean value [x], expected [true] or [false]",
    ],
    [term('ip', 'x'), 'illegal_argument_exception', "'x' is not an IP string literal."],
    [
      term('ips', '10.0.0.0/8'),
      'illegal_argument_exception',
      "'10.0.0.0/8' is not an IP string literal.",
    ],
    [term('integers', 1.5), 'illegal_argument_exception', 'Value [1.5] has a decimal part'],
    [
      range('binary', { gt: 'a' }),
      'illegal_argument_exception',
      'Field [binary] of type [binary] does not support range queries',
    ],
    [
      range('place', { gt: 'a' }),
      'illegal_argument_exception',
      'Field [place] of type [geo_point] does not support range queries',
    ],
    ...['bareLong', 'bareDate', 'bareFlag', 'bareIp', 'bareWord'].map(
      (field): [object, string, string] => [
        term(field, '1'),
        'illegal_argument_exception',
        bare(field),
      ],
    ),
    [
      term('bareText', 'Red'),
      'illegal_argument_exception',
      'Cannot search on field [bareText] since it is not indexed.',
    ],
    ...['long', 'date', 'boolean', 'ip', 'constant'].map((field): [object, string, string] => [
      { fuzzy: { [field]: 'a' } },
      'illegal_argument_exception',
      'Can only use fuzzy queries on keyword and text fields - not on ' +
        `[${field}] which is of type [${field === 'constant' ? 'constant_keyword' : field}]`,
    ]),
  ])('%j', async (query, type, reason) => {
    const { status, json } = await index.rest.call('POST /i/_search', { query })
    const [failure] = json.error.failed_shards
    expect([status, failure.reason.type, failure.reason.reason]).toEqual([
      400,
      'query_shard_exception',
      `failed to create query: ${reason}`,
    ])
    expect([failure.reason.caused_by.type, failure.reason.caused_by.reason]).toEqual([type, reason])
  })

  it.each<[object, string]>([
    [term('binary', 'AAAA'), 'Binary fields do not support searching'],
    [term('place', '1,1'), places('place')],
    [term('shape', '1,1'), places('shape')],
    ...['prefix', 'wildcard'].map((query): [object, string] => [
      { [query]: { long: '7' } },
      `Can only use ${query} queries on keyword, text and wildcard fields - not on [long] which is ` +
        'of type [long]',
    ]),
    [
      { regexp: { date: '7' } },
      'Can only use regexp queries on keyword and text fields - not on [date] which is of type [date]',
    ],
    [
      { term: { boolean: { value: 'TRUE', case_insensitive: true } } },
      '[boolean] field which is of type [boolean], does not support case insensitive term queries',
    ],
  ])('%j on the shard', async (query, reason) => {
    const { status, json } = await index.rest.call('POST /i/_search', { query })
    const [failure] = json.error.failed_shards
    expect([status, failure.reason.type, failure.reason.reason]).toEqual([
      400,
      'query_shard_exception',
      reason,
    ])
    expect(failure.reason.caused_by).toBeUndefined()
  })
})
