/** The operations that streams of all item types have alike, over the elements as values. */
import type { Long } from '../../../util/long.ts'
import { illegalArgument } from '../../java-faults.ts'
import { chargeMap } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { addKey } from '../../value/keys.ts'
import type { ScriptList, ScriptSet, ScriptValue } from '../../value/script-value.ts'
import { holds } from './call-function.ts'
import type { ScriptFunction } from './class-type.ts'
import { push } from './iterable-class.ts'
import { comparatorOf } from './list-classes.ts'

type Items = Iterable<ScriptValue>
type Made = Generator<ScriptValue, undefined, undefined>

/** The elements that a predicate holds for. */
export function* filtered(run: ScriptRun, items: Items, predicate: ScriptFunction): Made {
  for (const item of items) {
    run.step()
    if (holds(predicate, item)) yield item
  }
}

/** The elements as a function makes them. */
export function* mapped(
  run: ScriptRun,
  items: Items,
  of: (item: ScriptValue) => ScriptValue,
): Made {
  for (const item of items) {
    run.step()
    yield of(item)
  }
}

/** The elements of one stream for each. */
export function* flattened(run: ScriptRun, items: Items, of: (item: ScriptValue) => Items): Made {
  for (const item of items) {
    run.step()
    yield* of(item)
  }
}

/** The elements that equal none before. */
export function* distinct(run: ScriptRun, items: Items): Made {
  const seen: ScriptSet = new Set()
  for (const item of items) {
    run.step()
    chargeMap(run, seen.size + 1, 1)
    if (addKey(seen, item, run)) yield item
  }
}

/** The elements in order. */
export function* sorted(run: ScriptRun, items: Items, order: ScriptFunction | null): Made {
  yield* listOfItems(run, items).sort(comparatorOf(run, order))
}

/** The first elements. */
export function* limited(run: ScriptRun, items: Items, max: Long): Made {
  let left = Number(max)
  if (left < 0) throw illegalArgument(String(max))
  if (left === 0) return undefined
  for (const item of items) {
    run.step()
    yield item
    if (--left <= 0) return undefined
  }
}

/** The elements behind the first. */
export function* skipped(run: ScriptRun, items: Items, count: Long): Made {
  let left = Number(count)
  if (left < 0) throw illegalArgument(String(count))
  for (const item of items) {
    run.step()
    if (left-- <= 0) yield item
  }
}

/** The elements of two streams. */
export function* concatenated(a: Items, b: Items): Made {
  yield* a
  yield* b
}

/** Elements without end, each out of the one before. */
export function* iterated(
  run: ScriptRun,
  first: ScriptValue,
  next: (item: ScriptValue) => ScriptValue,
): Made {
  for (let item = first; ; item = next(item)) {
    run.step()
    yield item
  }
}

/** All elements as a list. */
export function listOfItems(run: ScriptRun, items: Items): ScriptList {
  const list: ScriptList = []
  for (const item of items) {
    run.step()
    push(run, list, item)
  }
  return list
}

/** Whether a predicate holds for any element; one that does ends the search. */
export function anyMatch(
  run: ScriptRun,
  items: Items,
  predicate: ScriptFunction,
  expected: boolean,
): boolean {
  for (const item of items) {
    run.step()
    if (holds(predicate, item) === expected) return true
  }
  return false
}

/** The elements put together by a function; undefined of none. */
export function reduced(
  run: ScriptRun,
  items: Items,
  first: ScriptValue | undefined,
  of: (a: ScriptValue, b: ScriptValue) => ScriptValue,
): ScriptValue | undefined {
  let result = first
  for (const item of items) {
    run.step()
    result = result === undefined ? item : of(result, item)
  }
  return result
}
