/**
 * Members of a class from a table of Java's signatures: `boolean add(def)` → function. A `?` behind a
 * parameter's type lets null in; without it a null for a class type throws.
 */
import { nullPointer } from '../../java-faults.ts'
import type { ScriptRun } from '../../script-run.ts'
import type { Member, Typed, TypeName } from './class-type.ts'

/** A member's function; see `Member.call`. */
type Call = (run: ScriptRun, receiver: never, ...inputs: never[]) => Typed | undefined

const NEVER_NULL: ReadonlySet<TypeName> = new Set(
  'boolean byte short char int long float double def Object'.split(' '),
)

/** Methods by `name/arity`, out of `⟨returns⟩ ⟨name⟩(⟨parameters⟩)`; a function for `void` may answer nothing. */
export function members(table: Readonly<Record<string, Call>>): Record<string, Member> {
  const result: Record<string, Member> = {}
  for (const [signature, call] of Object.entries(table)) {
    const [head = '', list = ''] = signature.slice(0, -1).split('(')
    const [returns = '', name = ''] = head.split(' ')
    const { parameters, checked } = readParameters(list)
    result[`${name}/${parameters.length}`] = member(parameters, returns, call, checked)
  }
  return result
}

/** Constructors by number of arguments, out of `(⟨parameters⟩)`. */
export function constructors(
  className: TypeName,
  table: Readonly<Record<string, Call>>,
): Record<number, Member> {
  const result: Record<number, Member> = {}
  for (const [signature, call] of Object.entries(table)) {
    const { parameters, checked } = readParameters(signature.slice(1, -1))
    result[parameters.length] = member(parameters, className, call, checked)
  }
  return result
}

/** The one method of a functional interface. */
export function functional(
  returns: TypeName,
  ...parameters: TypeName[]
): { parameters: readonly TypeName[]; returns: TypeName } {
  return { parameters, returns }
}

function readParameters(list: string): { parameters: string[]; checked: number[] } {
  const types = list === '' ? [] : list.split(', ')
  const parameters = types.map(type => type.replace('?', ''))
  const checked = types.flatMap((type, i) => (type.endsWith('?') || NEVER_NULL.has(type) ? [] : i))
  return { parameters, checked }
}

function member(
  parameters: readonly TypeName[],
  returns: TypeName,
  call: Call,
  checked: readonly number[],
): Member {
  return { parameters, returns, call: guarded(call, checked, parameters.length) as Member['call'] }
}

/** A function that throws where one of the parameters `checked` is null. */
function guarded(call: Call, checked: readonly number[], arity: number): Call {
  if (checked.length === 0) return call
  if (arity === 1)
    return (run, receiver, input: never) => {
      if (input === null) throw nullArgument(0)
      return call(run, receiver, input)
    }
  if (arity === 2) {
    const [first = 0, second = first] = checked
    return (run, receiver, a: never, b: never) => {
      if ((first === 0 ? a : b) === null) throw nullArgument(first)
      if ((second === 0 ? a : b) === null) throw nullArgument(second)
      return call(run, receiver, a, b)
    }
  }
  return (run, receiver, ...inputs) => {
    for (const i of checked) if (inputs[i] === null) throw nullArgument(i)
    return call(run, receiver, ...inputs)
  }
}

function nullArgument(index: number): Error {
  return nullPointer(`argument [${index + 1}] must not be null`)
}
