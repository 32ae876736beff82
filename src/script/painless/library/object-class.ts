/** `Object`, `Comparable` and `System`. */
import { compareValues, isComparable } from '../../value/compare.ts'
import { valuesEqual } from '../../value/equality.ts'
import { hashOf } from '../../value/hash.ts'
import { ScriptObject, type ScriptValue } from '../../value/script-value.ts'
import { textOfValue } from '../../value/value-text.ts'
import { classOf, staticClass } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { constructors, members } from './members.ts'

/** Members of every value. */
const OBJECT: ClassType = {
  ...classOf('Object', 'java.lang.Object', () => true),
  supers: [],
  constructors: constructors('Object', { '()': () => new PlainObject() }),
  methods: members({
    'boolean equals(def)': (run, value: ScriptValue, other: ScriptValue) =>
      valuesEqual(value, other, run),
    'int hashCode()': (run, value: ScriptValue) => hashOf(value, run),
    'String toString()': (run, value: ScriptValue) => textOfValue(value, run),
  }),
}

const COMPARABLE: ClassType = {
  ...classOf('Comparable', 'java.lang.Comparable', isComparable),
  methods: members({
    'int compareTo(def)': (_run, value: ScriptValue, other: ScriptValue) =>
      compareValues(value, other),
  }),
}

const SYSTEM: ClassType = {
  ...staticClass('System', 'java.lang.System'),
  statics: members({
    'long currentTimeMillis()': () => Date.now(),
    'long nanoTime()': () => Math.round(performance.now() * 1e6),
  }),
}

/** `Object`, `Comparable`, `System`. */
export const OBJECT_CLASSES: readonly ClassType[] = [OBJECT, COMPARABLE, SYSTEM]

/** A `new Object()`, which is only equal to itself. */
class PlainObject extends ScriptObject {
  readonly className: string = 'java.lang.Object'

  override text(): string {
    return 'java.lang.Object@0'
  }
}
