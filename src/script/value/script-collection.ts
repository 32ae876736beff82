import { ScriptObject, type ScriptValue } from './script-value.ts'

/** A collection that is neither a list nor a set: the values of a map, a doc value. */
export abstract class ScriptCollection extends ScriptObject {
  abstract readonly size: number

  abstract [Symbol.iterator](): Iterator<ScriptValue>

  /**
   * Takes one element that equals out of it.
   * @returns whether there was one
   * @throws {ScriptFault} `unsupported_operation_exception`: it cannot be changed
   */
  abstract remove(value: ScriptValue): boolean

  /** @throws {ScriptFault} `unsupported_operation_exception`: it cannot be changed */
  abstract clear(): void

  override text(): string {
    return this.className
  }

  override plain(): ScriptValue {
    return [...this]
  }
}

/** The elements of an `Iterable`; null: the value is none. */
export function elementsOf(value: ScriptValue): Iterable<ScriptValue> | null {
  if (Array.isArray(value) || value instanceof Set || value instanceof ScriptCollection)
    return value
  return null
}

/** How many elements a list, set or other collection holds. */
export function sizeOf(collection: ScriptValue[] | Set<ScriptValue> | ScriptCollection): number {
  return Array.isArray(collection) ? collection.length : collection.size
}
