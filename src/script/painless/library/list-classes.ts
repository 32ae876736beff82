/** `List`, `ArrayList` and the lists that share its form. */
import { boundsFault, illegalArgument, indexOutOfBounds } from '../../java-faults.ts'
import { chargeList } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { compareValues } from '../../value/compare.ts'
import { valuesEqual } from '../../value/equality.ts'
import type { ScriptList, ScriptValue } from '../../value/script-value.ts'
import { modifiable } from '../../value/unmodifiable.ts'
import { intFrom } from './call-function.ts'
import { classOf } from './class-of.ts'
import type { ClassType, ScriptFunction } from './class-type.ts'
import { type AnyCollection, indexIn } from './collection-class.ts'
import { listOf } from './iterable-class.ts'
import { ListIteratorValue } from './iterator-value.ts'
import { constructors, members } from './members.ts'
import { valueAtPath } from './value-at-path.ts'

const LIST: ClassType = {
  ...classOf('List', 'java.util.List', value => Array.isArray(value)),
  supers: ['Collection', 'Iterable', 'Object'],
  methods: members({
    'void add(int, def)': (run, list: ScriptList, index: number, value: ScriptValue) => {
      insert(run, list, index, [value])
    },
    'boolean addAll(int, Collection)': (
      run,
      list: ScriptList,
      index: number,
      others: AnyCollection,
    ) => insert(run, list, index, listOf(run, others)),
    'def get(int)': (_run, list: ScriptList, index: number) => itemAt(list, index),
    'def getByPath(String)': (run, list: ScriptList, path: string) => valueAtPath(run, list, path),
    'def getByPath(String, def)': (run, list: ScriptList, path: string, otherwise: ScriptValue) =>
      valueAtPath(run, list, path, otherwise),
    'int getLength()': (_run, list: ScriptList) => list.length,
    'int indexOf(def)': indexIn,
    'int lastIndexOf(def)': (run, list: ScriptList, value: ScriptValue) => {
      for (let i = list.length - 1; i >= 0; i--) {
        run.step()
        if (valuesEqual(list[i]!, value, run)) return i
      }
      return -1
    },
    'ListIterator listIterator()': (_run, list: ScriptList) => new ListIteratorValue(list, 0),
    'ListIterator listIterator(int)': (_run, list: ScriptList, index: number) => {
      if (index < 0 || index > list.length) throw boundsFault(`Index: ${index}`)
      return new ListIteratorValue(list, index)
    },
    'def remove(int)': (run, list: ScriptList, index: number) => {
      const item = itemAt(list, index)
      run.step((list.length - index) >> 8)
      modifiable(list).splice(index, 1)
      return item
    },
    'void replaceAll(UnaryOperator)': (run, list: ScriptList, of: ScriptFunction) => {
      const target = modifiable(list)
      for (let i = 0; i < target.length; i++) {
        run.step()
        target[i] = of.call(target[i]!)
      }
    },
    'def set(int, def)': (_run, list: ScriptList, index: number, value: ScriptValue) => {
      const before = itemAt(list, index)
      modifiable(list)[index] = value
      return before
    },
    'void sort(Comparator?)': (run, list: ScriptList, comparator: ScriptFunction | null) => {
      sortList(run, list, comparator)
    },
    'List subList(int, int)': subList,
  }),
}

const ARRAY_LIST: ClassType = {
  ...classOf(
    'ArrayList',
    'java.util.ArrayList',
    value => Array.isArray(value) && !('className' in value),
  ),
  supers: ['List', 'Collection', 'Iterable', 'Object'],
  constructors: constructors('ArrayList', {
    '()': () => [],
    '(Collection)': (run, _, items: AnyCollection) => listOf(run, items),
  }),
  methods: members({
    'def clone()': (run, list: ScriptList) => listOf(run, list),
    'void ensureCapacity(int)': () => undefined,
    'void trimToSize()': () => undefined,
  }),
}

/** `List`, `ArrayList`. */
export const LIST_CLASSES: readonly ClassType[] = [LIST, ARRAY_LIST]

/**
 * The element at an index.
 * @throws {ScriptFault} `index_out_of_bounds_exception`
 */
export function itemAt(list: ScriptList, index: number): ScriptValue {
  if (index < 0 || index >= list.length) throw indexOutOfBounds(index, list.length)
  return list[index]!
}

/**
 * Sorts a list, stable, in its natural order or that of a comparator.
 * @throws {ScriptFault} `class_cast_exception`: elements without an order among them
 */
export function sortList(
  run: ScriptRun,
  list: ScriptList,
  comparator: ScriptFunction | null,
): ScriptList {
  const target = modifiable(list)
  chargeList(run, list.length, list.length)
  const sorted = [...target].sort(comparatorOf(run, comparator))
  for (let i = 0; i < sorted.length; i++) target[i] = sorted[i]!
  return target
}

/** A comparator for the runtime's own sorting. */
export function comparatorOf(
  run: ScriptRun,
  comparator: ScriptFunction | null,
): (a: ScriptValue, b: ScriptValue) => number {
  if (comparator === null)
    return (a, b) => {
      run.step()
      return compareValues(a, b)
    }
  return (a, b) => {
    run.step()
    return intFrom(comparator, a, b)
  }
}

/** Inserts before an index; the end is one too. */
function insert(run: ScriptRun, list: ScriptList, index: number, items: ScriptList): boolean {
  if (index < 0 || index > list.length) throw boundsFault(`Index: ${index}, Size: ${list.length}`)
  const size = list.length + items.length
  chargeList(run, size, items.length)
  run.step(size >> 8)
  const target = modifiable(list)
  const tail = target.splice(index)
  for (const item of items) target.push(item)
  for (const item of tail) target.push(item)
  return items.length > 0
}

/** A copy: Java's is a view, which scripts hardly change. */
function subList(run: ScriptRun, list: ScriptList, start: number, end: number): ScriptList {
  if (start < 0) throw boundsFault(`fromIndex = ${start}`)
  if (end > list.length) throw boundsFault(`toIndex = ${end}`)
  if (start > end) throw illegalArgument(`fromIndex(${start}) > toIndex(${end})`)
  chargeList(run, end - start, end - start)
  return list.slice(start, end)
}
