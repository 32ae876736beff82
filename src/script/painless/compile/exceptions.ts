/** `throw` and `try`. */
import { nullPointer } from '../../java-faults.ts'
import { ScriptFault } from '../../script-fault.ts'
import { ExceptionValue } from '../../value/exception-value.ts'
import { classNameOf, type ScriptValue } from '../../value/script-value.ts'
import type { Statement } from '../ast.ts'
import { CompileFault } from '../compile-fault.ts'
import {
  type Escapes,
  either,
  FALLS_THROUGH,
  LEAVES,
  NORMAL,
  type StepCode,
  valueRun,
} from './code.ts'
import { located } from './frame.ts'
import type { Scope } from './scope.ts'
import { typeNamed, type Unit } from './unit.ts'

type Node<K extends Statement['kind']> = Extract<Statement, { kind: K }>

/** `throw value`. */
export function throwStatement(unit: Unit, node: Node<'throw'>, scope: Scope): StepCode {
  const code = unit.expression(node.value, scope)
  const value = valueRun(code)
  const { offset } = node
  if (code.type !== 'def' && !unit.classes.isSubclass(code.type, 'Exception'))
    throw new CompileFault(
      offset,
      `Cannot cast from [${unit.classes.nameOf(code.type)}] to [java.lang.Exception].`,
      'class_cast_exception',
    )
  return {
    ...LEAVES,
    cost: 1,
    step: frame => {
      throw located(thrown(value(frame)), offset)
    },
  }
}

/** The exception of a `throw`. */
function thrown(value: ScriptValue): ScriptFault {
  if (value === null) return nullPointer('cannot throw a null reference')
  if (value instanceof ExceptionValue) return value.fault
  return new ScriptFault(
    'class_cast_exception',
    'java.lang.ClassCastException',
    `cannot implicitly cast def [${classNameOf(value)}] to java.lang.Exception`,
  )
}

/** `try { … } catch (T e) { … }`. */
export function tryStatement(
  unit: Unit,
  node: Node<'try'>,
  scope: Scope,
  isLast: boolean,
): StepCode {
  if (node.body === null) throw new CompileFault(node.offset, 'extraneous try statement')
  const body = unit.block(node.body, scope, isLast)
  let escapes: Escapes = body
  let cost = body.cost
  const catches = node.catches.map(each => {
    const type = typeNamed(unit, each.type)
    if (!unit.classes.isSubclass(type, 'Exception'))
      throw new CompileFault(
        each.offset,
        `Cannot cast from [java.lang.Exception] to [${unit.classes.nameOf(type)}].`,
        'class_cast_exception',
      )
    const inner = scope.block()
    const { slot } = inner.declare(each.name, type, each.offset)
    const handler: StepCode =
      each.body === null
        ? { ...FALLS_THROUGH, cost: 1, step: () => NORMAL }
        : unit.block(each.body, inner, isLast)
    escapes = either(escapes, handler)
    cost = Math.max(cost, handler.cost)
    return { owner: unit.classes.classOf(type)!, slot, step: handler.step }
  })
  const { step } = body
  return {
    ...escapes,
    cost,
    step: frame => {
      try {
        return step(frame)
      } catch (error) {
        const fault = located(error, -1)
        if (!(fault instanceof ScriptFault)) throw fault
        const value = new ExceptionValue(fault)
        const handler = catches.find(each => each.owner.isInstance(value))
        if (handler === undefined) throw fault
        frame.slots[handler.slot] = value
        return handler.step(frame)
      }
    },
  }
}
