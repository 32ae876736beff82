/** The table of queries and sorts by field type: it stops compiling when a type is missing. */
import type { FieldTypeName, TypedField } from '../../../schema/field-type.ts'
import { boolean } from './boolean.ts'
import { date } from './date.ts'
import type { FieldSearch } from './field-search.ts'
import { floatingSearch } from './floating.ts'
import { integerSearch } from './integer.ts'
import { join } from './join.ts'
import { keyword } from './keyword.ts'
import { scaledFloat } from './scaled-float.ts'
import { text } from './text.ts'

const FIELD_SEARCHES: {
  readonly [T in FieldTypeName]: FieldSearch<Extract<TypedField, { type: T }>>
} = {
  text,
  keyword,
  long: integerSearch(64),
  integer: integerSearch(32),
  short: integerSearch(16),
  byte: integerSearch(8),
  double: floatingSearch('double'),
  float: floatingSearch('float'),
  half_float: floatingSearch('halfFloat'),
  scaled_float: scaledFloat,
  boolean,
  date,
  join,
}

/** The queries and sorts of a type, for fields of that type alone. */
export function fieldSearch(type: FieldTypeName): FieldSearch<TypedField> {
  return FIELD_SEARCHES[type]
}
