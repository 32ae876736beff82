/** The live views of a map: what is taken out of one is taken out of the map. */
import { unsupportedOperation } from '../java-faults.ts'
import { type OwnKeys, valuesEqual } from './equality.ts'
import { BoundedSteps, type StepCount } from './hash.ts'
import { deleteKey, hasKey, valueOfKey } from './keys.ts'
import { MapEntry } from './map-entry.ts'
import { ScriptCollection } from './script-collection.ts'
import type { ScriptMap, ScriptValue } from './script-value.ts'

/** `map.keySet()`. */
export class KeySet extends Set<ScriptValue> implements OwnKeys {
  readonly findsEqualKeys = true
  readonly className: string = 'java.util.HashMap$KeySet'
  readonly #map: ScriptMap

  constructor(map: ScriptMap) {
    super()
    this.#map = map
  }

  override get size(): number {
    return this.#map.size
  }

  override has(key: ScriptValue): boolean {
    return hasKey(this.#map, key, new BoundedSteps())
  }

  override delete(key: ScriptValue): boolean {
    return deleteKey(this.#map, key, new BoundedSteps())
  }

  override clear(): void {
    this.#map.clear()
  }

  override add(_key: ScriptValue): this {
    throw unsupportedOperation('keys of a map are added with their values')
  }

  override [Symbol.iterator](): SetIterator<ScriptValue> {
    return this.#map.keys()
  }

  override keys(): SetIterator<ScriptValue> {
    return this.#map.keys()
  }

  override values(): SetIterator<ScriptValue> {
    return this.#map.keys()
  }
}

/** `map.entrySet()`: its entries are made while it is walked over. */
export class EntrySet extends Set<ScriptValue> implements OwnKeys {
  readonly findsEqualKeys = true
  readonly className: string = 'java.util.HashMap$EntrySet'
  readonly #map: ScriptMap

  constructor(map: ScriptMap) {
    super()
    this.#map = map
  }

  override get size(): number {
    return this.#map.size
  }

  override has(entry: ScriptValue): boolean {
    return (
      entry instanceof MapEntry &&
      hasKey(this.#map, entry.key, new BoundedSteps()) &&
      valuesEqual(
        valueOfKey(this.#map, entry.key, new BoundedSteps()),
        entry.value,
        new BoundedSteps(),
      )
    )
  }

  override delete(entry: ScriptValue): boolean {
    return (
      entry instanceof MapEntry &&
      this.has(entry) &&
      deleteKey(this.#map, entry.key, new BoundedSteps())
    )
  }

  override clear(): void {
    this.#map.clear()
  }

  override add(_entry: ScriptValue): this {
    throw unsupportedOperation('entries are put into the map')
  }

  override *[Symbol.iterator](): SetIterator<ScriptValue> {
    for (const [key, value] of this.#map) yield new MapEntry(key, value, this.#map)
    return undefined
  }

  override keys(): SetIterator<ScriptValue> {
    return this[Symbol.iterator]()
  }

  override values(): SetIterator<ScriptValue> {
    return this[Symbol.iterator]()
  }
}

/** `map.values()`. */
export class MapValues extends ScriptCollection {
  readonly className: string = 'java.util.HashMap$Values'
  readonly #map: ScriptMap

  constructor(map: ScriptMap) {
    super()
    this.#map = map
  }

  override get size(): number {
    return this.#map.size
  }

  override [Symbol.iterator](): Iterator<ScriptValue> {
    return this.#map.values()
  }

  /** The entries that hold these values. */
  entries(): EntrySet {
    return new EntrySet(this.#map)
  }

  override remove(value: ScriptValue): boolean {
    const steps = new BoundedSteps()
    for (const [key, held] of this.#map)
      if (valuesEqual(held, value, steps)) return deleteKey(this.#map, key, steps)
    return false
  }

  /** Takes out the entries whose values match. */
  removeIf(run: StepCount, matches: (value: ScriptValue) => boolean): boolean {
    let hasChanged = false
    for (const [key, held] of this.#map) {
      run.step()
      if (matches(held)) hasChanged = deleteKey(this.#map, key, run) || hasChanged
    }
    return hasChanged
  }

  override clear(): void {
    this.#map.clear()
  }
}
