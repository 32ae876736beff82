import type { JsonValue } from '../../util/json/json-value.ts'

/** The members that fields of all types have. */
export interface MappedField {
  /** Full path, dots between the levels. */
  readonly name: string
  readonly type: string
  /** Terms, or points for numbers and dates. */
  readonly indexed: boolean
  /** The parameters that were given, in wire names, as they print. */
  readonly parameters: ReadonlyMap<string, JsonValue>
}
