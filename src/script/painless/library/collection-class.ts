/** `Collection`: what lists, sets and the values of maps have alike. */
import { classCast } from '../../java-faults.ts'
import { chargeMap } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { valuesEqual } from '../../value/equality.ts'
import { addKey, deleteKey, hasKey } from '../../value/keys.ts'
import { MapValues } from '../../value/map-views.ts'
import { emptyItem, ScriptArray } from '../../value/script-array.ts'
import { elementsOf, ScriptCollection, sizeOf } from '../../value/script-collection.ts'
import {
  classNameOf,
  type ScriptList,
  type ScriptSet,
  type ScriptValue,
} from '../../value/script-value.ts'
import { modifiable } from '../../value/unmodifiable.ts'
import { objectArrayOf, requireStorable } from './array-of.ts'
import { holds } from './call-function.ts'
import { classOf } from './class-of.ts'
import type { ClassType, ScriptFunction } from './class-type.ts'
import { listOf, push } from './iterable-class.ts'
import { members } from './members.ts'
import { streamOf } from './stream-value.ts'
import { walk } from './walk.ts'

/** A list, set or other collection. */
export type AnyCollection = ScriptList | ScriptSet | ScriptCollection

/** `Collection`. */
export const COLLECTION: ClassType = {
  ...classOf('Collection', 'java.util.Collection', value => elementsOf(value) !== null),
  supers: ['Iterable', 'Object'],
  methods: members({
    'boolean add(def)': addTo,
    'boolean addAll(Collection)': addAll,
    'void clear()': (_run, items: AnyCollection) => {
      if (Array.isArray(items)) modifiable(items).length = 0
      else items.clear()
    },
    'List collect(Function)': (run, items: AnyCollection, of: ScriptFunction) =>
      collectInto(run, items, [], of),
    'def collect(Collection, Function)': (
      run,
      items: AnyCollection,
      into: AnyCollection,
      of: ScriptFunction,
    ) => collectInto(run, items, into, of),
    'boolean contains(def)': contains,
    'boolean containsAll(Collection)': (run, items: AnyCollection, others: AnyCollection) => {
      for (const other of walk(run, others)) if (!contains(run, items, other)) return false
      return true
    },
    'def find(Predicate)': (run, items: AnyCollection, predicate: ScriptFunction) => {
      for (const item of walk(run, items)) if (holds(predicate, item)) return item
      return null
    },
    'List findAll(Predicate)': (run, items: AnyCollection, predicate: ScriptFunction) => {
      const list: ScriptList = []
      for (const item of walk(run, items)) if (holds(predicate, item)) push(run, list, item)
      return list
    },
    'def findResult(Function)': (run, items: AnyCollection, of: ScriptFunction) =>
      findResult(run, items, null, of),
    'def findResult(def, Function)': findResult,
    'boolean isEmpty()': (_run, items: AnyCollection) => sizeOf(items) === 0,
    'boolean remove(def)': removeFrom,
    'boolean removeAll(Collection)': (run, items: AnyCollection, others: AnyCollection) =>
      removeMatching(run, items, item => contains(run, others, item)),
    'boolean removeIf(Predicate)': (run, items: AnyCollection, predicate: ScriptFunction) =>
      removeMatching(run, items, item => holds(predicate, item)),
    'boolean retainAll(Collection)': (run, items: AnyCollection, others: AnyCollection) =>
      removeMatching(run, items, item => !contains(run, others, item)),
    'int size()': (_run, items: AnyCollection) => sizeOf(items),
    'List split(Predicate)': (run, items: AnyCollection, predicate: ScriptFunction) => {
      const matching: ScriptList = []
      const others: ScriptList = []
      for (const item of walk(run, items))
        push(run, holds(predicate, item) ? matching : others, item)
      return [matching, others]
    },
    'Stream stream()': (run, items: AnyCollection) => streamOf(run, items),
    'Object[] toArray()': (run, items: AnyCollection) =>
      new ScriptArray('Object', listOf(run, items)),
    'def toArray(Object)': (run, items: AnyCollection, into: ScriptValue) =>
      toArray(run, items, objectArrayOf(into)),
  }),
}

/**
 * Adds an element.
 * @returns false: a set has it already
 * @throws {ScriptFault} `unsupported_operation_exception`
 */
export function addTo(run: ScriptRun, items: AnyCollection, item: ScriptValue): boolean {
  if (Array.isArray(items)) {
    push(run, modifiable(items), item)
    return true
  }
  if (!(items instanceof Set)) throw classCast(classNameOf(items), 'java.util.AbstractList')
  chargeMap(run, items.size + 1, 1)
  return addKey(items, item, run)
}

/** Adds the elements of another collection, which may be the same. */
export function addAll(run: ScriptRun, items: AnyCollection, others: AnyCollection): boolean {
  let hasChanged = false
  for (const other of listOf(run, others)) hasChanged = addTo(run, items, other) || hasChanged
  return hasChanged
}

/** Whether an element equals. */
export function contains(run: ScriptRun, items: AnyCollection, value: ScriptValue): boolean {
  if (items instanceof Set) return hasKey(items, value, run)
  for (const item of walk(run, items)) if (valuesEqual(item, value, run)) return true
  return false
}

function removeFrom(run: ScriptRun, items: AnyCollection, value: ScriptValue): boolean {
  if (items instanceof Set) return deleteKey(items, value, run)
  if (items instanceof ScriptCollection) return items.remove(value)
  const index = indexIn(run, items, value)
  if (index >= 0) modifiable(items).splice(index, 1)
  return index >= 0
}

/** Index of the first element that equals; −1 without it. */
export function indexIn(run: ScriptRun, list: ScriptList, value: ScriptValue): number {
  for (let i = 0; i < list.length; i++) {
    run.step()
    if (valuesEqual(list[i]!, value, run)) return i
  }
  return -1
}

/**
 * Takes out the elements that match; none, where a call throws.
 * @throws {ScriptFault} `unsupported_operation_exception`
 */
export function removeMatching(
  run: ScriptRun,
  items: AnyCollection,
  matches: (item: ScriptValue) => boolean,
): boolean {
  if (items instanceof MapValues) return items.removeIf(run, matches)
  const kept: ScriptList = []
  const removed: ScriptList = []
  for (const item of walk(run, items)) push(run, matches(item) ? removed : kept, item)
  if (removed.length === 0) return false
  if (Array.isArray(items)) {
    const list = modifiable(items)
    for (let i = 0; i < kept.length; i++) list[i] = kept[i]!
    list.length = kept.length
  } else for (const item of removed) removeFrom(run, items, item)
  return true
}

function collectInto(
  run: ScriptRun,
  items: AnyCollection,
  into: AnyCollection,
  of: ScriptFunction,
): AnyCollection {
  for (const item of walk(run, items)) addTo(run, into, of.call(item))
  return into
}

function findResult(
  run: ScriptRun,
  items: AnyCollection,
  otherwise: ScriptValue,
  of: ScriptFunction,
): ScriptValue {
  for (const item of walk(run, items)) {
    const result = of.call(item)
    if (result !== null) return result
  }
  return otherwise
}

/** Fills an array that is long enough, and makes another one else. */
function toArray(run: ScriptRun, items: AnyCollection, into: ScriptArray): ScriptArray {
  const list = listOf(run, items)
  for (const item of list) requireStorable(into.itemType, item)
  if (into.items.length < list.length) return new ScriptArray(into.itemType, list)
  for (let i = 0; i < list.length; i++) into.items[i] = list[i]!
  if (list.length < into.items.length) into.items[list.length] = emptyItem(into.itemType)
  return into
}
