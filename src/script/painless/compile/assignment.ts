/** Assignments, compound ones, and `++` and `--`. */
import type { ScriptValue } from '../../value/script-value.ts'
import type { Expression } from '../ast.ts'
import { CompileFault } from '../compile-fault.ts'
import type { TypeName } from '../library/class-type.ts'
import { arithmetic, primitiveOf } from './arithmetic.ts'
import { castBack } from './cast-back.ts'
import { type Code, constantCode, type Run } from './code.ts'
import { convert } from './convert.ts'
import { describe } from './describe.ts'
import { itemPlace } from './item.ts'
import type { Place } from './place.ts'
import { propertyPlace } from './property.ts'
import type { Scope, Variable } from './scope.ts'
import { converted, type Unit } from './unit.ts'
import { readVariable, variableOf } from './variable.ts'

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>

/** The target of an assignment: a variable, a property or an item. */
type Target =
  | { readonly variable: Variable; readonly type: TypeName }
  | { readonly place: Place; readonly type: TypeName }

function targetOf(unit: Unit, node: Expression, scope: Scope, use: 'write' | 'update'): Target {
  if (node.kind === 'name') {
    const variable = variableOf(unit, node, scope)
    if (variable.isReadOnly)
      throw new CompileFault(node.offset, `Variable [${node.name}] is read-only.`)
    return { variable, type: variable.type }
  }
  if (node.kind !== 'dot' && node.kind !== 'index')
    throw new CompileFault(
      node.offset,
      `invalid assignment: cannot assign a value to ${describe(node)}`,
    )
  const place =
    node.kind === 'dot' ? propertyPlace(unit, node, scope, use) : itemPlace(unit, node, scope)
  return { place, type: place.type }
}

/** `target = value` and `target += value`: the result is what is written. */
export function assignment(unit: Unit, node: Node<'assignment'>, scope: Scope): Code {
  const target = targetOf(unit, node.target, scope, node.sign === null ? 'write' : 'update')
  const { type } = target
  const { sign, offset } = node
  if (sign !== null)
    return update(unit, target, scope, offset, true, old => {
      const result = arithmetic(unit, sign, old, unit.expression(node.value, scope), offset)
      return type === 'def' && result.type === 'def' ? heldClass(unit, old, result) : result
    })
  const value = converted(unit, node.value, scope, type).run
  if ('variable' in target) {
    const { slot } = target.variable
    return { type, run: frame => (frame.slots[slot] = value(frame)) }
  }
  const { owner, key, write } = target.place
  return {
    type,
    run: frame => {
      const holder = owner(frame)
      const at = key(frame)
      const written = value(frame)
      write(frame, holder, at, written)
      return written
    },
  }
}

/** The result of an operator as a number of the class that the old value has. */
function heldClass(unit: Unit, old: Code, result: Code): Code {
  const cast = castBack(unit.classes)
  return {
    type: 'def',
    run: frame => {
      const before = old.run(frame) as ScriptValue
      return cast(before, result.run(frame) as ScriptValue)
    },
  }
}

/** `++target`, `target++` and their like. */
export function increment(unit: Unit, node: Node<'increment'>, scope: Scope): Code {
  const target = targetOf(unit, node.target, scope, 'update')
  const { offset, sign, isPrefix } = node
  if ('variable' in target && target.type === 'int')
    return intIncrement(target.variable.slot, sign === '+' ? 1 : -1, isPrefix)
  const one = constantCode('int', 1)
  return update(unit, target, scope, offset, isPrefix, old =>
    arithmetic(unit, sign, old, one, offset),
  )
}

function intIncrement(slot: number, step: number, isPrefix: boolean): Code {
  const type = 'int'
  if (isPrefix)
    return {
      type,
      run: frame => (frame.slots[slot] = ((frame.slots[slot] as number) + step) | 0),
    }
  return {
    type,
    run: frame => {
      const old = frame.slots[slot] as number
      frame.slots[slot] = (old + step) | 0
      return old
    },
  }
}

/**
 * Writes what an operator makes of the old value.
 * @param givesNew whether the result is the new value or the old one
 */
function update(
  unit: Unit,
  target: Target,
  scope: Scope,
  offset: number,
  givesNew: boolean,
  operator: (old: Code) => Code,
): Code {
  const { type } = target
  const narrow = (code: Code): Run => {
    const isText = code.type === 'String' && primitiveOf(type) !== 'String'
    return convert(unit.classes, code, type, { isExplicit: !isText, offset }).run
  }
  if ('variable' in target) {
    const { slot } = target.variable
    const old = readVariable(target.variable)
    const run = narrow(operator(old))
    if (givesNew) return { type, run: frame => (frame.slots[slot] = run(frame)) }
    return {
      type,
      run: frame => {
        const before = frame.slots[slot]!
        frame.slots[slot] = run(frame)
        return before
      },
    }
  }
  // The old value waits in a slot of its own, so that the owner runs once.
  const slot = scope.hiddenSlot()
  const run = narrow(operator({ type, run: frame => frame.slots[slot]! }))
  const { owner, key, read, write } = target.place
  return {
    type,
    run: frame => {
      const holder = owner(frame)
      const at = key(frame)
      const before = read(frame, holder, at)
      frame.slots[slot] = before
      const after = run(frame)
      write(frame, holder, at, after)
      return givesNew ? after : before
    },
  }
}
