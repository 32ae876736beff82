/**
 * The values that scripts and ingest processors work on, with Java's kinds of numbers kept apart,
 * because `1` and `1.0` divide and print differently:
 *
 *   null, boolean, String        null, boolean, string
 *   Integer                      number that is integral; always in −2³¹ … 2³¹−1
 *   Double                       number that is not integral (also not-a-number and infinities),
 *                                `Float64` where it is integral (`1.0`, `-0.0`, `1e10`)
 *   Float                        `Float32`
 *   Long                         bigint; always in −2⁶³ … 2⁶³−1
 *   ArrayList                    array; other lists are subclasses with a `className`
 *   HashMap, LinkedHashMap       Map in order of insertion; TreeMap and others are subclasses
 *   HashSet, LinkedHashSet       Set in order of insertion; TreeSet, keySet() … are subclasses
 *   Character                    `CharacterValue`
 *   arrays of Java's             `ScriptArray`
 *   any other class              an instance of `ScriptObject`
 *
 * Keys that users chose are keys of a `Map`, so that `__proto__` is a key like any other.
 */

import { doubleText, floatText } from '../../util/json/float-text.ts'
import { Float32, Float64 } from '../../util/json/json-value.ts'

/** A value as a script sees it where its static type is `def` or a class. */
export type ScriptValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | Float32
  | Float64
  | ScriptList
  | ScriptMap
  | ScriptSet
  | ScriptObject

/** A `java.util.ArrayList`. */
export type ScriptList = ScriptValue[]

/** A `java.util.HashMap` or `LinkedHashMap`; `keys.ts` finds keys that are objects by Java's equality. */
export type ScriptMap = Map<ScriptValue, ScriptValue>

/** A `java.util.HashSet` or `LinkedHashSet`. */
export type ScriptSet = Set<ScriptValue>

/** A value of any class that has no form of its own in JavaScript. */
export abstract class ScriptObject {
  /** Java's name of its class: `java.time.ZonedDateTime`. */
  abstract readonly className: string

  /** As Java's `toString`. */
  abstract text(): string

  /** As Java's `equals`; identity where a class does not say otherwise. */
  equals(other: ScriptValue): boolean {
    return this === other
  }

  /** As Java's `hashCode`: equal objects have equal ones. That of its text where a class does not say otherwise. */
  hash(): number {
    return textHash(this.text())
  }

  /** Its form in JSON; its text where a class does not say otherwise. */
  plain(): ScriptValue {
    return this.text()
  }
}

/** Java's `String.hashCode`. */
export function textHash(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return hash
}

/** A double as a value: boxed where it is integral. */
export function doubleValue(value: number): ScriptValue {
  return Number.isInteger(value) ? new Float64(value) : value
}

/** Java's name of a value's class. */
export function classNameOf(value: Exclude<ScriptValue, null>): string {
  switch (typeof value) {
    case 'boolean':
      return 'java.lang.Boolean'
    case 'string':
      return 'java.lang.String'
    case 'bigint':
      return 'java.lang.Long'
    case 'number':
      return Number.isInteger(value) ? 'java.lang.Integer' : 'java.lang.Double'
    case 'object':
      if (value instanceof Float64) return 'java.lang.Double'
      if (value instanceof Float32) return 'java.lang.Float'
      // Subclasses of array, Map and Set say which class of Java's they are.
      if ('className' in value) return value.className as string
      if (Array.isArray(value)) return 'java.util.ArrayList'
      return value instanceof Map ? 'java.util.HashMap' : 'java.util.HashSet'
  }
}

/** A scalar's text as Java's `String.valueOf`; null for lists, maps and sets. */
export function scalarText(value: ScriptValue): string | null {
  switch (typeof value) {
    case 'string':
      return value
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'number':
      return Number.isInteger(value) ? String(value) : doubleText(value)
    case 'object':
      if (value === null) return 'null'
      if (value instanceof Float64) return doubleText(value.value)
      if (value instanceof Float32) return floatText(value.value)
      return value instanceof ScriptObject ? value.text() : null
  }
}
