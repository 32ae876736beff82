/** Values of scripts as plain data, which crosses threads. */

import { BigIntegerValue } from '../../script/value/big-integer.ts'
import { ScriptArray } from '../../script/value/script-array.ts'
import { elementsOf } from '../../script/value/script-collection.ts'
import { classNameOf, type ScriptValue } from '../../script/value/script-value.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { Float32, Float64 } from '../../util/json/json-value.ts'

/** A value: a scalar as it is, all else by its kind. */
export type PackedValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | { readonly kind: 'double' | 'float'; readonly value: number }
  | { readonly kind: 'bigInteger'; readonly value: bigint }
  | { readonly kind: 'list' | 'set'; readonly items: readonly PackedValue[] }
  | { readonly kind: 'array'; readonly type: string; readonly items: readonly PackedValue[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [PackedValue, PackedValue])[] }

/**
 * Packs a value.
 * @throws {IllegalArgumentError} a value that holds itself, or one of a class that cannot be sent
 */
export function packValue(value: ScriptValue, above: ReadonlySet<object> = new Set()): PackedValue {
  if (value === null || typeof value !== 'object') return value
  if (value instanceof Float64) return { kind: 'double', value: value.value }
  if (value instanceof Float32) return { kind: 'float', value: value.value }
  if (value instanceof BigIntegerValue) return { kind: 'bigInteger', value: value.value }
  if (above.has(value)) throw new IllegalArgumentError('Iterable object is self-referencing itself')
  const within = new Set(above).add(value)
  const pack = (item: ScriptValue): PackedValue => packValue(item, within)
  if (value instanceof Map)
    return { kind: 'map', entries: [...value].map(([key, item]) => [pack(key), pack(item)]) }
  if (value instanceof ScriptArray)
    return { kind: 'array', type: value.itemType, items: value.items.map(pack) }
  const elements = elementsOf(value)
  if (elements !== null)
    return { kind: value instanceof Set ? 'set' : 'list', items: Array.from(elements, pack) }
  throw new IllegalArgumentError(`Cannot write type [${classNameOf(value)}] to stream`)
}

/** The value that was packed. */
export function unpackValue(packed: PackedValue): ScriptValue {
  if (packed === null || typeof packed !== 'object') return packed
  switch (packed.kind) {
    case 'double':
      return new Float64(packed.value)
    case 'float':
      return new Float32(packed.value)
    case 'bigInteger':
      return new BigIntegerValue(packed.value)
    case 'list':
      return packed.items.map(unpackValue)
    case 'set':
      return new Set(packed.items.map(unpackValue))
    case 'array':
      return new ScriptArray(packed.type, packed.items.map(unpackValue))
    case 'map':
      return new Map(packed.entries.map(([key, item]) => [unpackValue(key), unpackValue(item)]))
  }
}
