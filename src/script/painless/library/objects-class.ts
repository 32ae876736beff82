import { nullPointer } from '../../java-faults.ts'
import { valuesEqual } from '../../value/equality.ts'
import { hashOf } from '../../value/hash.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import { textOfValue } from '../../value/value-text.ts'
import { listOfArray, objectArrayOf } from './array-of.ts'
import { intFrom } from './call-function.ts'
import { staticClass } from './class-of.ts'
import type { ClassType, ScriptFunction } from './class-type.ts'
import { members } from './members.ts'

/** `Objects`. */
export const OBJECTS: ClassType = {
  ...staticClass('Objects', 'java.util.Objects'),
  statics: members({
    'int compare(def, def, Comparator)': (
      _run,
      _,
      a: ScriptValue,
      b: ScriptValue,
      order: ScriptFunction,
    ) => (a === b ? 0 : intFrom(order, a, b)),
    'boolean deepEquals(Object, Object)': (run, _, a: ScriptValue, b: ScriptValue) =>
      valuesEqual(a, b, run),
    'boolean equals(Object, Object)': (run, _, a: ScriptValue, b: ScriptValue) =>
      valuesEqual(a, b, run),
    'int hash(Object)': (run, _, values: ScriptValue) =>
      hashOf(listOfArray(run, objectArrayOf(values)), run),
    'int hashCode(Object)': (run, _, value: ScriptValue) => hashOf(value, run),
    'boolean isNull(Object)': (_run, _, value: ScriptValue) => value === null,
    'boolean nonNull(Object)': (_run, _, value: ScriptValue) => value !== null,
    'def requireNonNull(def)': (_run, _, value: ScriptValue) => {
      if (value === null) throw nullPointer('the value must not be null')
      return value
    },
    'def requireNonNull(def, String)': (_run, _, value: ScriptValue, reason: string) => {
      if (value === null) throw nullPointer(reason)
      return value
    },
    'String toString(Object)': (run, _, value: ScriptValue) => textOfValue(value, run),
    'String toString(Object, String)': (run, _, value: ScriptValue, otherwise: string) =>
      value === null ? otherwise : textOfValue(value, run),
  }),
}
