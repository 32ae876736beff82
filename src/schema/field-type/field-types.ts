/** The table of field types by name: it stops compiling when a name of the union is missing. */

import type { FieldStorage } from '../field-storage.ts'
import type { FieldType, FieldTypeName, TypedField } from '../field-type.ts'
import { boolean } from './boolean.ts'
import { date } from './date.ts'
import type { FieldKind } from './field-kind.ts'
import { floatingType } from './floating.ts'
import { integerType } from './integer.ts'
import { join } from './join.ts'
import { keyword } from './keyword.ts'
import { scaledFloat } from './scaled-float.ts'
import { text } from './text.ts'

const FIELD_TYPES: {
  readonly [T in FieldTypeName]: FieldKind<Extract<TypedField, { type: T }>>
} = {
  text,
  keyword,
  long: integerType('long', 64),
  integer: integerType('integer', 32),
  short: integerType('short', 16),
  byte: integerType('byte', 8),
  double: floatingType('double'),
  float: floatingType('float'),
  half_float: floatingType('half_float'),
  scaled_float: scaledFloat,
  boolean,
  date,
  join,
}

/** Whether there is a field type of that name. */
export function isFieldTypeName(name: string): name is FieldTypeName {
  return Object.hasOwn(FIELD_TYPES, name)
}

/** The type of that name, to be asked about fields of that name's type alone. */
export function fieldKind(type: FieldTypeName): FieldKind<TypedField> {
  return FIELD_TYPES[type]
}

/** What a segment keeps of the field. */
export function storageOf(field: FieldType): FieldStorage {
  return fieldKind(field.type).storage(field)
}
