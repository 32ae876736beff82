/** Names of variables and types. */
import type { Expression } from '../ast.ts'
import { CompileFault } from '../compile-fault.ts'
import type { TypeName } from '../library/class-type.ts'
import type { Code } from './code.ts'
import type { Scope, Variable } from './scope.ts'
import type { Unit } from './unit.ts'

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>

/**
 * A name that is read.
 * @throws {CompileFault} there is no such variable
 */
export function name(unit: Unit, node: Node<'name'>, scope: Scope): Code {
  return readVariable(variableOf(unit, node, scope))
}

/**
 * The variable of a name, whose use is noted.
 * @throws {CompileFault} there is none
 */
export function variableOf(unit: Unit, node: Node<'name'>, scope: Scope): Variable {
  const variable = scope.find(node.name)
  if (variable === null) throw new CompileFault(node.offset, `cannot resolve symbol [${node.name}]`)
  if (variable.isOfContext) unit.uses.add(node.name)
  return variable
}

/** The value of a variable. */
export function readVariable(variable: Variable): Code {
  const { type, slot, isDirect } = variable
  if (isDirect) return { type, variable, run: frame => frame.variables[slot]! }
  return { type, variable, run: frame => frame.slots[slot]! }
}

/** The type that an expression names, `Map.Entry` for example; null: it is a value. */
export function typeOfExpression(unit: Unit, node: Expression, scope: Scope): TypeName | null {
  const written = writtenName(node)
  if (written === null || scope.find(written.split('.')[0]!) !== null) return null
  return unit.classes.resolve(written)
}

function writtenName(node: Expression): string | null {
  if (node.kind === 'name') return node.name
  if (node.kind !== 'dot' || node.isNullSafe) return null
  const target = writtenName(node.target)
  return target === null ? null : `${target}.${node.name}`
}
