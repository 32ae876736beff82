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

/** Whether a field's values are read, and its documents listed as having it. */
export function isKept(field: MappedField & { readonly docValues: boolean }): boolean {
  return field.indexed || field.docValues || field.parameters.get('store') === true
}
