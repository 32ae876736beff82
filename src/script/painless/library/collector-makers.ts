/** The collectors that `Collectors` gives. */
import { classCast, illegalState } from '../../java-faults.ts'
import { chargeMap } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { hasKey, setKey, valueOfKey } from '../../value/keys.ts'
import {
  classNameOf,
  type ScriptList,
  type ScriptMap,
  type ScriptValue,
} from '../../value/script-value.ts'
import { textOfValue } from '../../value/value-text.ts'
import { holds } from './call-function.ts'
import type { ScriptFunction } from './class-type.ts'
import { CollectorValue } from './collector-value.ts'
import { push } from './iterable-class.ts'
import { comparatorOf } from './list-classes.ts'
import { put } from './map-classes.ts'
import { optionalOf } from './optional-classes.ts'
import { concatenate } from './text-parts.ts'

/** Into a list. */
export const toList: CollectorValue = new CollectorValue(
  () => [],
  (run, list, item) => {
    push(run, list as ScriptList, item)
    return list
  },
)

/** How many. */
export const counting: CollectorValue = new CollectorValue(
  () => 0n,
  (_run, count) => (count as bigint) + 1n,
)

/** Into a map from a key to what another collector makes of the elements with that key. */
export function grouping(
  of: (item: ScriptValue) => ScriptValue,
  begin: (run: ScriptRun) => ScriptMap,
  downstream: CollectorValue,
): CollectorValue {
  return new CollectorValue(
    begin,
    (run, gathered, item) => {
      const map = gathered as ScriptMap
      const key = of(item)
      const before = hasKey(map, key, run) ? valueOfKey(map, key, run) : null
      if (before === null) chargeMap(run, map.size + 1, 1)
      setKey(map, key, downstream.add(run, before ?? downstream.begin(run), item), run)
      return map
    },
    (run, gathered) => {
      const map = gathered as ScriptMap
      for (const [key, value] of map) {
        run.step()
        setKey(map, key, downstream.finish(run, value), run)
      }
      return map
    },
  )
}

/**
 * A map that a script's supplier gave.
 * @throws {ScriptFault} `class_cast_exception`: it gave something else
 */
export function suppliedMap(supplier: ScriptFunction): ScriptMap {
  const map = supplier.call()
  if (map instanceof Map) return map
  throw classCast(map === null ? 'null' : classNameOf(map), 'java.util.Map')
}

/** Into a map from false and true. */
export function partitioning(
  predicate: ScriptFunction,
  downstream: CollectorValue,
): CollectorValue {
  return grouping(
    item => holds(predicate, item),
    run =>
      new Map<ScriptValue, ScriptValue>([
        [false, downstream.begin(run)],
        [true, downstream.begin(run)],
      ]),
    downstream,
  )
}

/** Into a text. */
export function joining(separator: string, prefix: string, suffix: string): CollectorValue {
  return new CollectorValue(
    () => null,
    (run, text, item) => {
      const part = textOfValue(item, run)
      return text === null
        ? part
        : concatenate(run, concatenate(run, text as string, separator), part)
    },
    (run, text) =>
      concatenate(run, concatenate(run, prefix, (text as string | null) ?? ''), suffix),
  )
}

/** A collector over the results of a function. */
export function mapping(of: ScriptFunction, downstream: CollectorValue): CollectorValue {
  return new CollectorValue(
    downstream.begin,
    (run, gathered, item) => downstream.add(run, gathered, of.call(item)),
    downstream.finish,
  )
}

/** The element that comes last, or first, in an order. */
export function extreme(run: ScriptRun, order: ScriptFunction, sign: 1 | -1): CollectorValue {
  const compare = comparatorOf(run, order)
  return new CollectorValue(
    () => [],
    (_run, best, item) => {
      const [held] = best as ScriptList
      return held === undefined || sign * compare(item, held) > 0 ? [item] : best
    },
    (_run, best) => optionalOf((best as ScriptList)[0] ?? null),
  )
}

/**
 * Into a map.
 * @param merge of two values with one key; null: a second one is an error
 */
export function toMap(
  run: ScriptRun,
  begin: () => ScriptMap,
  keyOf: ScriptFunction,
  valueFor: ScriptFunction,
  merge: ScriptFunction | null,
): CollectorValue {
  return new CollectorValue(begin, (_run, gathered, item) => {
    const map = gathered as ScriptMap
    const key = keyOf.call(item)
    const value = valueFor.call(item)
    if (!hasKey(map, key, run)) put(run, map, key, value)
    else if (merge !== null) put(run, map, key, merge.call(valueOfKey(map, key, run), value))
    else
      throw illegalState(
        `Duplicate key ${textOfValue(key, run)} (attempted merging values ` +
          `${textOfValue(valueOfKey(map, key, run), run)} and ${textOfValue(value, run)})`,
      )
    return map
  })
}
