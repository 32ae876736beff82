/**
 * Changes and look-ups of maps and sets by Java's equality of keys. Every key that is an object enters
 * and leaves a map through this file; scalar keys may go by any way.
 */
import { stackOverflow } from '../java-faults.ts'
import { findsEqualKeys, heldKey, isObject, keyIndex } from './equality.ts'
import { hashOf, type StepCount } from './hash.ts'
import type { ScriptMap, ScriptSet, ScriptValue } from './script-value.ts'

/** The value of a key; null without it. */
export function valueOfKey(map: ScriptMap, key: ScriptValue, run: StepCount): ScriptValue {
  return map.get(heldKey(map, key, run)) ?? null
}

/** Whether a map has a key, or a set a member. */
export function hasKey(map: ScriptMap | ScriptSet, key: ScriptValue, run: StepCount): boolean {
  return map.has(heldKey(map, key, run))
}

/** Sets the value of a key. The caller has charged what a new entry takes. */
export function setKey(map: ScriptMap, key: ScriptValue, value: ScriptValue, run: StepCount): void {
  if (isObject(key) && !findsEqualKeys(map)) {
    const held = heldKey(map, key, run)
    if (!map.has(held)) enter(map, key, run)
    map.set(held, value)
  } else map.set(key, value)
}

/**
 * Adds a member. The caller has charged what it takes.
 * @returns false: it was there
 */
export function addKey(set: ScriptSet, key: ScriptValue, run: StepCount): boolean {
  if (set.constructor !== Set) {
    // Sorted sets know by themselves; views and unmodifiable sets throw.
    const { size } = set
    set.add(key)
    return set.size > size
  }
  if (hasKey(set, key, run)) return false
  if (isObject(key)) enter(set, key, run)
  set.add(key)
  return true
}

/**
 * Takes out a key with its value, or a member.
 * @returns whether it was there
 */
export function deleteKey(map: ScriptMap | ScriptSet, key: ScriptValue, run: StepCount): boolean {
  if (!isObject(key) || findsEqualKeys(map)) return map.delete(key)
  const held = heldKey(map, key, run)
  const bucket = keyIndex(map, run).get(hashOf(held, run))
  const ord = bucket?.indexOf(held) ?? -1
  if (ord >= 0) bucket!.splice(ord, 1)
  return map.delete(held)
}

function enter(map: ScriptMap | ScriptSet, key: ScriptValue, run: StepCount): void {
  // A key may hold the map, or itself.
  if (key === map) throw stackOverflow()
  const index = keyIndex(map, run)
  const hash = hashOf(key, run)
  const bucket = index.get(hash)
  if (bucket === undefined) index.set(hash, [key])
  else bucket.push(key)
}
