/** `if`. */
import type { Branch, Statement } from '../ast.ts'
import { CompileFault } from '../compile-fault.ts'
import {
  type Escapes,
  either,
  FALLS_THROUGH,
  NORMAL,
  type Run,
  type Step,
  type StepCode,
} from './code.ts'
import { conditionRun } from './convert.ts'
import type { Scope } from './scope.ts'
import { converted, type Unit } from './unit.ts'

type IfNode = Extract<Statement, { kind: 'if' }>

/** `if (condition) { … } else if (condition) { … } else { … }`. */
export function ifStatement(unit: Unit, node: IfNode, scope: Scope, isLast: boolean): StepCode {
  const { branches, otherwise } = node
  if (otherwise === null) throw new CompileFault(node.offset, 'extraneous else block')
  const parts = branches.map(branch => {
    if (branch !== branches[0]) unit.statements.push(branch.offset)
    return branchOf(unit, branch, scope, isLast)
  })
  const last: StepCode =
    otherwise === undefined
      ? { ...FALLS_THROUGH, cost: 0, step: () => NORMAL }
      : unit.block(otherwise, scope, isLast)
  let escapes: Escapes = last
  let { cost } = last
  for (const { code } of parts) {
    escapes = either(escapes, code)
    cost = Math.max(cost, code.cost)
  }
  return { ...escapes, cost, step: branching(parts, last.step) }
}

/** A condition with what runs under it. */
interface Part {
  readonly test: Run<boolean>
  readonly code: StepCode
}

function branchOf(unit: Unit, branch: Branch, scope: Scope, isLast: boolean): Part {
  const { condition, body, offset } = branch
  if (condition.kind === 'boolean' || body === null)
    throw new CompileFault(offset, 'extraneous if block')
  const code = converted(unit, condition, scope, 'boolean')
  const test = conditionRun(unit.classes, code, condition.offset)
  return { test, code: unit.block(body, scope, isLast) }
}

function branching(parts: readonly Part[], last: Step): Step {
  const [first] = parts
  if (first !== undefined && parts.length === 1) {
    const { test } = first
    const { step } = first.code
    return frame => (test(frame) ? step(frame) : last(frame))
  }
  return frame => {
    for (const { test, code } of parts) if (test(frame)) return code.step(frame)
    return last(frame)
  }
}
