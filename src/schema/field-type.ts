/** Entries of a mapping: objects, and fields resolved by their types from their parameters. */
import type { BinaryField } from './field-type/binary.ts'
import type { BooleanField } from './field-type/boolean.ts'
import type { CompletionField } from './field-type/completion.ts'
import type { ConstantKeywordField } from './field-type/constant-keyword.ts'
import type { DateField } from './field-type/date.ts'
import type { FlatObjectField } from './field-type/flat-object.ts'
import type { FloatingField } from './field-type/floating.ts'
import type { GeoPointField } from './field-type/geo-point.ts'
import type { GeoShapeField } from './field-type/geo-shape.ts'
import type { IntegerField } from './field-type/integer.ts'
import type { IpField } from './field-type/ip.ts'
import type { JoinField } from './field-type/join.ts'
import type { KeywordField } from './field-type/keyword-field.ts'
import type { KnnVectorField } from './field-type/knn-vector.ts'
import type { MappedField } from './field-type/mapped-field.ts'
import type { RangeField } from './field-type/range.ts'
import type { FeatureField } from './field-type/rank-feature.ts'
import type { ScaledFloatField } from './field-type/scaled-float.ts'
import type { TextField } from './field-type/text-field.ts'
import type { TokenCountField } from './field-type/token-count.ts'
import type { UnsignedLongField } from './field-type/unsigned-long.ts'

/** A field that holds values, by its type. */
export type TypedField =
  | TextField<'text'>
  | TextField<'match_only_text'>
  | TextField<'search_as_you_type'>
  | KeywordField<'keyword'>
  | KeywordField<'wildcard'>
  | ConstantKeywordField
  | FlatObjectField
  | CompletionField
  | TokenCountField
  | FeatureField<'rank_feature'>
  | FeatureField<'rank_features'>
  | IntegerField<'long'>
  | IntegerField<'integer'>
  | IntegerField<'short'>
  | IntegerField<'byte'>
  | UnsignedLongField
  | FloatingField<'double'>
  | FloatingField<'float'>
  | FloatingField<'half_float'>
  | ScaledFloatField
  | BooleanField
  | DateField<'date'>
  | DateField<'date_nanos'>
  | IpField
  | BinaryField
  | GeoPointField
  | GeoShapeField
  | KnnVectorField
  | RangeField<'integer_range'>
  | RangeField<'long_range'>
  | RangeField<'float_range'>
  | RangeField<'double_range'>
  | RangeField<'date_range'>
  | RangeField<'ip_range'>
  | JoinField

/** The field types that hold values. */
export type FieldTypeName = TypedField['type']

/** A field as it stands in a mapping. */
export type FieldType = TypedField & {
  /** Full paths of the fields that get its values too. */
  readonly copyTo: readonly string[]
  readonly multiFields: readonly FieldType[]
  /** Fields that its type adds: they get its values as multi-fields do, and do not print. */
  readonly derived: readonly FieldType[]
}

/** Another name of a field, for searches. */
export interface FieldAlias extends MappedField {
  readonly type: 'alias'
  /** Full path of the field. */
  readonly path: string
}

/** The meaning of a name within an object of the mapping. */
export type MappingEntry = ObjectType | FieldType | FieldAlias

/** The treatment of fields that the mapping does not know. */
export type Dynamic =
  | 'true'
  | 'false'
  | 'strict'
  | 'strict_allow_templates'
  | 'false_allow_templates'

/** An object of the mapping: its fields and objects by the rest of their names. */
export interface ObjectType {
  /** Full path; empty for the root. */
  readonly name: string
  /** Null: as the object around it; the root's null is `true`. */
  readonly dynamic: Dynamic | null
  /** False: the object's JSON is kept in `_source` only. Null: not given, which is true. */
  readonly enabled: boolean | null
  /** Null: its fields belong to the document around it. Else each object is a document of its own. */
  readonly nested: NestedOptions | null
  /**
   * True: it holds no objects; its fields stand by their whole dotted names, into which objects of documents
   * are flattened. Null: not given, which is false.
   */
  readonly disableObjects: boolean | null
  readonly children: ReadonlyMap<string, MappingEntry>
}

/** Where nested objects are indexed besides their own documents; null: not given, which is false. */
export interface NestedOptions {
  /** In the document around them. */
  readonly includeInParent: boolean | null
  /** In the whole document. */
  readonly includeInRoot: boolean | null
}

/** Tells an object from a field. */
export function isObjectType(entry: MappingEntry): entry is ObjectType {
  return 'children' in entry
}
