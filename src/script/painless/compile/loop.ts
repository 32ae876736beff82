/** Loops. Each round counts what the statements in it cost. */
import { concurrentModification } from '../../java-faults.ts'
import { ScriptArray } from '../../value/script-array.ts'
import { elementsOf, sizeOf } from '../../value/script-collection.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import type { Block, Expression, Statement } from '../ast.ts'
import { isArray, itemTypeOf } from '../class-table.ts'
import { CompileFault } from '../compile-fault.ts'
import type { Typed } from '../library/class-type.ts'
import { missing, nullDereference } from './call-site.ts'
import {
  BREAK,
  FALLS_THROUGH,
  NORMAL,
  RETURN,
  type Run,
  type Step,
  type StepCode,
  valueRun,
} from './code.ts'
import { conditionRun, convert } from './convert.ts'
import { type Frame, located } from './frame.ts'
import type { Scope } from './scope.ts'
import { converted, typeNamed, type Unit } from './unit.ts'

type Node<K extends Statement['kind']> = Extract<Statement, { kind: K }>

/** `while (condition) body`. */
export function whileLoop(unit: Unit, node: Node<'while'>, scope: Scope): StepCode {
  const inner = scope.loop()
  const always = constantOf(node.condition)
  if (always === false) throw fault(node, 'extraneous while loop')
  const test = condition(unit, node.condition, inner)
  const body = bodyOf(unit, node, node.body, inner, 'while', always === true)
  return loop(node.offset, always === true, body, step => (frame, count) => {
    while (test(frame)) {
      count(frame)
      const end = step(frame)
      if (end === BREAK) break
      if (end === RETURN) return RETURN
    }
    return NORMAL
  })
}

/** `do body while (condition)`. */
export function doLoop(unit: Unit, node: Node<'do'>, scope: Scope): StepCode {
  const inner = scope.loop()
  const always = constantOf(node.condition)
  if (node.body === null || always === false) throw fault(node, 'extraneous do-while loop')
  const body = bodyOf(unit, node, node.body, inner, 'do-while', always === true)
  const test = condition(unit, node.condition, inner)
  return loop(node.offset, always === true, body, step => (frame, count) => {
    do {
      count(frame)
      const end = step(frame)
      if (end === BREAK) break
      if (end === RETURN) return RETURN
    } while (test(frame))
    return NORMAL
  })
}

/** `for (first; condition; after) body`. */
export function forLoop(
  unit: Unit,
  node: Node<'for'>,
  scope: Scope,
  statement: (node: Statement, scope: Scope) => StepCode,
): StepCode {
  const inner = scope.loop()
  const first = node.first === null ? nothing : statement(node.first, inner).step
  const always = node.condition === null ? true : constantOf(node.condition)
  if (always === false) throw fault(node, 'extraneous for loop')
  const test = node.condition === null ? yes : condition(unit, node.condition, inner)
  const { after } = node
  const body = bodyOf(unit, node, node.body, inner, 'for', always === true)
  const next =
    after === null
      ? nothing
      : statement({ kind: 'expression', offset: after.offset, expression: after }, inner).step
  return loop(node.offset, always === true, body, step => (frame, count) => {
    first(frame)
    for (; test(frame); next(frame)) {
      count(frame)
      const end = step(frame)
      if (end === BREAK) break
      if (end === RETURN) return RETURN
    }
    return NORMAL
  })
}

/** `for (T name : iterable) body`. */
export function eachLoop(unit: Unit, node: Node<'each'>, scope: Scope): StepCode {
  const inner = scope.loop()
  const type = typeNamed(unit, node.type)
  const iterable = unit.expression(node.iterable, scope)
  const { offset } = node.iterable
  const owner = unit.classes
  const isKnown = iterable.type === 'def' || isArray(iterable.type)
  if (!isKnown && !owner.isSubclass(iterable.type, 'Iterable'))
    throw new CompileFault(offset, `Illegal for each type [${owner.nameOf(iterable.type)}].`)
  const { slot } = inner.declare(node.name, type, node.offset)
  const holder = inner.hiddenSlot()
  const itemType = isArray(iterable.type) ? itemTypeOf(iterable.type) : 'def'
  const item: Run = convert(owner, { type: itemType, run: frame => frame.slots[holder]! }, type, {
    isExplicit: false,
    offset: node.offset,
  }).run
  const isBareArray = isArray(iterable.type)
  const source = valueRun(iterable)
  const body = bodyOf(unit, node, node.body, inner, 'for each', false)
  if (node.body === null) throw fault(node, 'extraneous for each loop')
  return loop(node.offset, false, body, step => (frame, count) => {
    const given = source(frame)
    const visit = (value: Typed): number => {
      count(frame)
      frame.slots[holder] = value
      frame.slots[slot] = item(frame)
      return step(frame)
    }
    try {
      return visitAll(unit, given, isBareArray, visit)
    } catch (error) {
      throw located(error, offset)
    }
  })
}

/** Visits elements until a statement breaks out. */
function visitAll(
  unit: Unit,
  given: ScriptValue,
  isBareArray: boolean,
  visit: (value: Typed) => number,
): number {
  if (given === null) throw nullDereference('iterator')
  if (given instanceof ScriptArray) {
    for (const value of isBareArray ? given.items : given.values()) {
      const end = visit(value)
      if (end === BREAK) break
      if (end === RETURN) return RETURN
    }
    return NORMAL
  }
  const elements = elementsOf(given)
  if (elements === null) throw missing(`Cannot iterate over [${unit.classes.nameOfValue(given)}]`)
  const collection = given as Parameters<typeof sizeOf>[0]
  const size = sizeOf(collection)
  for (const value of elements) {
    if (sizeOf(collection) !== size) throw concurrentModification()
    const end = visit(value)
    if (end === BREAK) break
    if (end === RETURN) return RETURN
  }
  return NORMAL
}

/** The rounds of a loop; `count` counts one. */
type Rounds = (frame: Frame, count: (frame: Frame) => void) => number

function loop(
  offset: number,
  isEndless: boolean,
  body: StepCode,
  roundsOf: (step: Step) => Rounds,
): StepCode {
  const { cost } = body
  const rounds = roundsOf(body.step)
  const count = (frame: Frame): void => {
    try {
      frame.countRound(cost)
    } catch (error) {
      throw located(error, offset)
    }
  }
  const leaves = isEndless && !body.hasBreak
  return {
    ...FALLS_THROUGH,
    leavesFunction: leaves,
    leavesLoop: leaves,
    leaves,
    cost: 1,
    step: frame => rounds(frame, count),
  }
}

function bodyOf(
  unit: Unit,
  node: Statement,
  body: Block | null,
  scope: Scope,
  kind: string,
  isEndless: boolean,
): StepCode {
  if (body === null) {
    if (isEndless) throw fault(node, `no paths escape from ${kind} loop`)
    return { ...FALLS_THROUGH, step: nothing, cost: 1 }
  }
  const code = unit.block(body, scope, false)
  if (code.leavesLoop && !code.hasContinue) throw fault(node, `extraneous ${kind} loop`)
  return code
}

/** The constant value of a condition; null: it is none. */
function constantOf(node: Expression): boolean | null {
  return node.kind === 'boolean' ? node.value : null
}

function condition(unit: Unit, node: Expression, scope: Scope): Run<boolean> {
  return conditionRun(unit.classes, converted(unit, node, scope, 'boolean'), node.offset)
}

function fault(node: Statement, reason: string): CompileFault {
  return new CompileFault(node.offset, reason)
}

function nothing(): number {
  return NORMAL
}

function yes(): boolean {
  return true
}
