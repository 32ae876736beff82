import { classCast, concurrentModification } from '../../java-faults.ts'
import type { ScriptRun } from '../../script-run.ts'
import { elementsOf } from '../../value/script-collection.ts'
import { classNameOf, type ScriptValue } from '../../value/script-value.ts'

/**
 * The elements of an `Iterable`, each a step.
 * @throws {ScriptFault} `concurrent_modification_exception`: a list, set or view grew or shrank meanwhile
 */
export function* walk(
  run: ScriptRun,
  collection: ScriptValue,
): Generator<ScriptValue, undefined, undefined> {
  const elements = elementsOf(collection)
  if (elements === null)
    throw classCast(collection === null ? 'null' : classNameOf(collection), 'java.lang.Iterable')
  const size = lengthOf(elements)
  for (const element of elements) {
    run.step()
    yield element
    if (lengthOf(elements) !== size) throw concurrentModification()
  }
}

/** The entries of a map, each a step; see `walk`. */
export function* walkMap(
  run: ScriptRun,
  map: ReadonlyMap<ScriptValue, ScriptValue>,
): Generator<[ScriptValue, ScriptValue], undefined, undefined> {
  const { size } = map
  for (const entry of map) {
    run.step()
    yield entry
    if (map.size !== size) throw concurrentModification()
  }
}

function lengthOf(elements: Iterable<ScriptValue>): number {
  if (Array.isArray(elements)) return elements.length
  return 'size' in elements ? (elements.size as number) : 0
}
