/** Members of values whose class only run time knows: each place in a source remembers the last one. */
import { nullPointer } from '../../java-faults.ts'
import { ScriptFault } from '../../script-fault.ts'
import { boxed } from '../../value/boxing.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import type { ClassTable } from '../class-table.ts'
import type { ClassType, Member, Typed, TypeName } from '../library/class-type.ts'
import { type Execution, frozenFault } from './frame.ts'
import { callOf, type MemberCall } from './member-call.ts'
import { type Unbox, unboxTo } from './unbox.ts'

/** A member made ready to be called with values. */
interface Ready {
  readonly call: MemberCall
  readonly inputs: readonly (Unbox | null)[]
  readonly returns: TypeName
}

/** A call `.name(…)` of a source. */
export class CallSite {
  readonly #classes: ClassTable
  readonly #name: string
  readonly #key: string
  #lastClass: ClassType | null = null
  #lastReady: Ready | null = null

  constructor(classes: ClassTable, name: string, arity: number) {
    this.#classes = classes
    this.#name = name
    this.#key = `${name}/${arity}`
  }

  /**
   * Calls the method of a value.
   * @param inputs values; the site changes the array
   * @throws {ScriptFault} there is none, and whatever it throws
   */
  call(execution: Execution, value: ScriptValue, inputs: Typed[]): ScriptValue {
    if (value === null) throw nullDereference(this.#name)
    const type = this.#classes.classOfValue(value)
    let ready = this.#lastReady
    if (ready === null || this.#lastClass !== type) {
      ready = this.#readyFor(type, value)
      this.#lastClass = type
      this.#lastReady = ready
    }
    for (let i = 0; i < inputs.length; i++) {
      const take = ready.inputs[i]!
      if (take !== null) inputs[i] = take(inputs[i] as ScriptValue)
    }
    return boxed(ready.returns, callMutating(ready.call, execution, value, inputs))
  }

  #readyFor(type: ClassType, value: ScriptValue): Ready {
    const member = this.#classes.methods(type).get(this.#key)
    if (member === undefined)
      throw missing(`dynamic method [${this.#classes.nameOfValue(value)}, ${this.#key}] not found`)
    return ready(this.#classes, member)
  }
}

/** Calls a member, of which a frozen list refuses what changes it. */
function callMutating(
  call: MemberCall,
  execution: Execution,
  value: ScriptValue,
  inputs: readonly Typed[],
): ScriptValue {
  try {
    return (call(execution.run, value, ...inputs) ?? null) as ScriptValue
  } catch (error) {
    throw frozenFault(error, value)
  }
}

function ready(classes: ClassTable, member: Member): Ready {
  const inputs = member.parameters.map(type => unboxTo(classes, type, false))
  return { call: callOf(member), inputs, returns: member.returns }
}

/** A member of null. */
export function nullDereference(name: string): ScriptFault {
  return nullPointer(`cannot access method/field [${name}] from a null def reference`)
}

/** A member that a class does not have. */
export function missing(reason: string): ScriptFault {
  return new ScriptFault('illegal_argument_exception', 'java.lang.IllegalArgumentException', reason)
}
