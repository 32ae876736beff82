/** The compiler of a whole source. */
import type { ContextVariable } from '../../context/script-context.ts'
import { emptyItem } from '../../value/script-array.ts'
import type { Expression, FunctionNode, Program } from '../ast.ts'
import type { ClassTable } from '../class-table.ts'
import { CompileFault } from '../compile-fault.ts'
import type { Typed, TypeName } from '../library/class-type.ts'
import type { PainlessSettings } from '../painless-settings.ts'
import { type Code, NORMAL, type Run, type Step, type StepCode } from './code.ts'
import { expression } from './expression.ts'
import { FunctionScope, Scope } from './scope.ts'
import { block } from './statement.ts'
import { returnTypeNamed, typeNamed, type Unit, type UserFunction } from './unit.ts'

/** A source that is compiled. */
export interface CompiledProgram {
  readonly step: Step
  /** The value, where a source is one expression. */
  readonly value: Run | null
  /** Slots of its frame. */
  readonly size: number
  /** The result where no statement returns. */
  readonly missing: Typed
  readonly uses: ReadonlySet<string>
  /** Offsets of the statements, ascending. */
  readonly statements: readonly number[]
}

/** The variables and the result of a compilation's context. */
export interface ProgramContext {
  readonly variables: readonly ContextVariable[]
  readonly returns: TypeName
}

/**
 * Compiles a source.
 * @throws {CompileFault}
 */
export function compileProgram(
  classes: ClassTable,
  program: Program,
  context: ProgramContext,
  settings: PainlessSettings,
): CompiledProgram {
  const functions = new Map<string, UserFunction>()
  const statements: number[] = []
  const unit: Unit = {
    classes,
    settings,
    uses: new Set(),
    statements,
    functions,
    expression: (node: Expression, scope: Scope, wanted?: TypeName): Code =>
      expression(unit, node, scope, wanted),
    block: (node, scope, isLast): StepCode => block(unit, node, scope, isLast),
  }
  for (const each of program.functions) declareFunction(unit, functions, each)
  for (const each of program.functions) compileFunction(unit, functions, each)
  const owner = new FunctionScope(context.returns, true, null)
  const scope = Scope.of(owner)
  // Whether a map is one or an object like one is found where it is read.
  for (const [i, { name, type }] of context.variables.entries())
    scope.declareOfContext(name, type === 'Map' ? 'def' : type, i)
  const { step, value = null } = block(unit, program.body, scope, true)
  return {
    step,
    value,
    size: owner.size,
    missing: emptyItem(context.returns),
    uses: unit.uses,
    statements: statements.sort((a, b) => a - b),
  }
}

function declareFunction(
  unit: Unit,
  functions: Map<string, UserFunction>,
  node: FunctionNode,
): void {
  const key = `${node.name}/${node.parameters.length}`
  if (functions.has(key))
    throw new CompileFault(node.offset, `Duplicate functions with name [${node.name}].`)
  functions.set(key, {
    name: node.name,
    parameters: node.parameters.map(({ type }) => typeNamed(unit, type)),
    returns: returnTypeNamed(unit, node.returns),
    step: () => NORMAL,
    size: 0,
  })
}

function compileFunction(
  unit: Unit,
  functions: ReadonlyMap<string, UserFunction>,
  node: FunctionNode,
): void {
  const arity = node.parameters.length
  const own = functions.get(`${node.name}/${arity}`)!
  const owner = new FunctionScope(own.returns, false, null)
  const scope = Scope.of(owner)
  for (const [i, { name, type }] of node.parameters.entries())
    scope.declare(name, own.parameters[i]!, type.offset)
  if (node.body.statements.length === 0)
    throw new CompileFault(
      node.offset,
      `invalid function definition: found no statements for function [${node.name}] ` +
        `with [${arity}] parameters`,
    )
  const body = block(unit, node.body, scope, true)
  if (!body.leavesFunction && own.returns !== 'void')
    throw new CompileFault(
      node.offset,
      `not all paths provide a return value for function [${node.name}] with [${arity}] parameters`,
    )
  own.step = body.step
  own.size = owner.size
}
