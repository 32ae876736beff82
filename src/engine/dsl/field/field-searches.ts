/**
 * The table of queries and sorts by field type and metadata field: it stops compiling when one is
 * missing.
 */
import type { FieldType, TypedField } from '../../../schema/field-type.ts'
import { derivedField } from '../derived/derived-field.ts'
import type { QueryContext } from '../query-context.ts'
import { binary } from './binary.ts'
import { boolean } from './boolean.ts'
import { completion } from './completion.ts'
import { constantKeyword } from './constant-keyword.ts'
import { dateSearch } from './date.ts'
import { derived, type SearchedDerivedField } from './derived.ts'
import { feature } from './feature.ts'
import type { FieldSearch } from './field-search.ts'
import { flatObject } from './flat-object.ts'
import { floatingSearch } from './floating.ts'
import { geoPoint } from './geo-point.ts'
import { geoShape } from './geo-shape.ts'
import { integerSearch } from './integer.ts'
import { ip } from './ip.ts'
import { join } from './join.ts'
import { keyword } from './keyword.ts'
import { knnVector } from './knn-vector.ts'
import { idField } from './metadata/id.ts'
import { indexName } from './metadata/index-name.ts'
import { type MetadataField, metadataField } from './metadata/metadata-field.ts'
import { seqNo } from './metadata/seq-no.ts'
import { docCount, fieldNames, refuseFielddata, source, version } from './metadata/unsearchable.ts'
import { rangeSearch } from './range.ts'
import { scaledFloat } from './scaled-float.ts'
import { text } from './text.ts'
import { unsignedLong } from './unsigned-long.ts'

type Searched = TypedField | MetadataField | SearchedDerivedField

/** A field that a query names. */
export type SearchedField = FieldType | MetadataField | SearchedDerivedField

const FIELD_SEARCHES: {
  readonly [T in Searched['type']]: FieldSearch<Extract<Searched, { type: T }>>
} = {
  text,
  match_only_text: text,
  search_as_you_type: text,
  keyword,
  wildcard: keyword,
  constant_keyword: constantKeyword,
  flat_object: flatObject,
  completion,
  token_count: integerSearch(32),
  rank_feature: feature,
  rank_features: feature,
  long: integerSearch(64),
  integer: integerSearch(32),
  short: integerSearch(16),
  byte: integerSearch(8),
  unsigned_long: unsignedLong,
  double: floatingSearch('double'),
  float: floatingSearch('float'),
  half_float: floatingSearch('halfFloat'),
  scaled_float: scaledFloat,
  boolean,
  date: dateSearch,
  date_nanos: dateSearch,
  ip,
  binary,
  geo_point: geoPoint,
  geo_shape: geoShape,
  knn_vector: knnVector,
  integer_range: rangeSearch('integer_range'),
  long_range: rangeSearch('long_range'),
  float_range: rangeSearch('float_range'),
  double_range: rangeSearch('double_range'),
  date_range: rangeSearch('date_range'),
  ip_range: rangeSearch('ip_range'),
  join,
  derived,
  _id: idField,
  _index: indexName,
  _routing: { ...keyword, sort: refuseFielddata },
  _ignored: keyword,
  _seq_no: seqNo,
  _version: version,
  _doc_count: docCount,
  _source: source,
  _field_names: fieldNames,
}

/** Every type that a field of a query or sort may have; that of a metadata field is its name. */
export const SEARCHED_TYPES: readonly Searched['type'][] = Object.keys(
  FIELD_SEARCHES,
) as Searched['type'][]

/** The queries and sorts of a type, for fields of that type alone. */
export function fieldSearch(type: Searched['type']): FieldSearch<Searched> {
  return FIELD_SEARCHES[type]
}

/**
 * The field that a query or sort names: a derived one, of the mapping, or of the metadata; null: there is none.
 * @throws {EngineError} settings forbid derived fields
 */
export function searchedField(name: string, context: QueryContext): SearchedField | null {
  const made = derivedField(name, context)
  if (made !== null)
    return { ...made, search: fieldSearch(made.inner.type), textSearch: FIELD_SEARCHES.text }
  return mappedField(name, context)
}

/** The same, but for derived ones. */
export function mappedField(name: string, context: QueryContext): FieldType | MetadataField | null {
  return context.mapping.field(name) ?? metadataField(name, context)
}
