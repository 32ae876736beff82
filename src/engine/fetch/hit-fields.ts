/** The values of fields that a hit carries, which several parts may give. */
import type { JsonValue } from '../../util/json/json-value.ts'
import type { PrintedHit } from '../response/printed-hit.ts'

/** Sets a field's values; those that it has are replaced. */
export function setValues(hit: PrintedHit, name: string, values: readonly JsonValue[]): void {
  const fields = hit.fields instanceof Map ? hit.fields : new Map<string, JsonValue>()
  fields.set(name, values)
  hit.fields = fields
}

/** Adds values of a field to those that it has. */
export function addValues(hit: PrintedHit, name: string, values: readonly JsonValue[]): void {
  const before: unknown = hit.fields instanceof Map ? hit.fields.get(name) : undefined
  setValues(hit, name, Array.isArray(before) ? [...before, ...values] : values)
}
