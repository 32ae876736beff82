import type { LeafValues } from '../leaf-values.ts'
import type { MappedField } from './mapped-field.ts'

/**
 * Refuses an object where a field wants text.
 * @throws {EngineError} always: text is never malformed so that it could be ignored
 */
export function refuseTextObject(field: MappedField, values: LeafValues): never {
  const { line, column } = values.reader
  throw values.skipObject(field, {
    type: 'illegal_state_exception',
    reason: `Can't get text on a START_OBJECT at ${line}:${column}`,
  })
}
