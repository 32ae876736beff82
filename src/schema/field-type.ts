/** What a mapping holds: fields, each resolved to what its type makes of its parameters, and objects. */
import type { BooleanField } from './field-type/boolean.ts'
import type { DateField } from './field-type/date.ts'
import type { FloatingField } from './field-type/floating.ts'
import type { IntegerField } from './field-type/integer.ts'
import type { JoinField } from './field-type/join.ts'
import type { KeywordField } from './field-type/keyword.ts'
import type { ScaledFloatField } from './field-type/scaled-float.ts'
import type { TextField } from './field-type/text.ts'

/** A field that holds values, by its type. */
export type TypedField =
  | TextField
  | KeywordField
  | IntegerField<'long'>
  | IntegerField<'integer'>
  | IntegerField<'short'>
  | IntegerField<'byte'>
  | FloatingField<'double'>
  | FloatingField<'float'>
  | FloatingField<'half_float'>
  | ScaledFloatField
  | BooleanField
  | DateField
  | JoinField

/** The field types that hold values. */
export type FieldTypeName = TypedField['type']

/** A field as it stands in a mapping. */
export type FieldType = TypedField & {
  /** Full paths of the fields that get its values too. */
  readonly copyTo: readonly string[]
  readonly multiFields: readonly FieldType[]
}

/** What happens to fields that the mapping does not know. */
export type Dynamic =
  | 'true'
  | 'false'
  | 'strict'
  | 'strict_allow_templates'
  | 'false_allow_templates'

/** An object of the mapping: its fields and objects by their last name. */
export interface ObjectType {
  /** Full path; empty for the root. */
  readonly name: string
  /** Null: as the object around it; the root's null is `true`. */
  readonly dynamic: Dynamic | null
  /** False: the object's JSON is kept in `_source` only. Null: not given, which is true. */
  readonly enabled: boolean | null
  /** Null: its fields belong to the document around it. Else each object is a document of its own. */
  readonly nested: NestedOptions | null
  readonly children: ReadonlyMap<string, ObjectType | FieldType>
}

/** Where nested objects are indexed besides their own documents; null: not given, which is false. */
export interface NestedOptions {
  /** In the document around them. */
  readonly includeInParent: boolean | null
  /** In the whole document. */
  readonly includeInRoot: boolean | null
}

/** Tells an object from a field. */
export function isObjectType(entry: ObjectType | FieldType): entry is ObjectType {
  return 'children' in entry
}
