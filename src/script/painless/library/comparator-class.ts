import { compareValues } from '../../value/compare.ts'
import { doubleValue, type ScriptValue } from '../../value/script-value.ts'
import { doubleFrom, intFrom, longFrom } from './call-function.ts'
import { classOf } from './class-of.ts'
import { type ClassType, ScriptFunction } from './class-type.ts'
import { functional, members } from './members.ts'
import { NativeFunction } from './native-function.ts'

const JAVA_NAME = 'java.util.Comparator'

type Order = (a: ScriptValue, b: ScriptValue) => number

/** `Comparator`. */
export const COMPARATOR: ClassType = {
  ...classOf('Comparator', JAVA_NAME, value => value instanceof ScriptFunction),
  functional: functional('int', 'def', 'def'),
  methods: members({
    'int compare(def, def)': (_run, order: ScriptFunction, a: ScriptValue, b: ScriptValue) =>
      intFrom(order, a, b),
    'Comparator reversed()': (_run, order: ScriptFunction) =>
      comparator((a, b) => intFrom(order, b, a)),
    'Comparator thenComparing(Comparator)': (_run, order: ScriptFunction, next: ScriptFunction) =>
      then(order, (a, b) => intFrom(next, a, b)),
    'Comparator thenComparing(Function, Comparator)': (
      _run,
      order: ScriptFunction,
      key: ScriptFunction,
      next: ScriptFunction,
    ) => then(order, (a, b) => intFrom(next, key.call(a), key.call(b))),
    'Comparator thenComparingDouble(ToDoubleFunction)': (
      _run,
      order: ScriptFunction,
      key: ScriptFunction,
    ) => then(order, byDouble(key)),
    'Comparator thenComparingInt(ToIntFunction)': (
      _run,
      order: ScriptFunction,
      key: ScriptFunction,
    ) => then(order, byInt(key)),
    'Comparator thenComparingLong(ToLongFunction)': (
      _run,
      order: ScriptFunction,
      key: ScriptFunction,
    ) => then(order, byLong(key)),
  }),
  statics: members({
    'Comparator comparing(Function)': (_run, _, key: ScriptFunction) =>
      comparator((a, b) => compareValues(key.call(a), key.call(b))),
    'Comparator comparing(Function, Comparator)': (
      _run,
      _,
      key: ScriptFunction,
      order: ScriptFunction,
    ) => comparator((a, b) => intFrom(order, key.call(a), key.call(b))),
    'Comparator comparingDouble(ToDoubleFunction)': (_run, _, key: ScriptFunction) =>
      comparator(byDouble(key)),
    'Comparator comparingInt(ToIntFunction)': (_run, _, key: ScriptFunction) =>
      comparator(byInt(key)),
    'Comparator comparingLong(ToLongFunction)': (_run, _, key: ScriptFunction) =>
      comparator(byLong(key)),
    'Comparator naturalOrder()': () => comparator(compareValues),
    'Comparator nullsFirst(Comparator?)': (_run, _, order: ScriptFunction | null) =>
      nulls(order, -1),
    'Comparator nullsLast(Comparator?)': (_run, _, order: ScriptFunction | null) => nulls(order, 1),
    'Comparator reverseOrder()': () => comparator((a, b) => compareValues(b, a)),
  }),
}

/** A comparator of the library's own. */
export function comparator(order: Order): ScriptFunction {
  return new NativeFunction(JAVA_NAME, (a, b) => order(a ?? null, b ?? null))
}

function byDouble(key: ScriptFunction): Order {
  return (a, b) => compareValues(doubleValue(doubleFrom(key, a)), doubleValue(doubleFrom(key, b)))
}

function byInt(key: ScriptFunction): Order {
  return (a, b) => intFrom(key, a) - intFrom(key, b)
}

function byLong(key: ScriptFunction): Order {
  return (a, b) => {
    const longA = longFrom(key, a)
    const longB = longFrom(key, b)
    return longA < longB ? -1 : longA > longB ? 1 : 0
  }
}

function then(order: ScriptFunction, next: Order): ScriptFunction {
  return comparator((a, b) => intFrom(order, a, b) || next(a, b))
}

function nulls(order: ScriptFunction | null, sign: number): ScriptFunction {
  return comparator((a, b) => {
    if (a === null || b === null) return a === b ? 0 : a === null ? sign : -sign
    return order === null ? 0 : intFrom(order, a, b)
  })
}
