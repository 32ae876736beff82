import { describe, expect, it } from 'vitest'
import { fieldSearch } from '../../../../src/engine/dsl/field/field-searches.ts'
import { PLAIN_TERMS } from '../../../../src/engine/dsl/field/many-terms.ts'
import type { ParsedSort } from '../../../../src/engine/dsl/field/sort-level.ts'
import { ALL_FLAGS } from '../../../../src/engine/dsl/query/regexp-limits.ts'
import { plainSort } from '../../../../src/engine/dsl/sort.ts'
import type { FieldTypeName } from '../../../../src/schema/field-type.ts'
import { isBeside } from '../../../../src/search/sort/sort-key.ts'
import { type Definition, fieldOf, reasonOf } from '../../../support/one-field.ts'
import { queryContext } from '../../../support/query-context.ts'

const TYPES: { readonly [T in FieldTypeName]: Definition } = {
  text: { type: 'text' },
  match_only_text: { type: 'match_only_text' },
  search_as_you_type: { type: 'search_as_you_type' },
  keyword: { type: 'keyword' },
  wildcard: { type: 'wildcard' },
  constant_keyword: { type: 'constant_keyword', value: '1' },
  flat_object: { type: 'flat_object' },
  completion: { type: 'completion' },
  token_count: { type: 'token_count', analyzer: 'standard' },
  rank_feature: { type: 'rank_feature' },
  rank_features: { type: 'rank_features' },
  long: { type: 'long' },
  integer: { type: 'integer' },
  short: { type: 'short' },
  byte: { type: 'byte' },
  unsigned_long: { type: 'unsigned_long' },
  double: { type: 'double' },
  float: { type: 'float' },
  half_float: { type: 'half_float' },
  scaled_float: { type: 'scaled_float', scaling_factor: 10 },
  boolean: { type: 'boolean' },
  date: { type: 'date' },
  date_nanos: { type: 'date_nanos' },
  ip: { type: 'ip' },
  binary: { type: 'binary', doc_values: true },
  geo_point: { type: 'geo_point' },
  geo_shape: { type: 'geo_shape' },
  knn_vector: { type: 'knn_vector', dimension: 2 },
  integer_range: { type: 'integer_range' },
  long_range: { type: 'long_range' },
  float_range: { type: 'float_range' },
  double_range: { type: 'double_range' },
  date_range: { type: 'date_range' },
  ip_range: { type: 'ip_range' },
  join: { type: 'join', relations: { parent: 'child' } },
}
/** A value of the type, as sorts print it. */
const SORTED: { readonly [T in FieldTypeName]?: string } = {
  boolean: '1',
  date: '1577836800000',
  date_nanos: '1577836800000',
}
/** Types without the parameters `index` and `doc_values`. */
const others: FieldTypeName[] = [
  'geo_shape',
  'knn_vector',
  'wildcard',
  'constant_keyword',
  'flat_object',
  'completion',
  'rank_feature',
  'rank_features',
  'join',
]
const types = (Object.keys(TYPES) as FieldTypeName[]).filter(type => !others.includes(type))
const analysed = ['text', 'match_only_text', 'search_as_you_type']
/** Types that no term is asked of. */
const unsearched: readonly FieldTypeName[] = ['binary', 'geo_point']
const ranges = types.filter(type => type.endsWith('_range'))
const searched = types.filter(type => !unsearched.includes(type))
const numeric = searched.filter(type => ![...analysed, 'keyword', 'ip', ...ranges].includes(type))

describe('searches in a field of each type', () => {
  it.each(searched)('refuse one of %s that is kept in no way', type => {
    const isText = analysed.includes(type) || ranges.includes(type)
    const field = fieldOf({
      ...TYPES[type],
      index: false,
      ...(analysed.includes(type) ? {} : { doc_values: false }),
    })
    const search = fieldSearch(type)
    const reason = isText
      ? 'Cannot search on field [f] since it is not indexed.'
      : 'Cannot search on field [f] since it is both not indexed, and does not have doc_values ' +
        'enabled.'
    const end = { text: '1', isIncluded: true }
    const options = { format: null, timeZone: null }
    const asked = [
      () => search.term(field, '1', queryContext),
      () => search.terms(field, ['1'], queryContext),
      () => search.range(field, end, null, options, queryContext),
    ]
    for (const ask of asked) expect(reasonOf(ask)).toBe(reason)
  })

  it.each(types)('find one of %s by what it is kept by', type => {
    const query = fieldSearch(type).exists(fieldOf(TYPES[type]))
    const hasNorms = type !== 'match_only_text'
    expect(query).toMatchObject({ query: { kind: 'fieldExists', listed: !hasNorms } })
    if (!hasNorms) return
    const bare = analysed.includes(type) ? { norms: false } : { doc_values: false }
    const listed = fieldSearch(type).exists(fieldOf({ ...TYPES[type], ...bare }))
    expect(listed).toMatchObject({ query: { kind: 'fieldExists', listed: true } })
  })

  it.each(numeric)('refuse prefixes of %s', type => {
    const field = fieldOf(TYPES[type])
    expect(reasonOf(() => fieldSearch(type).prefix(field, '1', PLAIN_TERMS, queryContext))).toBe(
      'Can only use prefix queries on keyword, text and wildcard fields - not on [f] which is of ' +
        `type [${type}]`,
    )
  })

  it.each(numeric)('refuse patterns and edits of %s', type => {
    const field = fieldOf(TYPES[type])
    const search = fieldSearch(type)
    const ofType = `not on [f] which is of type [${type}]`
    const refusalOf = (kind: 'term' | 'wildcard'): string =>
      reasonOf(() => search.pattern(field, { kind, text: '1' }, PLAIN_TERMS, queryContext))
    expect(refusalOf('wildcard')).toBe(
      `Can only use wildcard queries on keyword, text and wildcard fields - ${ofType}`,
    )
    expect(refusalOf('term')).toBe(
      `[f] field which is of type [${type}], does not support case insensitive term queries`,
    )
    const regexp = { kind: 'regexp', text: '1', operators: ALL_FLAGS, maxStates: 10 } as const
    expect(reasonOf(() => search.pattern(field, regexp, PLAIN_TERMS, queryContext))).toBe(
      `Can only use regexp queries on keyword and text fields - ${ofType}`,
    )
    const fuzzy = { text: '1', fuzziness: { edits: 1 }, prefixLength: 0 } as const
    const rest = { maxExpansions: 5, transpositions: true, rewrite: null } as const
    expect(reasonOf(() => search.fuzzy(field, { ...fuzzy, ...rest }, queryContext))).toBe(
      `Can only use fuzzy queries on keyword and text fields - ${ofType}`,
    )
  })

  it.each(numeric)('read a sort value of %s as they print it', type => {
    const { read, print } = fieldSearch(type).sort(fieldOf(TYPES[type]), plainSort('f', 'asc'))
    const value = read(SORTED[type] ?? '1', false)
    if (value === null || isBeside(value)) throw new Error('no value of the level')
    const printed = print(value)
    const text =
      typeof printed === 'object' ? String((printed as { value: number }).value) : `${printed}`
    expect(read(text, typeof printed === 'number')).toBe(value)
  })

  it.each(numeric)('put documents without a %s last, whichever the order', type => {
    const missing = (level: ParsedSort): bigint => {
      const { key } = fieldSearch(type).sort(fieldOf(TYPES[type]), level)
      return key.kind === 'number' && typeof key.missing === 'bigint' ? key.missing : 0n
    }
    const ascending = plainSort('f', 'asc')
    const descending = plainSort('f', 'desc')
    expect(missing(ascending)).toBeGreaterThan(missing(descending))
    expect(missing({ ...ascending, missing: '_first' })).toBe(missing(descending))
    expect(missing({ ...descending, missing: '_first' })).toBe(missing(ascending))
  })
})
