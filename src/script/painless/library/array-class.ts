import { arrayIndexOutOfBounds, illegalArgument } from '../../java-faults.ts'
import { chargeList } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { valuesEqual } from '../../value/equality.ts'
import { hashOf } from '../../value/hash.ts'
import { emptyItem, ScriptArray } from '../../value/script-array.ts'
import type { ScriptList, ScriptValue } from '../../value/script-value.ts'
import { textOfValue } from '../../value/value-text.ts'
import { arrayOf, listOfArray, objectArrayOf, requireStorable } from './array-of.ts'
import { staticClass } from './class-of.ts'
import type { ClassType, ScriptFunction } from './class-type.ts'
import { comparatorOf } from './list-classes.ts'
import { members } from './members.ts'
import { streamOf } from './stream-value.ts'

/** `Arrays`. */
export const ARRAYS: ClassType = {
  ...staticClass('Arrays', 'java.util.Arrays'),
  statics: members({
    'List asList(Object)': (run, _, array: ScriptValue) => listOfArray(run, objectArrayOf(array)),
    'int binarySearch(Object, def)': (run, _, array: ScriptValue, key: ScriptValue) =>
      binarySearch(listOfArray(run, arrayOf(array)), key, comparatorOf(run, null)),
    'int binarySearch(Object, def, Comparator)': (
      run,
      _,
      array: ScriptValue,
      key: ScriptValue,
      order: ScriptFunction,
    ) => binarySearch(listOfArray(run, arrayOf(array)), key, comparatorOf(run, order)),
    'def copyOf(Object, int)': (run, _, array: ScriptValue, length: number) =>
      copyOfRange(run, arrayOf(array), 0, length),
    'def copyOfRange(Object, int, int)': (run, _, array: ScriptValue, start: number, end: number) =>
      copyOfRange(run, arrayOf(array), start, end),
    'boolean equals(Object, Object)': (run, _, a: ScriptValue, b: ScriptValue) =>
      a === b ||
      (a !== null &&
        b !== null &&
        arrayOf(a).itemType === arrayOf(b).itemType &&
        valuesEqual(arrayOf(a).values(), arrayOf(b).values(), run)),
    'void fill(Object, def)': (run, _, array: ScriptValue, value: ScriptValue) => {
      const { items, itemType } = objectArrayOf(array)
      requireStorable(itemType, value)
      run.step(items.length >> 6)
      items.fill(value)
    },
    'int hashCode(Object)': (run, _, array: ScriptValue) =>
      array === null ? 0 : hashOf(arrayOf(array).values(), run),
    'void sort(Object)': (run, _, array: ScriptValue) => {
      sort(run, arrayOf(array), null)
    },
    'void sort(Object, Comparator?)': (
      run,
      _,
      array: ScriptValue,
      order: ScriptFunction | null,
    ) => {
      sort(run, objectArrayOf(array), order)
    },
    'Stream stream(Object)': (run, _, array: ScriptValue) =>
      streamOf(run, listOfArray(run, objectArrayOf(array))),
    'String toString(Object)': (run, _, array: ScriptValue) =>
      array === null ? 'null' : textOfValue(arrayOf(array).values(), run),
  }),
}

function copyOfRange(run: ScriptRun, array: ScriptArray, start: number, end: number): ScriptArray {
  const { items, itemType } = array
  if (start < 0 || start > items.length) throw arrayIndexOutOfBounds(start, items.length)
  if (start > end) throw illegalArgument(`${start} > ${end}`)
  chargeList(run, end - start, end - start)
  run.step((end - start) >> 6)
  const copy = items.slice(start, end)
  while (copy.length < end - start) copy.push(emptyItem(itemType))
  return new ScriptArray(itemType, copy)
}

/** Sorts the items; those of primitive types by their size. */
function sort(run: ScriptRun, array: ScriptArray, order: ScriptFunction | null): void {
  const { items, itemType } = array
  if (emptyItem(itemType) === null) {
    const sorted = listOfArray(run, array).sort(comparatorOf(run, order))
    for (let i = 0; i < sorted.length; i++) items[i] = sorted[i]!
    return
  }
  run.step(items.length >> 2)
  // Longs of both forms compare by size; not-a-number comes last, and −0.0 before 0.0.
  items.sort((a, b) => {
    if (a! < b!) return -1
    if (a! > b!) return 1
    if (a === b && a !== 0) return 0
    const rank = (item: ScriptValue): number =>
      Number.isNaN(item) ? 1 : Object.is(item, -0) ? -1 : 0
    return rank(a) - rank(b)
  })
}

/** Index of a key; without it −1 minus the index where it would stand. */
export function binarySearch(
  list: ScriptList,
  key: ScriptValue,
  compare: (a: ScriptValue, b: ScriptValue) => number,
): number {
  let low = 0
  let high = list.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const order = compare(list[middle]!, key)
    if (order === 0) return middle
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return -1 - low
}
