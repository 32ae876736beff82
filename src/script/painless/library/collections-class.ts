import { illegalArgument, indexOutOfBounds, noSuchElement } from '../../java-faults.ts'
import { chargeList } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { compareValues } from '../../value/compare.ts'
import { valuesEqual } from '../../value/equality.ts'
import type { ScriptList, ScriptMap, ScriptSet, ScriptValue } from '../../value/script-value.ts'
import {
  modifiable,
  UnmodifiableMap,
  UnmodifiableSet,
  unmodifiableList,
} from '../../value/unmodifiable.ts'
import { binarySearch } from './array-class.ts'
import { listOfArray, objectArrayOf } from './array-of.ts'
import { intFrom } from './call-function.ts'
import { staticClass } from './class-of.ts'
import type { ClassType, ScriptFunction } from './class-type.ts'
import { type AnyCollection, addTo, contains } from './collection-class.ts'
import { comparator } from './comparator-class.ts'
import { listOf } from './iterable-class.ts'
import { comparatorOf, sortList } from './list-classes.ts'
import { copyOf } from './map-classes.ts'
import { members } from './members.ts'
import { setOf } from './set-classes.ts'
import { walk } from './walk.ts'

const EMPTY_LIST = unmodifiableList([])
const EMPTY_MAP = new UnmodifiableMap(new Map())
const EMPTY_SET = new UnmodifiableSet([])

/** The largest or smallest element. */
function extreme(
  run: ScriptRun,
  items: AnyCollection,
  order: ScriptFunction | null,
  sign: 1 | -1,
): ScriptValue {
  const compare = comparatorOf(run, order)
  let best: ScriptValue = null
  let isFirst = true
  for (const item of walk(run, items)) {
    if (isFirst || sign * compare(item, best) > 0) best = item
    isFirst = false
  }
  if (isFirst) throw noSuchElement('the collection is empty')
  return best
}

/** `Collections`; unmodifiable views are copies here. */
export const COLLECTIONS: ClassType = {
  ...staticClass('Collections', 'java.util.Collections'),
  constants: {
    EMPTY_LIST: { type: 'List', value: EMPTY_LIST },
    EMPTY_MAP: { type: 'Map', value: EMPTY_MAP },
    EMPTY_SET: { type: 'Set', value: EMPTY_SET },
  },
  statics: members({
    'boolean addAll(Collection, Object)': (run, _, items: AnyCollection, array: ScriptValue) => {
      let hasChanged = false
      for (const item of listOfArray(run, objectArrayOf(array)))
        hasChanged = addTo(run, items, item) || hasChanged
      return hasChanged
    },
    'int binarySearch(List, def)': (run, _, list: ScriptList, key: ScriptValue) =>
      binarySearch(list, key, comparatorOf(run, null)),
    'int binarySearch(List, def, Comparator?)': (
      run,
      _,
      list: ScriptList,
      key: ScriptValue,
      order: ScriptFunction | null,
    ) => binarySearch(list, key, comparatorOf(run, order)),
    'boolean disjoint(Collection, Collection)': (run, _, a: AnyCollection, b: AnyCollection) => {
      for (const item of walk(run, a)) if (contains(run, b, item)) return false
      return true
    },
    'List emptyList()': () => EMPTY_LIST,
    'Map emptyMap()': () => EMPTY_MAP,
    'Set emptySet()': () => EMPTY_SET,
    'void fill(List, def)': (run, _, list: ScriptList, value: ScriptValue) => {
      run.step(list.length >> 6)
      modifiable(list).fill(value)
    },
    'int frequency(Collection, def)': (run, _, items: AnyCollection, value: ScriptValue) => {
      let count = 0
      for (const item of walk(run, items)) if (valuesEqual(item, value, run)) count++
      return count
    },
    'def max(Collection)': (run, _, items: AnyCollection) => extreme(run, items, null, 1),
    'def max(Collection, Comparator?)': (
      run,
      _,
      items: AnyCollection,
      order: ScriptFunction | null,
    ) => extreme(run, items, order, 1),
    'def min(Collection)': (run, _, items: AnyCollection) => extreme(run, items, null, -1),
    'def min(Collection, Comparator?)': (
      run,
      _,
      items: AnyCollection,
      order: ScriptFunction | null,
    ) => extreme(run, items, order, -1),
    'List nCopies(int, def)': (run, _, count: number, value: ScriptValue) => {
      if (count < 0) throw illegalArgument(`List length = ${count}`)
      chargeList(run, count, count)
      run.step(count >> 6)
      return unmodifiableList(new Array<ScriptValue>(count).fill(value))
    },
    'boolean replaceAll(List, def, def)': (
      run,
      _,
      list: ScriptList,
      before: ScriptValue,
      after: ScriptValue,
    ) => {
      let hasChanged = false
      for (let i = 0; i < list.length; i++) {
        run.step()
        if (!valuesEqual(list[i]!, before, run)) continue
        modifiable(list)[i] = after
        hasChanged = true
      }
      return hasChanged
    },
    'void reverse(List)': (run, _, list: ScriptList) => {
      run.step(list.length >> 6)
      modifiable(list).reverse()
    },
    'Comparator reverseOrder()': () => comparator((a, b) => compareValues(b, a)),
    'Comparator reverseOrder(Comparator?)': (_run, _, order: ScriptFunction | null) =>
      comparator((a, b) => (order === null ? compareValues(b, a) : intFrom(order, b, a))),
    'void rotate(List, int)': (run, _, list: ScriptList, distance: number) => {
      const { length } = list
      if (length === 0) return undefined
      chargeList(run, length, length)
      run.step(length >> 6)
      const target = modifiable(list)
      const start = ((-distance % length) + length) % length
      const rotated = [...list.slice(start), ...list.slice(0, start)]
      for (let i = 0; i < length; i++) target[i] = rotated[i]!
      return undefined
    },
    'void shuffle(List)': (run, _, list: ScriptList) => {
      const target = modifiable(list)
      run.step(list.length >> 2)
      for (let i = target.length - 1; i > 0; i--)
        swap(target, i, Math.floor(Math.random() * (i + 1)))
    },
    'Set singleton(def)': (_run, _, value: ScriptValue) => new UnmodifiableSet([value]),
    'List singletonList(def)': (_run, _, value: ScriptValue) => unmodifiableList([value]),
    'Map singletonMap(def, def)': (_run, _, key: ScriptValue, value: ScriptValue) =>
      new UnmodifiableMap(new Map([[key, value]])),
    'void sort(List)': (run, _, list: ScriptList) => {
      sortList(run, list, null)
    },
    'void sort(List, Comparator?)': (run, _, list: ScriptList, order: ScriptFunction | null) => {
      sortList(run, list, order)
    },
    'void swap(List, int, int)': (_run, _, list: ScriptList, i: number, j: number) => {
      for (const index of [i, j])
        if (index < 0 || index >= list.length) throw indexOutOfBounds(index, list.length)
      swap(modifiable(list), i, j)
    },
    'Collection unmodifiableCollection(Collection)': (run, _, items: AnyCollection) =>
      unmodifiableList(listOf(run, items)),
    'List unmodifiableList(List)': (run, _, list: ScriptList) =>
      unmodifiableList(listOf(run, list)),
    'Map unmodifiableMap(Map)': (run, _, map: ScriptMap) => new UnmodifiableMap(copyOf(run, map)),
    'Set unmodifiableSet(Set)': (run, _, set: ScriptSet) => new UnmodifiableSet(setOf(run, set)),
  }),
}

function swap(list: ScriptList, i: number, j: number): void {
  const item = list[i]!
  list[i] = list[j]!
  list[j] = item
}
