/** `Map`, `HashMap`, `LinkedHashMap` and `Map.Entry`; maps are in order of insertion. */
import { chargeMap } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { valuesEqual } from '../../value/equality.ts'
import { deleteKey, hasKey, setKey, valueOfKey } from '../../value/keys.ts'
import { MapEntry } from '../../value/map-entry.ts'
import { EntrySet, KeySet, MapValues } from '../../value/map-views.ts'
import type { ScriptMap, ScriptValue } from '../../value/script-value.ts'
import { UnmodifiableMap, UnmodifiableSet } from '../../value/unmodifiable.ts'
import { classOf } from './class-of.ts'
import type { ClassType, ScriptFunction } from './class-type.ts'
import { comparatorOf } from './list-classes.ts'
import { MAP_ADDITIONS } from './map-additions.ts'
import { constructors, members } from './members.ts'
import { NativeFunction } from './native-function.ts'
import { walkMap } from './walk.ts'

const MAP: ClassType = {
  ...classOf('Map', 'java.util.Map', value => value instanceof Map),
  methods: {
    ...MAP_ADDITIONS,
    ...members({
      'void clear()': (_run, map: ScriptMap) => {
        map.clear()
      },
      'def compute(def, BiFunction)': (run, map: ScriptMap, key: ScriptValue, of: ScriptFunction) =>
        store(run, map, key, of.call(key, valueOfKey(map, key, run))),
      'def computeIfAbsent(def, Function)': (
        run,
        map: ScriptMap,
        key: ScriptValue,
        of: ScriptFunction,
      ) => valueOfKey(map, key, run) ?? store(run, map, key, of.call(key)),
      'def computeIfPresent(def, BiFunction)': (
        run,
        map: ScriptMap,
        key: ScriptValue,
        of: ScriptFunction,
      ) => {
        const value = valueOfKey(map, key, run)
        return value === null ? null : store(run, map, key, of.call(key, value))
      },
      'boolean containsKey(def)': (run, map: ScriptMap, key: ScriptValue) => hasKey(map, key, run),
      'boolean containsValue(def)': (run, map: ScriptMap, value: ScriptValue) => {
        for (const [, held] of walkMap(run, map)) if (valuesEqual(held, value, run)) return true
        return false
      },
      'Set entrySet()': (_run, map: ScriptMap) => new EntrySet(map),
      'void forEach(BiConsumer)': (run, map: ScriptMap, consumer: ScriptFunction) => {
        for (const [key, value] of walkMap(run, map)) consumer.call(key, value)
      },
      'def get(def)': (run, map: ScriptMap, key: ScriptValue) => valueOfKey(map, key, run),
      'def getOrDefault(def, def)': (
        run,
        map: ScriptMap,
        key: ScriptValue,
        otherwise: ScriptValue,
      ) => (hasKey(map, key, run) ? valueOfKey(map, key, run) : otherwise),
      'boolean isEmpty()': (_run, map: ScriptMap) => map.size === 0,
      'Set keySet()': (_run, map: ScriptMap) => new KeySet(map),
      'def merge(def, def, BiFunction)': (
        run,
        map: ScriptMap,
        key: ScriptValue,
        value: ScriptValue,
        of: ScriptFunction,
      ) => {
        const before = valueOfKey(map, key, run)
        return store(run, map, key, before === null ? value : of.call(before, value))
      },
      'def put(def, def)': put,
      'void putAll(Map)': (run, map: ScriptMap, others: ScriptMap) => {
        if (map !== others)
          for (const [key, value] of walkMap(run, others)) put(run, map, key, value)
      },
      'def putIfAbsent(def, def)': (run, map: ScriptMap, key: ScriptValue, value: ScriptValue) => {
        const before = valueOfKey(map, key, run)
        if (before === null) put(run, map, key, value)
        return before
      },
      'def remove(def)': (run, map: ScriptMap, key: ScriptValue) => {
        const before = valueOfKey(map, key, run)
        deleteKey(map, key, run)
        return before
      },
      'boolean remove(def, def)': (run, map: ScriptMap, key: ScriptValue, value: ScriptValue) =>
        holdsEntry(run, map, key, value) && deleteKey(map, key, run),
      'def replace(def, def)': (run, map: ScriptMap, key: ScriptValue, value: ScriptValue) =>
        hasKey(map, key, run) ? put(run, map, key, value) : null,
      'boolean replace(def, def, def)': (
        run,
        map: ScriptMap,
        key: ScriptValue,
        before: ScriptValue,
        value: ScriptValue,
      ) => {
        if (!holdsEntry(run, map, key, before)) return false
        put(run, map, key, value)
        return true
      },
      'void replaceAll(BiFunction)': (run, map: ScriptMap, of: ScriptFunction) => {
        for (const [key, value] of walkMap(run, map)) map.set(key, of.call(key, value))
      },
      'int size()': (_run, map: ScriptMap) => map.size,
      'Collection values()': (_run, map: ScriptMap) => new MapValues(map),
    }),
  },
}

const ENTRY: ClassType = {
  ...classOf('Map.Entry', 'java.util.Map$Entry', value => value instanceof MapEntry),
  methods: members({
    'def getKey()': (_run, entry: MapEntry) => entry.key,
    'def getValue()': (_run, entry: MapEntry) => entry.value,
    'def setValue(def)': (run, entry: MapEntry, value: ScriptValue) => {
      const before = entry.value
      if (entry.map !== null) put(run, entry.map, entry.key, value)
      entry.value = value
      return before
    },
  }),
  statics: members({
    'Comparator comparingByKey()': run => entryOrder(run, null, entry => entry.key),
    'Comparator comparingByKey(Comparator)': (run, _, order: ScriptFunction) =>
      entryOrder(run, order, entry => entry.key),
    'Comparator comparingByValue()': run => entryOrder(run, null, entry => entry.value),
    'Comparator comparingByValue(Comparator)': (run, _, order: ScriptFunction) =>
      entryOrder(run, order, entry => entry.value),
  }),
}

/** Views and copies that members give: scripts reach them through their interfaces. */
const HIDDEN: readonly ClassType[] = [
  {
    ...classOf('HashMap.KeySet', 'java.util.HashMap$KeySet', value => value instanceof KeySet),
    supers: ['Set', 'Collection', 'Iterable', 'Object'],
  },
  {
    ...classOf(
      'HashMap.EntrySet',
      'java.util.HashMap$EntrySet',
      value => value instanceof EntrySet,
    ),
    supers: ['Set', 'Collection', 'Iterable', 'Object'],
  },
  {
    ...classOf('HashMap.Values', 'java.util.HashMap$Values', value => value instanceof MapValues),
    supers: ['Collection', 'Iterable', 'Object'],
  },
  {
    ...classOf(
      'Collections.UnmodifiableMap',
      'java.util.Collections$UnmodifiableMap',
      value => value instanceof UnmodifiableMap,
    ),
    supers: ['Map', 'Object'],
  },
  {
    ...classOf(
      'Collections.UnmodifiableSet',
      'java.util.Collections$UnmodifiableSet',
      value => value instanceof UnmodifiableSet,
    ),
    supers: ['Set', 'Collection', 'Iterable', 'Object'],
  },
]

/** `Map`, `Map.Entry`, `HashMap`, `LinkedHashMap`, and the views of maps. */
export const MAP_CLASSES: readonly ClassType[] = [
  MAP,
  ENTRY,
  hashMapClass('HashMap'),
  hashMapClass('LinkedHashMap'),
  ...HIDDEN,
]

function hashMapClass(name: string): ClassType {
  return {
    ...classOf(name, `java.util.${name}`, value => value instanceof Map && !('className' in value)),
    supers: ['Map', 'Object'],
    constructors: constructors(name, {
      '()': () => new Map(),
      '(Map)': (run, _, others: ScriptMap) => copyOf(run, others),
    }),
    methods: members({ 'def clone()': (run, map: ScriptMap) => copyOf(run, map) }),
  }
}

/**
 * Sets the value of a key.
 * @returns the value before, or null
 */
export function put(
  run: ScriptRun,
  map: ScriptMap,
  key: ScriptValue,
  value: ScriptValue,
): ScriptValue {
  const before = valueOfKey(map, key, run)
  if (before === null) chargeMap(run, map.size + 1, 1)
  setKey(map, key, value, run)
  return before
}

/** A map of its own with the same entries. */
export function copyOf(run: ScriptRun, others: ScriptMap): ScriptMap {
  const map: ScriptMap = new Map()
  for (const [key, value] of walkMap(run, others)) put(run, map, key, value)
  return map
}

/** Sets the value of a key that a function gave; null takes the key out. */
function store(run: ScriptRun, map: ScriptMap, key: ScriptValue, value: ScriptValue): ScriptValue {
  if (value === null) deleteKey(map, key, run)
  else put(run, map, key, value)
  return value
}

function holdsEntry(run: ScriptRun, map: ScriptMap, key: ScriptValue, value: ScriptValue): boolean {
  return hasKey(map, key, run) && valuesEqual(valueOfKey(map, key, run), value, run)
}

/** A comparator of entries by their key or value. */
function entryOrder(
  run: ScriptRun,
  order: ScriptFunction | null,
  of: (entry: MapEntry) => ScriptValue,
): ScriptFunction {
  const compare = comparatorOf(run, order)
  const part = (entry: ScriptValue | undefined): ScriptValue =>
    entry instanceof MapEntry ? of(entry) : null
  return new NativeFunction('java.util.Comparator', (a, b) => compare(part(a), part(b)))
}
