/** Calls of methods, static methods, and functions of the source or of the context. */
import type { ScriptValue } from '../../value/script-value.ts'
import type { Expression } from '../ast.ts'
import { boxOf, isArray } from '../class-table.ts'
import { CompileFault } from '../compile-fault.ts'
import type { Member, TypeName } from '../library/class-type.ts'
import { CallSite, nullDereference } from './call-site.ts'
import { type Code, RETURN, type Run, valueRun } from './code.ts'
import { boxingRun } from './convert.ts'
import { docHasField } from './doc-field.ts'
import { enterCall, Frame, located } from './frame.ts'
import { mathRun } from './math.ts'
import { runMember } from './member-call.ts'
import { requireNullable } from './property.ts'
import type { Scope } from './scope.ts'
import { converted, type Unit, type UserFunction } from './unit.ts'
import { readVariable, typeOfExpression } from './variable.ts'

type MethodNode = Extract<Expression, { kind: 'method' }>

/** `target.name(inputs)`, where the target may be a type. */
export function method(unit: Unit, node: MethodNode, scope: Scope): Code {
  const owner = typeOfExpression(unit, node.target, scope)
  if (owner !== null) return staticMethod(unit, node, scope, owner)
  const known = docHasField(unit, node, scope)
  if (known !== null) return known
  const target = unit.expression(node.target, scope)
  const code =
    target.type === 'def'
      ? dynamicMethod(unit, node, scope)
      : memberMethod(unit, node, scope, target)
  if (!node.isNullSafe) return { type: code.type, run: code.call(target.run) }
  requireNullable(code.type, node.offset)
  return { type: code.type, run: nullSafe(target.run, code.call) }
}

/** A call whose target is still to be said. */
interface OpenCall {
  readonly type: TypeName
  readonly call: (target: Run) => Run
}

/** A call that gives null where the target is null. */
function nullSafe(target: Run, call: (target: Run) => Run): Run {
  // The target runs once: the call reads it from here.
  let held: ReturnType<Run> = null
  const run = call(() => held)
  return frame => {
    const value = target(frame)
    if (value === null) return null
    held = value
    return run(frame)
  }
}

function staticMethod(unit: Unit, node: MethodNode, scope: Scope, owner: TypeName): Code {
  const key = `${node.name}/${node.inputs.length}`
  const member = staticsOf(unit, owner).get(key)
  if (member === undefined) throw noMethod(unit, owner, key, node.offset)
  const inputs = inputsOf(unit, node, scope, member)
  const run = mathRun(owner, key, inputs) ?? runMember(member, null, inputs, node.offset)
  return { type: member.returns, run }
}

/** Static members of a type, by `name/arity`. */
export function staticsOf(unit: Unit, owner: TypeName): ReadonlyMap<string, Member> {
  return new Map(Object.entries(unit.classes.classOf(boxOf(owner))?.statics ?? {}))
}

/** A method that a class does not have. */
export function noMethod(unit: Unit, owner: TypeName, key: string, offset: number): CompileFault {
  return new CompileFault(offset, `method [${unit.classes.nameOf(owner)}, ${key}] not found`)
}

function inputsOf(unit: Unit, node: MethodNode, scope: Scope, member: Member): Code[] {
  return node.inputs.map((input, i) => converted(unit, input, scope, member.parameters[i]!))
}

function memberMethod(unit: Unit, node: MethodNode, scope: Scope, target: Code): OpenCall {
  const key = `${node.name}/${node.inputs.length}`
  const owner = unit.classes.classOf(isArray(target.type) ? 'Object' : boxOf(target.type))
  const member = owner === null ? undefined : unit.classes.methods(owner).get(key)
  if (member === undefined) throw noMethod(unit, target.type, key, node.offset)
  const inputs = inputsOf(unit, node, scope, member)
  const { name, offset } = node
  return {
    type: member.returns,
    call: run => {
      const receiver = boxingRun({ type: target.type, run })
      if (receiver === null) throw noMethod(unit, target.type, key, offset)
      const checked: Run = frame => {
        const value = receiver(frame)
        if (value === null) throw located(nullDereference(name), offset)
        return value
      }
      return runMember(member, checked, inputs, offset)
    },
  }
}

function dynamicMethod(unit: Unit, node: MethodNode, scope: Scope): OpenCall {
  const { name, offset } = node
  const site = new CallSite(unit.classes, name, node.inputs.length)
  const inputs = node.inputs.map(input => valueRun(converted(unit, input, scope, 'def')))
  const only = inputs[0]
  return {
    type: 'def',
    call: run => {
      const receiver = run as Run<ScriptValue>
      if (inputs.length < 2)
        return frame => {
          const value = receiver(frame)
          const given = only === undefined ? [] : [only(frame)]
          try {
            return site.call(frame.execution, value, given)
          } catch (error) {
            throw located(error, offset)
          }
        }
      return frame => {
        const value = receiver(frame)
        const given = inputs.map(input => input(frame))
        try {
          return site.call(frame.execution, value, given)
        } catch (error) {
          throw located(error, offset)
        }
      }
    },
  }
}

/** `name(inputs)`. */
export function functionCall(
  unit: Unit,
  node: Extract<Expression, { kind: 'call' }>,
  scope: Scope,
): Code {
  const arity = node.inputs.length
  const key = `${node.name}/${arity}`
  const own = unit.functions.get(key)
  if (own !== undefined) {
    const inputs = node.inputs.map((input, i) => converted(unit, input, scope, own.parameters[i]!))
    return { type: own.returns, run: runFunction(own, inputs, node.offset) }
  }
  const offered = unit.settings.functions.get(key)
  const receiver = offered?.receiver ?? null
  const variable = receiver === null ? null : scope.find(receiver)
  if (offered === undefined || (receiver !== null && variable === null))
    throw new CompileFault(node.offset, `Unknown call [${node.name}] with [${arity}] arguments.`)
  if (variable?.isOfContext) unit.uses.add(variable.name)
  const { member } = offered
  const inputs = node.inputs.map((input, i) => converted(unit, input, scope, member.parameters[i]!))
  const owner = variable === null ? null : readVariable(variable).run
  return { type: member.returns, run: runMember(member, owner, inputs, node.offset) }
}

/** The closure of a call of a function of the source. */
function runFunction(own: UserFunction, inputs: readonly Code[], offset: number): Run {
  return frame => {
    const { execution } = frame
    const inner = new Frame(execution, own.size)
    for (let i = 0; i < inputs.length; i++) inner.slots[i] = inputs[i]!.run(frame)
    try {
      enterCall(execution)
    } catch (error) {
      throw located(error, offset)
    }
    try {
      return own.step(inner) === RETURN ? inner.result : null
    } catch (error) {
      throw located(error, offset)
    } finally {
      execution.depth--
    }
  }
}
