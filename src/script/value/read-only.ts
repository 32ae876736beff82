/** Values that refuse every change, however deep, with a reason of their context's. */
import { unsupportedOperation } from '../java-faults.ts'
import type { ScriptList, ScriptMap, ScriptValue } from './script-value.ts'
import { UnmodifiableMap, unmodifiableList } from './unmodifiable.ts'

/** Why a list refuses changes. */
const REASONS = new WeakMap<ScriptList, string>()

/**
 * A copy of a value that no script can change; a value that is neither a list nor a map is itself.
 * @param reason of the `unsupported_operation_exception` that a change throws
 */
export function readOnly(value: ScriptValue, reason: string): ScriptValue {
  if (Array.isArray(value)) {
    const list = unmodifiableList(value.map(item => readOnly(item, reason)))
    REASONS.set(list, reason)
    return list
  }
  return value instanceof Map ? new ReadOnlyMap(value, reason) : value
}

/** Why a list refuses changes; null: for no reason of a context's. */
export function reasonOfList(list: ScriptList): string | null {
  return REASONS.get(list) ?? null
}

class ReadOnlyMap extends UnmodifiableMap {
  readonly #reason: string

  constructor(map: ScriptMap, reason: string) {
    super(new Map([...map].map(([key, value]) => [key, readOnly(value, reason)])))
    this.#reason = reason
  }

  override set(_key: ScriptValue, _value: ScriptValue): this {
    throw unsupportedOperation(this.#reason)
  }

  override delete(_key: ScriptValue): boolean {
    throw unsupportedOperation(this.#reason)
  }

  override clear(): void {
    throw unsupportedOperation(this.#reason)
  }
}
