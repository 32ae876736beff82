import { emptyItem } from '../../value/script-array.ts'
import type { Block, Expression, Statement } from '../ast.ts'
import { CompileFault } from '../compile-fault.ts'
import type { Typed } from '../library/class-type.ts'
import { ifStatement } from './branches.ts'
import {
  BREAK,
  CONTINUE,
  FALLS_THROUGH,
  LEAVES,
  NORMAL,
  RETURN,
  type Run,
  type Step,
  type StepCode,
} from './code.ts'
import { convert } from './convert.ts'
import { describe } from './describe.ts'
import { throwStatement, tryStatement } from './exceptions.ts'
import type { Frame } from './frame.ts'
import { doLoop, eachLoop, forLoop, whileLoop } from './loop.ts'
import type { Scope } from './scope.ts'
import { converted, typeNamed, type Unit } from './unit.ts'

type Node<K extends Statement['kind']> = Extract<Statement, { kind: K }>

/**
 * Compiles the statements of a block.
 * @param isLast whether the function ends with it: then a last bare expression is the result
 * @throws {CompileFault}
 */
export function block(unit: Unit, node: Block, around: Scope, isLast: boolean): StepCode {
  const scope = around.block()
  const [only] = node.statements
  if (only !== undefined && node.statements.length === 1)
    return statement(unit, only, scope, isLast)
  const steps: Step[] = []
  let escapes = FALLS_THROUGH
  let cost = 0
  for (const [i, each] of node.statements.entries()) {
    if (escapes.leaves) throw new CompileFault(each.offset, 'invalid block: unreachable statement')
    const code = statement(unit, each, scope, isLast && i === node.statements.length - 1)
    steps.push(code.step)
    cost += code.cost
    escapes = {
      leavesFunction: code.leavesFunction,
      leavesLoop: code.leavesLoop,
      leaves: code.leaves,
      hasBreak: escapes.hasBreak || code.hasBreak,
      hasContinue: escapes.hasContinue || code.hasContinue,
    }
  }
  return { ...escapes, cost: Math.max(1, cost), step: sequence(steps) }
}

/** Steps one behind the other. */
function sequence(steps: readonly Step[]): Step {
  const [first, second, third] = steps
  switch (steps.length) {
    case 0:
      return () => NORMAL
    case 1:
      return first!
    case 2:
      return frame => first!(frame) || second!(frame)
    case 3:
      return frame => first!(frame) || second!(frame) || third!(frame)
    default:
      return frame => {
        for (let i = 0; i < steps.length; i++) {
          const end = steps[i]!(frame)
          if (end !== NORMAL) return end
        }
        return NORMAL
      }
  }
}

function statement(unit: Unit, node: Statement, scope: Scope, isLast: boolean): StepCode {
  unit.statements.push(node.offset)
  switch (node.kind) {
    case 'expression':
      return expressionStatement(unit, node, scope, isLast)
    case 'declare':
      return declare(unit, node, scope)
    case 'if':
      return ifStatement(unit, node, scope, isLast)
    case 'while':
      return whileLoop(unit, node, scope)
    case 'do':
      return doLoop(unit, node, scope)
    case 'for':
      return forLoop(unit, node, scope, (each, inner) => statement(unit, each, inner, false))
    case 'each':
      return eachLoop(unit, node, scope)
    case 'return':
      return returnStatement(unit, node, scope)
    case 'break':
      if (!scope.isInLoop) throw new CompileFault(node.offset, 'Break statement outside of a loop.')
      return { ...LEAVES, leavesFunction: false, hasBreak: true, cost: 1, step: () => BREAK }
    case 'continue':
      if (!scope.isInLoop)
        throw new CompileFault(node.offset, 'Continue statement outside of a loop.')
      return {
        ...FALLS_THROUGH,
        leaves: true,
        hasContinue: true,
        cost: 1,
        step: () => CONTINUE,
      }
    case 'throw':
      return throwStatement(unit, node, scope)
    case 'try':
      return tryStatement(unit, node, scope, isLast)
  }
}

function expressionStatement(
  unit: Unit,
  node: Node<'expression'>,
  scope: Scope,
  isLast: boolean,
): StepCode {
  const { expression } = node
  const { returns, returnsLast } = scope.function
  const isResult = isLast && returnsLast && returns !== 'void'
  if (!isResult && !ACTS.has(expression.kind)) throw notUsed(expression)
  const code = unit.expression(expression, scope, isResult ? returns : undefined)
  if (isResult && code.type !== 'void') {
    const how = { isExplicit: false, offset: expression.offset }
    const value = convert(unit.classes, code, returns, how)
    return returned(value.run)
  }
  const { run } = code
  return {
    ...FALLS_THROUGH,
    cost: 1,
    step: frame => {
      run(frame)
      return NORMAL
    },
  }
}

function notUsed(node: Expression): CompileFault {
  return new CompileFault(node.offset, `not a statement: ${describe(node)} not used`)
}

/** Kinds of expressions that do something beside giving a value. */
const ACTS: ReadonlySet<Expression['kind']> = new Set([
  'assignment',
  'call',
  'increment',
  'method',
  'new',
] as const)

function returned(value: Run): StepCode {
  const step = (frame: Frame): number => {
    frame.result = value(frame)
    return RETURN
  }
  return { ...LEAVES, cost: 1, step, value }
}

function declare(unit: Unit, node: Node<'declare'>, scope: Scope): StepCode {
  const type = typeNamed(unit, node.type)
  const steps = node.names.map(({ name, value, offset }): Step => {
    const code = value === null ? null : converted(unit, value, scope, type)
    const { slot } = scope.declare(name, type, offset)
    const run = code?.run ?? ((): Typed => emptyItem(type))
    return frame => {
      frame.slots[slot] = run(frame)
      return NORMAL
    }
  })
  return { ...FALLS_THROUGH, cost: steps.length, step: sequence(steps) }
}

function returnStatement(unit: Unit, node: Node<'return'>, scope: Scope): StepCode {
  const { returns } = scope.function
  const { value } = node
  if (value === null) {
    if (returns !== 'void')
      throw new CompileFault(
        node.offset,
        `Cannot cast from [void] to [${unit.classes.nameOf(returns)}].`,
        'class_cast_exception',
      )
    return { ...LEAVES, cost: 1, step: () => RETURN }
  }
  return returned(converted(unit, value, scope, returns).run)
}
