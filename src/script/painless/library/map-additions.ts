/** Members that Painless adds to maps, as Groovy has them: functions of a key and its value. */

import { chargeMap } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { setKey, valueOfKey } from '../../value/keys.ts'
import { MapEntry } from '../../value/map-entry.ts'
import type { ScriptList, ScriptMap, ScriptValue } from '../../value/script-value.ts'
import { holds } from './call-function.ts'
import type { Member, ScriptFunction } from './class-type.ts'
import { type AnyCollection, addTo } from './collection-class.ts'
import { push } from './iterable-class.ts'
import { members } from './members.ts'
import { valueAtPath } from './value-at-path.ts'
import { walkMap } from './walk.ts'

/** Methods of `Map` by `name/arity`. */
export const MAP_ADDITIONS: Readonly<Record<string, Member>> = members({
  'boolean any(BiPredicate)': (run, map: ScriptMap, predicate: ScriptFunction) => {
    for (const [key, value] of walkMap(run, map)) if (holds(predicate, key, value)) return true
    return false
  },
  'List collect(BiFunction)': (run, map: ScriptMap, of: ScriptFunction) =>
    collectInto(run, map, [], of),
  'def collect(Collection, BiFunction)': collectInto,
  'int count(BiPredicate)': (run, map: ScriptMap, predicate: ScriptFunction) => {
    let count = 0
    for (const [key, value] of walkMap(run, map)) if (holds(predicate, key, value)) count++
    return count
  },
  'def each(BiConsumer)': (run, map: ScriptMap, consumer: ScriptFunction) => {
    for (const [key, value] of walkMap(run, map)) consumer.call(key, value)
    return map
  },
  'boolean every(BiPredicate)': (run, map: ScriptMap, predicate: ScriptFunction) => {
    for (const [key, value] of walkMap(run, map)) if (!holds(predicate, key, value)) return false
    return true
  },
  'Map.Entry find(BiPredicate)': (run, map: ScriptMap, predicate: ScriptFunction) => {
    for (const [key, value] of walkMap(run, map))
      if (holds(predicate, key, value)) return new MapEntry(key, value, map)
    return null
  },
  'Map findAll(BiPredicate)': (run, map: ScriptMap, predicate: ScriptFunction) => {
    const found: ScriptMap = new Map()
    for (const [key, value] of walkMap(run, map))
      if (holds(predicate, key, value)) add(run, found, key, value)
    return found
  },
  'def findResult(BiFunction)': (run, map: ScriptMap, of: ScriptFunction) =>
    findResult(run, map, null, of),
  'def findResult(def, BiFunction)': findResult,
  'List findResults(BiFunction)': (run, map: ScriptMap, of: ScriptFunction) => {
    const list: ScriptList = []
    for (const [key, value] of walkMap(run, map)) {
      const result = of.call(key, value)
      if (result !== null) push(run, list, result)
    }
    return list
  },
  'def getByPath(String)': (run, map: ScriptMap, path: string) => valueAtPath(run, map, path),
  'def getByPath(String, def)': (run, map: ScriptMap, path: string, otherwise: ScriptValue) =>
    valueAtPath(run, map, path, otherwise),
  'Map groupBy(BiFunction)': (run, map: ScriptMap, of: ScriptFunction) => {
    const groups: ScriptMap = new Map()
    for (const [key, value] of walkMap(run, map)) {
      const groupKey = of.call(key, value)
      const group = valueOfKey(groups, groupKey, run)
      if (group instanceof Map) add(run, group, key, value)
      else {
        const entries: ScriptMap = new Map()
        add(run, entries, key, value)
        add(run, groups, groupKey, entries)
      }
    }
    return groups
  },
})

function add(run: ScriptRun, map: ScriptMap, key: ScriptValue, value: ScriptValue): void {
  chargeMap(run, map.size + 1, 1)
  setKey(map, key, value, run)
}

function collectInto(
  run: ScriptRun,
  map: ScriptMap,
  into: AnyCollection,
  of: ScriptFunction,
): AnyCollection {
  for (const [key, value] of walkMap(run, map)) addTo(run, into, of.call(key, value))
  return into
}

function findResult(
  run: ScriptRun,
  map: ScriptMap,
  otherwise: ScriptValue,
  of: ScriptFunction,
): ScriptValue {
  for (const [key, value] of walkMap(run, map)) {
    const result = of.call(key, value)
    if (result !== null) return result
  }
  return otherwise
}
