/** The compiler of expressions: a line for each kind. */
import type { Expression } from '../ast.ts'
import type { TypeName } from '../library/class-type.ts'
import { arithmetic } from './arithmetic.ts'
import { assignment, increment } from './assignment.ts'
import { functionCall, method } from './call.ts'
import { type Code, constantCode } from './code.ts'
import { comparison, instanceOf } from './comparison.ts'
import { convert } from './convert.ts'
import { item } from './item.ts'
import { lambda } from './lambda.ts'
import { arrayOf, list, map, newArray, newObject, number } from './literal.ts'
import { conditional, elvis, shortCircuit, unary } from './logic.ts'
import { property } from './property.ts'
import { reference } from './reference.ts'
import { regex, regexTest } from './regex.ts'
import type { Scope } from './scope.ts'
import { typeNamed, type Unit } from './unit.ts'
import { name } from './variable.ts'

/**
 * Compiles an expression.
 * @param wanted the type that a lambda or a method reference becomes
 * @throws {CompileFault}
 */
export function expression(
  unit: Unit,
  node: Expression,
  scope: Scope,
  wanted: TypeName | undefined,
): Code {
  switch (node.kind) {
    case 'null':
      return constantCode('def', null)
    case 'boolean':
      return constantCode('boolean', node.value)
    case 'number':
      return number(node)
    case 'string':
      return constantCode('String', node.value)
    case 'regex':
      return regex(unit, node)
    case 'list':
      return list(unit, node, scope)
    case 'map':
      return map(unit, node, scope)
    case 'name':
      return name(unit, node, scope)
    case 'dot':
      return property(unit, node, scope)
    case 'index':
      return item(unit, node, scope)
    case 'method':
      return method(unit, node, scope)
    case 'call':
      return functionCall(unit, node, scope)
    case 'new':
      return newObject(unit, node, scope)
    case 'newArray':
      return newArray(unit, node, scope)
    case 'arrayOf':
      return arrayOf(unit, node, scope)
    case 'unary':
      return unary(unit, node, scope)
    case 'cast':
      return cast(unit, node, scope)
    case 'binary':
      return binary(unit, node, scope)
    case 'instanceof':
      return instanceOf(unit, node, scope)
    case 'conditional':
      return conditional(unit, node, scope, wanted)
    case 'elvis':
      return elvis(unit, node, scope, wanted)
    case 'assignment':
      return assignment(unit, node, scope)
    case 'increment':
      return increment(unit, node, scope)
    case 'lambda':
      return lambda(unit, node, scope, wanted)
    case 'reference':
      return reference(unit, node, scope, wanted)
  }
}

function cast(unit: Unit, node: Extract<Expression, { kind: 'cast' }>, scope: Scope): Code {
  const type = typeNamed(unit, node.type)
  const operand = unit.expression(node.operand, scope, type)
  return convert(unit.classes, operand, type, { isExplicit: true, offset: node.offset })
}

function binary(unit: Unit, node: Extract<Expression, { kind: 'binary' }>, scope: Scope): Code {
  // A long chain is walked down here instead of by recursion through all the layers of the compiler.
  const chain = [node]
  let first = node.left
  while (first.kind === 'binary') {
    chain.push(first)
    first = first.left
  }
  let left = unit.expression(first, scope)
  for (let each = chain.pop(); each !== undefined; each = chain.pop())
    left = operation(unit, each, left, unit.expression(each.right, scope))
  return left
}

function operation(
  unit: Unit,
  { sign, offset }: Extract<Expression, { kind: 'binary' }>,
  left: Code,
  right: Code,
): Code {
  switch (sign) {
    case '&&':
    case '||':
      return shortCircuit(unit, sign, left, right, offset)
    case '=~':
    case '==~':
      return regexTest(unit, sign, left, right, offset)
    case '==':
    case '!=':
    case '===':
    case '!==':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return comparison(unit, sign, left, right, offset)
    default:
      return arithmetic(unit, sign, left, right, offset)
  }
}
