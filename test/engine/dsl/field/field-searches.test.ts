import { describe, expect, it } from 'vitest'
import { fieldSearch } from '../../../../src/engine/dsl/field/field-searches.ts'
import type { ParsedSort } from '../../../../src/engine/dsl/field/sort-level.ts'
import { plainSort } from '../../../../src/engine/dsl/sort.ts'
import type { FieldTypeName } from '../../../../src/schema/field-type.ts'
import { type Definition, fieldOf, reasonOf } from '../../../support/one-field.ts'
import { queryContext } from '../../../support/query-context.ts'

const TYPES: { readonly [T in FieldTypeName]: Definition } = {
  text: { type: 'text' },
  keyword: { type: 'keyword' },
  long: { type: 'long' },
  integer: { type: 'integer' },
  short: { type: 'short' },
  byte: { type: 'byte' },
  double: { type: 'double' },
  float: { type: 'float' },
  half_float: { type: 'half_float' },
  scaled_float: { type: 'scaled_float', scaling_factor: 10 },
  boolean: { type: 'boolean' },
  date: { type: 'date' },
  join: { type: 'join', relations: { parent: 'child' } },
}
/** A value of the type, as sorts print it. */
const SORTED: { readonly [T in FieldTypeName]?: string } = { boolean: '1', date: '1577836800000' }
// A field of relations has neither parameters of storage nor values that are no names.
const types = (Object.keys(TYPES) as FieldTypeName[]).filter(type => type !== 'join')
const numeric = types.filter(type => type !== 'text' && type !== 'keyword')

describe('searches in a field of each type', () => {
  it.each(types)('refuse one of %s that is kept in no way', type => {
    const isText = type === 'text'
    const field = fieldOf({
      ...TYPES[type],
      index: false,
      ...(isText ? {} : { doc_values: false }),
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
    expect(query).toMatchObject({ query: { kind: 'fieldExists', listed: false } })
    const bare = type === 'text' ? { norms: false } : { doc_values: false }
    const listed = fieldSearch(type).exists(fieldOf({ ...TYPES[type], ...bare }))
    expect(listed).toMatchObject({ query: { kind: 'fieldExists', listed: true } })
  })

  it.each(numeric)('refuse prefixes of %s', type => {
    const field = fieldOf(TYPES[type])
    expect(reasonOf(() => fieldSearch(type).prefix(field, '1', queryContext))).toBe(
      'Can only use prefix queries on keyword, text and wildcard fields - not on [f] which is of ' +
        `type [${type}]`,
    )
  })

  it.each(numeric)('read a sort value of %s as they print it', type => {
    const { read, print } = fieldSearch(type).sort(fieldOf(TYPES[type]), plainSort('f', 'asc'))
    const value = read(SORTED[type] ?? '1')
    const printed = print(value!)
    const text =
      typeof printed === 'object' ? String((printed as { value: number }).value) : `${printed}`
    expect(read(text)).toBe(value)
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
