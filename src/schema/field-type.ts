/**
 * What a mapping says of a field, resolved: every parameter has its value, given or default.
 */
import type { JsonValue } from '../util/json/json-value.ts'
import type { DateFormat } from './date-format.ts'

/** The field types that hold values. */
export type FieldTypeName =
  | 'text'
  | 'keyword'
  | 'long'
  | 'integer'
  | 'short'
  | 'byte'
  | 'double'
  | 'float'
  | 'half_float'
  | 'scaled_float'
  | 'boolean'
  | 'date'

/** What postings hold: nothing, documents, frequencies too, positions too. */
export type IndexOptions = 'none' | 'docs' | 'freqs' | 'positions'

/** A field that holds values, one record shape for all types; what a type has not is its default. */
export interface FieldType {
  /** Full path, dots between the levels. */
  readonly name: string
  readonly type: FieldTypeName
  /** `index`: terms, or points for numbers and dates. */
  readonly indexed: boolean
  readonly docValues: boolean
  readonly stored: boolean
  /** Of terms; `none` for numbers and dates. */
  readonly indexOptions: IndexOptions
  readonly norms: boolean
  /** Name of the index analyzer, null for the index default. Text only. */
  readonly analyzer: string | null
  readonly searchAnalyzer: string | null
  readonly searchQuoteAnalyzer: string | null
  /** Positions between two values of one document. Text only. */
  readonly positionIncrementGap: number
  /** Keyword only; null keeps values as they are. */
  readonly normalizer: string | null
  /** Longest keyword in UTF-16 units that is indexed. */
  readonly ignoreAbove: number
  /** Keyword: whether `term` scores by BM25. */
  readonly useSimilarity: boolean
  readonly splitQueriesOnWhitespace: boolean
  readonly coerce: boolean
  readonly ignoreMalformed: boolean
  /** What stands for an explicit null, as it would be written in a document; null: nothing does. */
  readonly nullValue: string | null
  /** Dates only. */
  readonly format: DateFormat | null
  /** scaled_float only, else 1. */
  readonly scalingFactor: number
  readonly copyTo: readonly string[]
  readonly multiFields: readonly FieldType[]
  /** The parameters that were given, in wire names, as they print. */
  readonly parameters: ReadonlyMap<string, JsonValue>
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
  readonly children: ReadonlyMap<string, ObjectType | FieldType>
}

/** Tells an object from a field. */
export function isObjectType(entry: ObjectType | FieldType): entry is ObjectType {
  return 'children' in entry
}

/** Whether values of the type are held as sortable 64-bit integers. */
export function isNumericType(type: FieldTypeName): boolean {
  return type !== 'text' && type !== 'keyword'
}
