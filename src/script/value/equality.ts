/**
 * Java's `equals` of any value, and keys of maps by it. Scalars that JavaScript holds as such are keys
 * of a `Map` by themselves; boxed numbers, lists and other objects are found by their hash, in an
 * index beside the map that is made when one is first asked for. `keys.ts` changes both.
 */
import { Float32, Float64 } from '../../util/json/json-value.ts'
import { stackOverflow } from '../java-faults.ts'
import { hashOf, MAX_VALUE_DEPTH, type StepCount } from './hash.ts'
import { MapEntry } from './map-entry.ts'
import { type ScriptMap, ScriptObject, type ScriptSet, type ScriptValue } from './script-value.ts'

/** A map or set that finds equal keys by itself: sorted ones, views of other maps. */
export interface OwnKeys {
  readonly findsEqualKeys: true
}

/** Keys that are objects, by hash. */
type KeyIndex = Map<number, ScriptValue[]>

const INDEXES = new WeakMap<ScriptMap | ScriptSet, KeyIndex>()

/**
 * `a.equals(b)`, also for two nulls: numbers of different classes are never equal.
 * @throws {ScriptFault} `stack_overflow_error`: nested too deep, a list within itself for example
 */
export function valuesEqual(a: ScriptValue, b: ScriptValue, run: StepCount, depth = 0): boolean {
  if (Object.is(a, b)) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  if (a instanceof Float64) return b instanceof Float64 && Object.is(a.value, b.value)
  if (a instanceof Float32) return b instanceof Float32 && Object.is(a.value, b.value)
  if (a instanceof MapEntry) {
    if (depth > MAX_VALUE_DEPTH) throw stackOverflow()
    return (
      b instanceof MapEntry &&
      valuesEqual(a.key, b.key, run, depth + 1) &&
      valuesEqual(a.value, b.value, run, depth + 1)
    )
  }
  if (a instanceof ScriptObject) return a.equals(b)
  if (depth > MAX_VALUE_DEPTH) throw stackOverflow()
  run.step()
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!valuesEqual(a[i]!, b[i]!, run, depth + 1)) return false
    return true
  }
  if (a instanceof Map) {
    if (!(b instanceof Map) || a.size !== b.size) return false
    for (const [key, value] of a) {
      run.step()
      if (!b.has(heldKey(b, key, run))) return false
      if (!valuesEqual(value, b.get(heldKey(b, key, run)) ?? null, run, depth + 1)) return false
    }
    return true
  }
  if (!(b instanceof Set) || a.size !== b.size) return false
  for (const item of a) {
    run.step()
    if (!b.has(heldKey(b, item, run))) return false
  }
  return true
}

/** Whether a key is found by its hash. */
export function isObject(key: ScriptValue): key is Exclude<ScriptValue, null> & object {
  return typeof key === 'object' && key !== null
}

/** Whether a map finds equal keys by itself. */
export function findsEqualKeys(map: ScriptMap | ScriptSet): boolean {
  return 'findsEqualKeys' in map
}

/** The key of the map that equals a given one; without it the given one. */
export function heldKey(map: ScriptMap | ScriptSet, key: ScriptValue, run: StepCount): ScriptValue {
  if (!isObject(key) || findsEqualKeys(map) || map.size === 0) return key
  const bucket = keyIndex(map, run).get(hashOf(key, run))
  if (bucket !== undefined)
    for (const held of bucket) {
      run.step()
      if (valuesEqual(held, key, run) && map.has(held)) return held
    }
  return key
}

/** A map's index, made anew if there is none. */
export function keyIndex(map: ScriptMap | ScriptSet, run: StepCount): KeyIndex {
  let index = INDEXES.get(map)
  if (index !== undefined) return index
  index = new Map()
  INDEXES.set(map, index)
  for (const key of map.keys()) {
    run.step()
    if (!isObject(key)) continue
    const hash = hashOf(key, run)
    const bucket = index.get(hash)
    if (bucket === undefined) index.set(hash, [key])
    else bucket.push(key)
  }
  return index
}
