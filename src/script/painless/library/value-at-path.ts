import { illegalArgument, nullPointer, numberFormat } from '../../java-faults.ts'
import type { ScriptRun } from '../../script-run.ts'
import type { ScriptList, ScriptMap, ScriptValue } from '../../value/script-value.ts'

/**
 * `getByPath`: the value at keys and list indices that are parted by dots.
 * @param otherwise the result for a missing value; undefined: it throws
 * @throws {ScriptFault} `illegal_argument_exception`: an empty path or part of it, a missing value, or
 *   one that is neither map nor list on the way
 */
export function valueAtPath(
  run: ScriptRun,
  from: ScriptMap | ScriptList,
  path: string,
  otherwise?: ScriptValue,
): ScriptValue {
  if (path === '') throw illegalArgument('Missing path')
  const parts = path.split('.')
  let value: ScriptValue = from
  for (const [i, part] of parts.entries()) {
    run.step()
    if (part === '') throw illegalArgument(`Extra '.' in path [${path}] at index [${i}]`)
    const next: ScriptValue | undefined = stepInto(value, part, path, i)
    if (next === undefined) {
      if (otherwise === undefined) throw missing(value, part, path, i)
      return otherwise
    }
    value = next
  }
  return value
}

/** The value of one part; undefined: it is missing. */
function stepInto(
  value: ScriptValue,
  part: string,
  path: string,
  ord: number,
): ScriptValue | undefined {
  if (value instanceof Map) return value.has(part) ? value.get(part)! : undefined
  if (Array.isArray(value)) {
    if (!/^\d{1,9}$/.test(part))
      throw numberFormat(
        `Could not parse [${part}] as a int index into list at path [${path}] and index [${ord}]`,
      )
    return value[Number(part)]
  }
  if (value === null) throw nullPointer(`null at path [${path}] and index [${ord}]`)
  throw illegalArgument(`Non-container at [${part}], index [${ord}] in path [${path}]`)
}

function missing(value: ScriptValue, part: string, path: string, ord: number): Error {
  return Array.isArray(value)
    ? illegalArgument(`No value found at [${part}] in path [${path}] at index [${ord}]`)
    : illegalArgument(`Could not find value at path [${path}]`)
}
