import { classNameOf, type ScriptValue } from '../../value/script-value.ts'
import type { ClassTable } from '../class-table.ts'
import type { TypeName } from '../library/class-type.ts'
import { type Unbox, unboxTo } from './unbox.ts'

/** Classes of numbers that `def` variables hold, each with its type. */
const TYPES: readonly TypeName[] = ['Integer', 'Long', 'Float', 'Double']

/** Casts a value to the class of the one before it. */
export type CastBack = (before: ScriptValue, after: ScriptValue) => ScriptValue

/**
 * The cast of compound assignments to a `def`: a number stays of the class that the variable held, so that
 * `x += 0.5` cuts where `x` was an Integer. Values of other classes are taken as they come.
 */
export function castBack(classes: ClassTable): CastBack {
  const casts = new Map<string, Unbox>()
  for (const type of TYPES) {
    const cast = unboxTo(classes, type, true)
    if (cast !== null) casts.set(`java.lang.${type}`, cast)
  }
  return (before, after) => {
    if (before === null || after === null) return after
    const held = classNameOf(before)
    const came = classNameOf(after)
    if (held === came || !casts.has(came)) return after
    return (casts.get(held)?.(after) ?? after) as ScriptValue
  }
}
