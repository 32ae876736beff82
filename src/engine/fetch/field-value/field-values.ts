/** The table of values in hits by field type and metadata field: it stops compiling when one is missing. */
import type { TypedField } from '../../../schema/field-type.ts'
import type { MetadataField } from '../../dsl/field/metadata/metadata-field.ts'
import { binaries } from './binaries.ts'
import { booleans } from './booleans.ts'
import { dates } from './dates.ts'
import type { FieldValue } from './field-value.ts'
import { addresses, constants, flatObjects, keywords } from './keywords.ts'
import { ownId, ownIndex, ownNumbers, ownTerms, withoutColumn } from './metadata.ts'
import { floating, scaledFloat, tokenCount, unsignedLong, wholeNumber } from './numbers.ts'
import { places } from './places.ts'
import { ranges } from './ranges.ts'
import { rawValues } from './raw-values.ts'
import { shapes } from './shapes.ts'
import { texts } from './texts.ts'
import { vectors } from './vectors.ts'

type Printed = TypedField | MetadataField

const FIELD_VALUES: {
  readonly [T in Printed['type']]: FieldValue<Extract<Printed, { type: T }>>
} = {
  text: texts,
  match_only_text: texts,
  search_as_you_type: texts,
  keyword: keywords,
  wildcard: keywords,
  constant_keyword: constants,
  flat_object: flatObjects,
  completion: { ...rawValues, takesLists: true },
  token_count: tokenCount,
  rank_feature: rawValues,
  rank_features: rawValues,
  long: wholeNumber,
  integer: wholeNumber,
  short: wholeNumber,
  byte: wholeNumber,
  unsigned_long: unsignedLong,
  double: floating('double'),
  float: floating('float'),
  half_float: floating('halfFloat'),
  scaled_float: scaledFloat,
  boolean: booleans,
  date: dates,
  date_nanos: dates,
  ip: addresses,
  binary: binaries,
  geo_point: places,
  geo_shape: shapes,
  knn_vector: vectors,
  integer_range: ranges,
  long_range: ranges,
  float_range: ranges,
  double_range: ranges,
  date_range: ranges,
  ip_range: ranges,
  join: rawValues,
  _id: ownId,
  _index: ownIndex,
  _routing: withoutColumn,
  _ignored: ownTerms,
  _seq_no: ownNumbers,
  _version: ownNumbers,
  _doc_count: ownNumbers,
  _source: withoutColumn,
  _field_names: withoutColumn,
}

/** How values of a type stand in hits, for fields of that type alone. */
export function fieldValue(type: Printed['type']): FieldValue<Printed> {
  return FIELD_VALUES[type]
}
