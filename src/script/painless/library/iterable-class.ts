/** `Iterable` with the additions that Painless took from Groovy. */
import { nullPointer } from '../../java-faults.ts'
import { chargeList } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { toDouble } from '../../value/java-numbers.ts'
import { setKey, valueOfKey } from '../../value/keys.ts'
import { elementsOf, ScriptCollection } from '../../value/script-collection.ts'
import type { ScriptList, ScriptMap, ScriptValue } from '../../value/script-value.ts'
import { doubleFrom, holds } from './call-function.ts'
import { classOf } from './class-of.ts'
import type { ClassType, ScriptFunction } from './class-type.ts'
import { iteratorOf } from './iterator-value.ts'
import { joined } from './join.ts'
import { members } from './members.ts'
import { walk } from './walk.ts'

/** `Iterable`: lists, sets and other collections. */
export const ITERABLE: ClassType = {
  ...classOf('Iterable', 'java.lang.Iterable', value => elementsOf(value) !== null),
  methods: members({
    'boolean any(Predicate)': (run, items: ScriptValue, predicate: ScriptFunction) => {
      for (const item of walk(run, items)) if (holds(predicate, item)) return true
      return false
    },
    'Collection asCollection()': (run, items: ScriptValue) =>
      items instanceof Set || items instanceof ScriptCollection ? items : listOf(run, items),
    'List asList()': (run, items: ScriptValue) =>
      Array.isArray(items) ? items : listOf(run, items),
    'int count(Predicate)': (run, items: ScriptValue, predicate: ScriptFunction) => {
      let count = 0
      for (const item of walk(run, items)) if (holds(predicate, item)) count++
      return count
    },
    'def each(Consumer)': (run, items: ScriptValue, consumer: ScriptFunction) => {
      for (const item of walk(run, items)) consumer.call(item)
      return items
    },
    'def eachWithIndex(ObjIntConsumer)': (run, items: ScriptValue, consumer: ScriptFunction) => {
      let index = 0
      for (const item of walk(run, items)) consumer.call(item, index++)
      return items
    },
    'boolean every(Predicate)': (run, items: ScriptValue, predicate: ScriptFunction) => {
      for (const item of walk(run, items)) if (!holds(predicate, item)) return false
      return true
    },
    'List findResults(Function)': (run, items: ScriptValue, of: ScriptFunction) => {
      const list: ScriptList = []
      for (const item of walk(run, items)) {
        const result = of.call(item)
        if (result !== null) push(run, list, result)
      }
      return list
    },
    'void forEach(Consumer)': (run, items: ScriptValue, consumer: ScriptFunction) => {
      for (const item of walk(run, items)) consumer.call(item)
    },
    'Map groupBy(Function)': (run, items: ScriptValue, of: ScriptFunction) => {
      const groups: ScriptMap = new Map()
      for (const item of walk(run, items)) addToGroup(run, groups, of.call(item), item)
      return groups
    },
    'Iterator iterator()': (run, items: ScriptValue) => iteratorOf(run, items),
    'String join(String)': (run, items: ScriptValue, separator: string) =>
      joined(run, separator, items),
    'double sum()': (run, items: ScriptValue) => {
      let sum = 0
      for (const item of walk(run, items)) sum += numberOf(item)
      return sum
    },
    'double sum(ToDoubleFunction)': (run, items: ScriptValue, of: ScriptFunction) => {
      let sum = 0
      for (const item of walk(run, items)) sum += doubleFrom(of, item)
      return sum
    },
  }),
}

/** Appends to a list of the library's own. */
export function push(run: ScriptRun, list: ScriptList, item: ScriptValue): void {
  chargeList(run, list.length + 1, 1)
  list.push(item)
}

/** The elements of a collection as a list of their own. */
export function listOf(run: ScriptRun, items: ScriptValue): ScriptList {
  const list: ScriptList = []
  for (const item of walk(run, items)) push(run, list, item)
  return list
}

/** Appends to the list of a key. */
export function addToGroup(
  run: ScriptRun,
  groups: ScriptMap,
  key: ScriptValue,
  item: ScriptValue,
): void {
  const group = valueOfKey(groups, key, run)
  if (Array.isArray(group)) push(run, group, item)
  else {
    // A list, an entry and the item.
    chargeList(run, groups.size, 12)
    setKey(groups, key, [item], run)
  }
}

function numberOf(item: ScriptValue): number {
  const value = toDouble(item)
  if (value === null) throw nullPointer('an element is not a number')
  return value
}
