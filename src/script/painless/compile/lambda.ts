/** Lambdas. */

import { boxed } from '../../value/boxing.ts'
import { emptyItem } from '../../value/script-array.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import type { Block, Expression } from '../ast.ts'
import { CompileFault } from '../compile-fault.ts'
import { type ClassType, ScriptFunction, type Typed, type TypeName } from '../library/class-type.ts'
import { missing } from './call-site.ts'
import { type Code, OBJECT_BYTES, RETURN, type Step } from './code.ts'
import { type Execution, enterCall, Frame, located } from './frame.ts'
import { FunctionScope, Scope } from './scope.ts'
import { type Unbox, unboxTo } from './unbox.ts'
import { typeNamed, type Unit } from './unit.ts'

/** The functional interface that a lambda must implement; null: known at run time only. */
export type Wanted = {
  readonly type: TypeName
  readonly owner: ClassType
  readonly parameters: readonly TypeName[]
  readonly returns: TypeName
} | null

/**
 * The signature that a functional interface requires.
 * @throws {CompileFault} it is no functional interface
 */
export function wantedOf(unit: Unit, type: TypeName | undefined, offset: number): Wanted {
  if (type === undefined || type === 'def' || type === 'Object') return null
  const owner = unit.classes.classOf(type)
  if (owner?.functional != null) return { type, owner, ...owner.functional }
  throw new CompileFault(
    offset,
    `Cannot convert function reference [lambda] to [${unit.classes.nameOf(type)}], ` +
      'not a functional interface',
  )
}

/** `(a, b) -> body`. */
export function lambda(
  unit: Unit,
  node: Extract<Expression, { kind: 'lambda' }>,
  scope: Scope,
  type: TypeName | undefined,
): Code {
  const { offset } = node
  const wanted = wantedOf(unit, type, offset)
  const arity = node.parameters.length
  if (wanted !== null && wanted.parameters.length !== arity)
    throw new CompileFault(
      offset,
      `Incorrect number of parameters for [${unit.classes.nameOf(wanted.type)}]: ` +
        `expected [${wanted.parameters.length}] but found [${arity}]`,
    )
  const isVoid = wanted?.returns === 'void'
  // A void function drops the value of its body.
  const returns = isVoid ? 'def' : (wanted?.returns ?? 'def')
  const owner = new FunctionScope(returns, true, scope)
  const inner = Scope.of(owner)
  const takes = node.parameters.map((parameter, i) => {
    const given =
      parameter.type === null ? (wanted?.parameters[i] ?? 'def') : typeNamed(unit, parameter.type)
    inner.declare(parameter.name, given, offset)
    return unboxTo(unit.classes, given, false)
  })
  const body: Block = 'block' in node.body ? node.body.block : expressionBlock(node.body.expression)
  const { step } = unit.block(body, inner, true)
  const shape: LambdaShape = { step, takes, owner, offset, returns: isVoid ? 'void' : returns }
  const className = wanted?.owner.javaName ?? 'Lambda'
  return {
    type: wanted?.type ?? 'def',
    run: frame => {
      frame.execution.run.charge(OBJECT_BYTES)
      return new LambdaValue(className, shape, frame)
    },
  }
}

function expressionBlock(expression: Expression): Block {
  const { offset } = expression
  return { statements: [{ kind: 'expression', offset, expression }], offset }
}

/** The compiled lambda that all its values share. */
interface LambdaShape {
  readonly step: Step
  readonly takes: readonly (Unbox | null)[]
  readonly owner: FunctionScope
  readonly offset: number
  readonly returns: TypeName
}

/** A lambda with the values that it took along. */
class LambdaValue extends ScriptFunction {
  readonly className: string
  readonly #shape: LambdaShape
  readonly #execution: Execution
  readonly #captured: readonly Typed[]

  constructor(className: string, shape: LambdaShape, frame: Frame) {
    super()
    this.className = className
    this.#shape = shape
    this.#execution = frame.execution
    this.#captured = shape.owner.captures.map(
      ({ from }) => (from.isDirect ? frame.variables : frame.slots)[from.slot]!,
    )
  }

  override call(...inputs: ScriptValue[]): ScriptValue {
    const { step, takes, owner, offset, returns } = this.#shape
    if (inputs.length !== takes.length)
      throw located(wrongArity(inputs.length, takes.length), offset)
    const execution = this.#execution
    const frame = new Frame(execution, owner.size)
    try {
      enterCall(execution)
    } catch (error) {
      throw located(error, offset)
    }
    try {
      for (let i = 0; i < takes.length; i++) {
        const take = takes[i]!
        frame.slots[i] = take === null ? inputs[i]! : take(inputs[i]!)
      }
      for (let i = 0; i < owner.captures.length; i++)
        frame.slots[owner.captures[i]!.to] = this.#captured[i]!
      const isReturned = step(frame) === RETURN
      if (returns === 'void') return null
      return boxed(returns, isReturned ? (frame.result as ScriptValue) : emptyItem(returns))
    } catch (error) {
      throw located(error, offset)
    } finally {
      execution.depth--
    }
  }

  override text(): string {
    return this.className
  }
}

function wrongArity(given: number, wanted: number): Error {
  return missing(
    `Incorrect number of parameters for lambda: expected [${given}] but found [${wanted}]`,
  )
}
