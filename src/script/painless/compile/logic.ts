/** `&& || !`, conditionals and elvis, and the signs of one operand. */
import type { Long } from '../../../util/long.ts'
import { nullPointer } from '../../java-faults.ts'
import { ScriptFault } from '../../script-fault.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import { classNameOf } from '../../value/script-value.ts'
import type { Expression } from '../ast.ts'
import { boxOf, type ClassTable, isPrimitive } from '../class-table.ts'
import { CompileFault, castFault } from '../compile-fault.ts'
import type { TypeName } from '../library/class-type.ts'
import { subtractLong } from '../number/long-arithmetic.ts'
import {
  FLOAT,
  INT,
  KIND_TYPES,
  kindOf,
  kindOfType,
  LONG,
  NOT_A_KIND,
  unboxed,
  valueOfKind,
} from '../number/number-kind.ts'
import { primitiveOf } from './arithmetic.ts'
import { type Code, constantCode, numberRun, type Run, valueRun } from './code.ts'
import { conditionRun, convert, promoted } from './convert.ts'
import { located } from './frame.ts'
import type { Scope } from './scope.ts'
import type { Unit } from './unit.ts'

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>

/** `left && right`, `left || right`: the right side runs where it decides. */
export function shortCircuit(
  unit: Unit,
  sign: '&&' | '||',
  left: Code,
  right: Code,
  offset: number,
): Code {
  const a = conditionRun(unit.classes, left, offset)
  const b = conditionRun(unit.classes, right, offset)
  const type = 'boolean'
  if (sign === '&&') return { type, run: frame => a(frame) && b(frame) }
  return { type, run: frame => a(frame) || b(frame) }
}

/** `condition ? yes : no`. */
export function conditional(
  unit: Unit,
  node: Node<'conditional'>,
  scope: Scope,
  wanted: TypeName | undefined,
): Code {
  const test = conditionRun(
    unit.classes,
    unit.expression(node.condition, scope),
    node.condition.offset,
  )
  const yes = unit.expression(node.yes, scope, wanted)
  const no = unit.expression(node.no, scope, wanted)
  const isFunction = wanted !== undefined && unit.classes.classOf(wanted)?.functional != null
  const type = isFunction ? wanted : commonType(unit.classes, yes, no)
  const how = { isExplicit: false, offset: node.offset }
  const a = convert(unit.classes, yes, type, how).run
  const b = convert(unit.classes, no, type, how).run
  return { type, run: frame => (test(frame) ? a(frame) : b(frame)) }
}

/** The type that two values are of, either of which may be the result. */
export function commonType(classes: ClassTable, a: Code, b: Code): TypeName {
  if (a.type === b.type) return a.type
  const kinds = [kindOfType(primitiveOf(a.type)), kindOfType(primitiveOf(b.type))] as const
  if (
    kinds[0] !== NOT_A_KIND &&
    kinds[1] !== NOT_A_KIND &&
    isPrimitive(a.type) === isPrimitive(b.type)
  )
    return KIND_TYPES[Math.max(...kinds)]!
  return holderOf(classes, boxOf(a.type), boxOf(b.type))
}

/** `left ?: right`. */
export function elvis(
  unit: Unit,
  node: Node<'elvis'>,
  scope: Scope,
  wanted: TypeName | undefined,
): Code {
  const left = unit.expression(node.left, scope, wanted)
  const right = unit.expression(node.right, scope, wanted)
  const fault = extraneousElvis(node, left)
  if (fault !== null) throw new CompileFault(node.offset, fault)
  const type = holderOf(unit.classes, left.type, boxOf(right.type))
  const how = { isExplicit: false, offset: node.offset }
  const a = valueRun(convert(unit.classes, left, type, how))
  const b = valueRun(convert(unit.classes, right, type, how))
  return { type, run: frame => a(frame) ?? b(frame) }
}

/** The class that holds the values of two. */
function holderOf(classes: ClassTable, a: TypeName, b: TypeName): TypeName {
  if (a === 'def' || b === 'def') return 'def'
  if (classes.isSubclass(a, b)) return b
  return classes.isSubclass(b, a) ? a : 'def'
}

function extraneousElvis(node: Node<'elvis'>, left: Code): string | null {
  if (node.left.kind === 'null') return 'Extraneous elvis operator. LHS is null.'
  if (left.constant !== undefined) return 'Extraneous elvis operator. LHS is a constant.'
  if (isPrimitive(left.type)) return 'Extraneous elvis operator. LHS is a primitive.'
  return node.right.kind === 'null' ? 'Extraneous elvis operator. RHS is null.' : null
}

/** `!x ~x +x -x`. */
export function unary(unit: Unit, node: Node<'unary'>, scope: Scope): Code {
  const operand = unit.expression(node.operand, scope)
  if (node.sign === '!') {
    const test = conditionRun(unit.classes, operand, node.offset)
    return { type: 'boolean', run: frame => !test(frame) }
  }
  if (operand.type === 'def') return dynamicUnary(node, operand)
  const kind = kindOfType(primitiveOf(operand.type))
  if (kind === NOT_A_KIND || (node.sign === '~' && kind > LONG))
    throw castFault(
      node.offset,
      `cannot apply the ${UNARY_NAMES[node.sign]} operator [${node.sign}] ` +
        `to the type [${unit.classes.nameOf(operand.type)}]`,
    )
  const code = promoted(unit.classes, operand, kind, node.offset)
  const type = KIND_TYPES[kind]!
  const run = unaryRun(node.sign, kind, code)
  return code.constant === undefined
    ? { type, run }
    : constantCode(type, unaryOf(node.sign, kind, code.constant as Long))
}

const UNARY_NAMES: Readonly<Record<string, string>> = {
  '~': 'bitwise not',
  '+': 'unary plus',
  '-': 'unary minus',
}

function unaryRun(sign: string, kind: number, code: Code): Run {
  const number = numberRun(code)
  if (sign === '+') return code.run
  if (sign === '-' && kind >= FLOAT) return frame => -number(frame)
  return frame => unaryOf(sign, kind, number(frame))
}

function unaryOf(sign: string, kind: number, number: Long): Long {
  if (sign === '+') return number
  if (kind === INT) return sign === '-' ? -Number(number) | 0 : ~Number(number)
  if (kind === LONG) return subtractLong(sign === '-' ? 0 : -1, number)
  return -number
}

function dynamicUnary(node: Node<'unary'>, operand: Code): Code {
  const run = valueRun(operand)
  const { sign, offset } = node
  return {
    type: 'def',
    run: frame => {
      const value = run(frame)
      try {
        return unaryOfValue(sign, value)
      } catch (error) {
        throw located(error, offset)
      }
    },
  }
}

function unaryOfValue(sign: string, value: ScriptValue): ScriptValue {
  if (value === null) throw nullPointer(`Cannot apply [${sign}] operation to type [null].`)
  const kind = kindOf(value)
  if (kind === NOT_A_KIND || (sign === '~' && kind > LONG))
    throw new ScriptFault(
      'class_cast_exception',
      'java.lang.ClassCastException',
      `Cannot apply [${sign}] operation to type [${classNameOf(value)}].`,
    )
  return valueOfKind(kind, unaryOf(sign, kind, unboxed(value)))
}
