import type { ScriptValue } from '../script/value/script-value.ts'
import { IllegalArgumentError } from '../util/errors.ts'

/**
 * Checks that no list, map or set holds itself, which scripts can bring about.
 * @throws {EngineError} `illegal_argument_exception`
 */
export function checkSelfReferences(value: ScriptValue, above: Set<object> = new Set()): void {
  if (value === null || typeof value !== 'object') return
  if (!(Array.isArray(value) || value instanceof Map || value instanceof Set)) return
  if (above.has(value)) throw new IllegalArgumentError('Iterable object is self-referencing itself')
  above.add(value)
  for (const item of value.values()) checkSelfReferences(item, above)
  above.delete(value)
}
