/** Java's `hashCode` of any value. */
import { Float32, Float64 } from '../../util/json/json-value.ts'
import { stackOverflow } from '../java-faults.ts'
import { MapEntry } from './map-entry.ts'
import { ScriptObject, type ScriptValue, textHash } from './script-value.ts'

/** Counts the values that a comparison or a hash visits. */
export interface StepCount {
  step(count?: number): void
}

/** Ends a comparison that no execution counts: what outlives one, a sorted map, must not count on it. */
export class BoundedSteps implements StepCount {
  #left = 1_000_000

  /** @throws {ScriptFault} `stack_overflow_error` */
  step(count = 1): void {
    this.#left -= count
    if (this.#left < 0) throw stackOverflow()
  }
}

/** How deep lists and maps may nest that are compared, hashed or printed. */
export const MAX_VALUE_DEPTH = 500

/**
 * `value.hashCode()`; 0 for null.
 * @throws {ScriptFault} `stack_overflow_error`: nested too deep
 */
export function hashOf(value: ScriptValue, run: StepCount, depth = 0): number {
  switch (typeof value) {
    case 'string':
      run.step(value.length >> 6)
      return textHash(value)
    case 'boolean':
      return value ? 1231 : 1237
    case 'number':
      return Number.isInteger(value) ? value : doubleHash(value)
    case 'bigint':
      return longHash(value)
    case 'object':
      if (value === null) return 0
      if (value instanceof Float64) return doubleHash(value.value)
      if (value instanceof Float32) return floatHash(value.value)
      return value instanceof ScriptObject && !(value instanceof MapEntry)
        ? value.hash()
        : collectionHash(value, run, depth)
  }
}

function collectionHash(
  value: ScriptValue[] | Map<ScriptValue, ScriptValue> | Set<ScriptValue> | MapEntry,
  run: StepCount,
  depth: number,
): number {
  if (depth > MAX_VALUE_DEPTH) throw stackOverflow()
  run.step()
  let hash = 0
  if (value instanceof MapEntry)
    hash = hashOf(value.key, run, depth + 1) ^ hashOf(value.value, run, depth + 1)
  else if (Array.isArray(value)) {
    hash = 1
    for (const item of value) hash = (Math.imul(hash, 31) + hashOf(item, run, depth + 1)) | 0
  } else if (value instanceof Map)
    for (const [key, item] of value)
      hash = (hash + (hashOf(key, run, depth + 1) ^ hashOf(item, run, depth + 1))) | 0
  else for (const item of value) hash = (hash + hashOf(item, run, depth + 1)) | 0
  return hash
}

/** `Long.hashCode`. */
export function longHash(value: bigint): number {
  const bits = BigInt.asUintN(64, value)
  return Number(BigInt.asIntN(32, bits ^ (bits >> 32n)))
}

const BITS = new DataView(new ArrayBuffer(8))

/** `Double.hashCode`. */
export function doubleHash(value: number): number {
  BITS.setFloat64(0, Number.isNaN(value) ? Number.NaN : value)
  return BITS.getInt32(0) ^ BITS.getInt32(4)
}

/** `Float.hashCode`, which is also `floatToIntBits`. */
export function floatHash(value: number): number {
  BITS.setFloat32(0, value)
  return BITS.getInt32(0)
}
