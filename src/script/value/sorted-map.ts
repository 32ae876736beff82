import type { OwnKeys } from './equality.ts'
import type { ScriptValue } from './script-value.ts'
import { type KeyOrder, SortedKeys } from './sorted-keys.ts'

/** A `java.util.TreeMap`: a map in ascending order of its keys. */
export class SortedMap extends Map<ScriptValue, ScriptValue> implements OwnKeys {
  readonly findsEqualKeys = true
  readonly className: string = 'java.util.TreeMap'
  /** Its entries by their index in order. */
  readonly sorted: SortedKeys

  constructor(order: KeyOrder) {
    super()
    this.sorted = new SortedKeys(order)
  }

  override get size(): number {
    return this.sorted.size
  }

  override get(key: ScriptValue): ScriptValue | undefined {
    const index = this.sorted.find(key)
    return index < 0 ? undefined : this.sorted.valueAt(index)
  }

  override has(key: ScriptValue): boolean {
    return this.sorted.find(key) >= 0
  }

  override set(key: ScriptValue, value: ScriptValue): this {
    this.sorted.set(key, value)
    return this
  }

  override delete(key: ScriptValue): boolean {
    const index = this.sorted.find(key)
    if (index >= 0) this.sorted.deleteAt(index)
    return index >= 0
  }

  override clear(): void {
    this.sorted.clear()
  }

  override [Symbol.iterator](): MapIterator<[ScriptValue, ScriptValue]> {
    return this.sorted.entries()
  }

  override entries(): MapIterator<[ScriptValue, ScriptValue]> {
    return this.sorted.entries()
  }

  override *keys(): MapIterator<ScriptValue> {
    for (const [key] of this.sorted.entries()) yield key
    return undefined
  }

  override *values(): MapIterator<ScriptValue> {
    for (const [, value] of this.sorted.entries()) yield value
    return undefined
  }
}

/** A `java.util.TreeSet`: a set in ascending order. */
export class SortedSet extends Set<ScriptValue> implements OwnKeys {
  readonly findsEqualKeys = true
  readonly className: string = 'java.util.TreeSet'
  /** Its members by their index in order; their values are null. */
  readonly sorted: SortedKeys

  constructor(order: KeyOrder) {
    super()
    this.sorted = new SortedKeys(order)
  }

  override get size(): number {
    return this.sorted.size
  }

  override has(key: ScriptValue): boolean {
    return this.sorted.find(key) >= 0
  }

  override add(key: ScriptValue): this {
    if (this.sorted.find(key) < 0) this.sorted.set(key, null)
    return this
  }

  override delete(key: ScriptValue): boolean {
    const index = this.sorted.find(key)
    if (index >= 0) this.sorted.deleteAt(index)
    return index >= 0
  }

  override clear(): void {
    this.sorted.clear()
  }

  override *[Symbol.iterator](): SetIterator<ScriptValue> {
    for (const [key] of this.sorted.entries()) yield key
    return undefined
  }

  override keys(): SetIterator<ScriptValue> {
    return this[Symbol.iterator]()
  }

  override values(): SetIterator<ScriptValue> {
    return this[Symbol.iterator]()
  }
}
