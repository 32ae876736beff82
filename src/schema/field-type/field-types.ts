/** The table of field types by name: it stops compiling when a name of the union is missing. */

import type { FieldStorage } from '../field-storage.ts'
import type { FieldType, FieldTypeName, TypedField } from '../field-type.ts'
import { binary } from './binary.ts'
import { boolean } from './boolean.ts'
import { completion } from './completion.ts'
import { constantKeyword } from './constant-keyword.ts'
import { dateType } from './date.ts'
import type { FieldKind } from './field-kind.ts'
import { flatObject } from './flat-object.ts'
import { floatingType } from './floating.ts'
import { geoPoint } from './geo-point.ts'
import { geoShape } from './geo-shape.ts'
import { integerType } from './integer.ts'
import { ip } from './ip.ts'
import { join } from './join.ts'
import { keyword } from './keyword.ts'
import { knnVector } from './knn-vector.ts'
import { matchOnlyText } from './match-only-text.ts'
import { rangeType } from './range.ts'
import { rankFeature, rankFeatures } from './rank-feature.ts'
import { scaledFloat } from './scaled-float.ts'
import { searchAsYouType } from './search-as-you-type.ts'
import { text } from './text.ts'
import { tokenCount } from './token-count.ts'
import { unsignedLong } from './unsigned-long.ts'
import { wildcard } from './wildcard.ts'

const FIELD_TYPES: {
  readonly [T in FieldTypeName]: FieldKind<Extract<TypedField, { type: T }>>
} = {
  text,
  match_only_text: matchOnlyText,
  search_as_you_type: searchAsYouType,
  keyword,
  wildcard,
  constant_keyword: constantKeyword,
  flat_object: flatObject,
  completion,
  token_count: tokenCount,
  rank_feature: rankFeature,
  rank_features: rankFeatures,
  long: integerType('long', 64),
  integer: integerType('integer', 32),
  short: integerType('short', 16),
  byte: integerType('byte', 8),
  unsigned_long: unsignedLong,
  double: floatingType('double'),
  float: floatingType('float'),
  half_float: floatingType('half_float'),
  scaled_float: scaledFloat,
  boolean,
  date: dateType('date'),
  date_nanos: dateType('date_nanos'),
  ip,
  binary,
  geo_point: geoPoint,
  geo_shape: geoShape,
  knn_vector: knnVector,
  integer_range: rangeType('integer_range'),
  long_range: rangeType('long_range'),
  float_range: rangeType('float_range'),
  double_range: rangeType('double_range'),
  date_range: rangeType('date_range'),
  ip_range: rangeType('ip_range'),
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

/** Storage of the field in a segment. */
export function storageOf(field: FieldType): FieldStorage {
  return fieldKind(field.type).storage(field)
}
