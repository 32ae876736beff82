/** `SortedMap`, `NavigableMap`, `TreeMap`, and the same of sets; parts of them are copies. */
import { illegalArgument, noSuchElement } from '../../java-faults.ts'
import { chargeMap } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { compareValues } from '../../value/compare.ts'
import { MapEntry } from '../../value/map-entry.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import type { KeyOrder, SortedKeys } from '../../value/sorted-keys.ts'
import { SortedMap, SortedSet } from '../../value/sorted-map.ts'
import { intFrom } from './call-function.ts'
import { classOf } from './class-of.ts'
import type { ClassType, Member, ScriptFunction } from './class-type.ts'
import { comparator } from './comparator-class.ts'
import { iteratorOf } from './iterator-value.ts'
import { constructors, members } from './members.ts'
import { walkMap } from './walk.ts'

type Sorted = SortedMap | SortedSet

/** Index of the nearest key on one side of a given one; −1: there is none. */
function nearest(keys: SortedKeys, key: ScriptValue, below: boolean, inclusive: boolean): number {
  const found = keys.find(key)
  if (found >= 0 && inclusive) return found
  const above = found >= 0 ? found + 1 : -1 - found
  const index = below ? (found >= 0 ? found : above) - 1 : above
  return index < keys.size ? index : -1
}

/** A new sorted map or set of the keys from one index to another. */
function part<T extends Sorted>(run: ScriptRun, from: T, start: number, end: number): T {
  const { sorted } = from
  if (start > end) throw illegalArgument('fromKey > toKey')
  chargeMap(run, end - start, end - start)
  run.step(end - start)
  const result =
    from instanceof SortedMap ? new SortedMap(sorted.order) : new SortedSet(sorted.order)
  for (let i = start; i < end; i++) result.sorted.set(sorted.keyAt(i), sorted.valueAt(i))
  return result as T
}

/** The same keys the other way round. */
function descending<T extends Sorted>(run: ScriptRun, from: T): T {
  const { sorted } = from
  const order: KeyOrder = (a, b) => sorted.order(b, a)
  chargeMap(run, sorted.size, sorted.size)
  run.step(sorted.size)
  const result = from instanceof SortedMap ? new SortedMap(order) : new SortedSet(order)
  for (let i = sorted.size - 1; i >= 0; i--) result.sorted.set(sorted.keyAt(i), sorted.valueAt(i))
  return result as T
}

/** Index of the first key that is not below, or not at, a bound. */
function boundAt(keys: SortedKeys, key: ScriptValue, behind: boolean): number {
  const found = keys.find(key)
  return found >= 0 ? found + (behind ? 1 : 0) : -1 - found
}

/** `head`, `tail`, `sub` and `descending` of maps (`suffix` `Map`) or sets. */
function parts(kind: 'Map' | 'Set'): Readonly<Record<string, Member>> {
  const sorted = `Sorted${kind}`
  const navigable = `Navigable${kind}`
  return members({
    'Comparator comparator()': (_run, from: Sorted) => comparator(from.sorted.order),
    [`${sorted} head${kind}(def)`]: (run, from: Sorted, to: ScriptValue) =>
      part(run, from, 0, boundAt(from.sorted, to, false)),
    [`${navigable} head${kind}(def, boolean)`]: (
      run,
      from: Sorted,
      to: ScriptValue,
      inclusive: boolean,
    ) => part(run, from, 0, boundAt(from.sorted, to, inclusive)),
    [`${sorted} sub${kind}(def, def)`]: (run, from: Sorted, start: ScriptValue, end: ScriptValue) =>
      part(run, from, boundAt(from.sorted, start, false), boundAt(from.sorted, end, false)),
    [`${navigable} sub${kind}(def, boolean, def, boolean)`]: (
      run,
      from: Sorted,
      start: ScriptValue,
      startInclusive: boolean,
      end: ScriptValue,
      endInclusive: boolean,
    ) =>
      part(
        run,
        from,
        boundAt(from.sorted, start, !startInclusive),
        boundAt(from.sorted, end, endInclusive),
      ),
    [`${sorted} tail${kind}(def)`]: (run, from: Sorted, start: ScriptValue) =>
      part(run, from, boundAt(from.sorted, start, false), from.sorted.size),
    [`${navigable} tail${kind}(def, boolean)`]: (
      run,
      from: Sorted,
      start: ScriptValue,
      inclusive: boolean,
    ) => part(run, from, boundAt(from.sorted, start, !inclusive), from.sorted.size),
  })
}

/** A key at one end. */
function endKey({ sorted }: Sorted, isLast: boolean): ScriptValue {
  if (sorted.size === 0) throw noSuchElement('it is empty')
  return sorted.keyAt(isLast ? sorted.size - 1 : 0)
}

const SORTED_MAP: ClassType = {
  ...classOf('SortedMap', 'java.util.SortedMap', value => value instanceof SortedMap),
  supers: ['Map', 'Object'],
  methods: {
    ...parts('Map'),
    ...members({
      'def firstKey()': (_run, map: SortedMap) => endKey(map, false),
      'def lastKey()': (_run, map: SortedMap) => endKey(map, true),
    }),
  },
}

const SORTED_SET: ClassType = {
  ...classOf('SortedSet', 'java.util.SortedSet', value => value instanceof SortedSet),
  supers: ['Set', 'Collection', 'Iterable', 'Object'],
  methods: {
    ...parts('Set'),
    ...members({
      'def first()': (_run, set: SortedSet) => endKey(set, false),
      'def last()': (_run, set: SortedSet) => endKey(set, true),
    }),
  },
}

/** The names by which neighbours of a key are asked for: whether below, whether it counts itself. */
const NEIGHBOURS: readonly (readonly [string, boolean, boolean])[] = [
  ['ceiling', false, true],
  ['floor', true, true],
  ['higher', false, false],
  ['lower', true, false],
]

function entryAt(map: SortedMap, index: number): MapEntry | null {
  const { sorted } = map
  return index < 0 || index >= sorted.size
    ? null
    : new MapEntry(sorted.keyAt(index), sorted.valueAt(index), null)
}

function polled(map: SortedMap, index: number): MapEntry | null {
  const entry = entryAt(map, index)
  if (entry !== null) map.sorted.deleteAt(index)
  return entry
}

const NAVIGABLE_MAP: ClassType = {
  ...classOf('NavigableMap', 'java.util.NavigableMap', value => value instanceof SortedMap),
  supers: ['SortedMap', 'Map', 'Object'],
  methods: {
    ...Object.assign(
      {},
      ...NEIGHBOURS.map(([name, below, inclusive]) =>
        members({
          [`Map.Entry ${name}Entry(def)`]: (_run, map: SortedMap, key: ScriptValue) =>
            entryAt(map, nearest(map.sorted, key, below, inclusive)),
          [`def ${name}Key(def)`]: (_run, map: SortedMap, key: ScriptValue) =>
            entryAt(map, nearest(map.sorted, key, below, inclusive))?.key ?? null,
        }),
      ),
    ),
    ...members({
      'NavigableSet descendingKeySet()': (run, map: SortedMap) => descending(run, keysOf(run, map)),
      'NavigableMap descendingMap()': (run, map: SortedMap) => descending(run, map),
      'Map.Entry firstEntry()': (_run, map: SortedMap) => entryAt(map, 0),
      'Map.Entry lastEntry()': (_run, map: SortedMap) => entryAt(map, map.size - 1),
      'NavigableSet navigableKeySet()': (run, map: SortedMap) => keysOf(run, map),
      'Map.Entry pollFirstEntry()': (_run, map: SortedMap) => polled(map, 0),
      'Map.Entry pollLastEntry()': (_run, map: SortedMap) => polled(map, map.size - 1),
    }),
  },
}

function keysOf(run: ScriptRun, map: SortedMap): SortedSet {
  chargeMap(run, map.size, map.size)
  const set = new SortedSet(map.sorted.order)
  for (const [key] of walkMap(run, map)) set.add(key)
  return set
}

function keyAt({ sorted }: SortedSet, index: number): ScriptValue {
  return index < 0 || index >= sorted.size ? null : sorted.keyAt(index)
}

function polledKey(set: SortedSet, index: number): ScriptValue {
  const key = keyAt(set, index)
  if (set.size > 0) set.sorted.deleteAt(index)
  return key
}

const NAVIGABLE_SET: ClassType = {
  ...classOf('NavigableSet', 'java.util.NavigableSet', value => value instanceof SortedSet),
  supers: ['SortedSet', 'Set', 'Collection', 'Iterable', 'Object'],
  methods: {
    ...Object.assign(
      {},
      ...NEIGHBOURS.map(([name, below, inclusive]) =>
        members({
          [`def ${name}(def)`]: (_run, set: SortedSet, key: ScriptValue) =>
            keyAt(set, nearest(set.sorted, key, below, inclusive)),
        }),
      ),
    ),
    ...members({
      'Iterator descendingIterator()': (run, set: SortedSet) =>
        iteratorOf(run, descending(run, set)),
      'NavigableSet descendingSet()': (run, set: SortedSet) => descending(run, set),
      'def pollFirst()': (_run, set: SortedSet) => polledKey(set, 0),
      'def pollLast()': (_run, set: SortedSet) => polledKey(set, set.size - 1),
    }),
  },
}

const TREE_MAP: ClassType = {
  ...classOf('TreeMap', 'java.util.TreeMap', value => value instanceof SortedMap),
  supers: ['NavigableMap', 'SortedMap', 'Map', 'Object'],
  constructors: constructors('TreeMap', {
    '()': () => new SortedMap(compareValues),
    '(Comparator?)': (_run, _, order: ScriptFunction | null) => new SortedMap(orderOf(order)),
  }),
  methods: members({
    'def clone()': (run, map: SortedMap) => part(run, map, 0, map.size),
  }),
}

const TREE_SET: ClassType = {
  ...classOf('TreeSet', 'java.util.TreeSet', value => value instanceof SortedSet),
  supers: ['NavigableSet', 'SortedSet', 'Set', 'Collection', 'Iterable', 'Object'],
  constructors: constructors('TreeSet', {
    '()': () => new SortedSet(compareValues),
    '(Comparator?)': (_run, _, order: ScriptFunction | null) => new SortedSet(orderOf(order)),
  }),
  methods: members({
    'def clone()': (run, set: SortedSet) => part(run, set, 0, set.size),
  }),
}

/** The sorted maps and sets with their interfaces. */
export const SORTED_CLASSES: readonly ClassType[] = [
  SORTED_MAP,
  NAVIGABLE_MAP,
  TREE_MAP,
  SORTED_SET,
  NAVIGABLE_SET,
  TREE_SET,
]

/** The order that a constructor is given; null: the natural one. */
function orderOf(order: ScriptFunction | null): KeyOrder {
  return order === null ? compareValues : (a, b) => intFrom(order, a, b)
}
