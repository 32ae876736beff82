/** Lists, maps and sets that refuse changes: copies, so that changes of the original do not show. */
import { unsupportedOperation } from '../java-faults.ts'
import type { ScriptList, ScriptMap, ScriptValue } from './script-value.ts'

/** A copy of a list that cannot be changed. */
export function unmodifiableList(items: Iterable<ScriptValue>): ScriptList {
  return Object.freeze([...items]) as ScriptList
}

/**
 * A list that a member is about to change.
 * @throws {ScriptFault} `unsupported_operation_exception`
 */
export function modifiable(list: ScriptList): ScriptList {
  if (Object.isFrozen(list)) throw unsupportedOperation('the list is unmodifiable')
  return list
}

/** A map that cannot be changed. */
export class UnmodifiableMap extends Map<ScriptValue, ScriptValue> {
  readonly className: string = 'java.util.Collections$UnmodifiableMap'

  constructor(map: ScriptMap) {
    super()
    for (const [key, value] of map) super.set(key, value)
  }

  override set(_key: ScriptValue, _value: ScriptValue): this {
    throw unsupportedOperation('the map is unmodifiable')
  }

  override delete(_key: ScriptValue): boolean {
    throw unsupportedOperation('the map is unmodifiable')
  }

  override clear(): void {
    throw unsupportedOperation('the map is unmodifiable')
  }
}

/** A set that cannot be changed. */
export class UnmodifiableSet extends Set<ScriptValue> {
  readonly className: string = 'java.util.Collections$UnmodifiableSet'

  constructor(set: Iterable<ScriptValue>) {
    super()
    for (const member of set) super.add(member)
  }

  override add(_member: ScriptValue): this {
    throw unsupportedOperation('the set is unmodifiable')
  }

  override delete(_member: ScriptValue): boolean {
    throw unsupportedOperation('the set is unmodifiable')
  }

  override clear(): void {
    throw unsupportedOperation('the set is unmodifiable')
  }
}
