/** Literals, and values that are made: lists, maps, arrays, objects. */

import { ScriptFault } from '../../script-fault.ts'
import { chargeList, chargeMap } from '../../script-growth.ts'
import { wrapLong } from '../../value/java-numbers.ts'
import { setKey } from '../../value/keys.ts'
import { emptyItem, ScriptArray } from '../../value/script-array.ts'
import type { ScriptMap, ScriptValue } from '../../value/script-value.ts'
import type { Expression } from '../ast.ts'
import { itemTypeOf } from '../class-table.ts'
import { CompileFault } from '../compile-fault.ts'
import type { Typed, TypeName } from '../library/class-type.ts'
import { type Code, constantCode, numberRun, OBJECT_BYTES, type Run, valueRun } from './code.ts'
import { type Frame, located } from './frame.ts'
import { runMember } from './member-call.ts'
import type { Scope } from './scope.ts'
import { converted, typeNamed, type Unit } from './unit.ts'

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>

/** `0x1F`, `12L`, `1.5e3f`. */
export function number(node: Node<'number'>): Code {
  const text = node.text.toLowerCase()
  const sign = node.isNegative ? '-' : ''
  if (/^0x|^0[0-7]+l?$/.test(text)) return radixNumber(node, text)
  const last = text.at(-1)!
  const digits = /[fdl]/.test(last) ? text.slice(0, -1) : text
  if (last === 'f') {
    const value = Math.fround(Number(sign + digits))
    if (!Number.isFinite(value)) throw invalid(node, 'float')
    return constantCode('float', value)
  }
  if (last === 'd' || /[.e]/.test(text)) {
    const value = Number(sign + digits)
    if (!Number.isFinite(value)) throw invalid(node, 'double')
    return constantCode('double', value)
  }
  return integer(node, BigInt(sign + digits), last === 'l')
}

function radixNumber(node: Node<'number'>, text: string): Code {
  const isLong = text.endsWith('l')
  const digits = isLong ? text.slice(0, -1) : text
  const value = BigInt(digits.startsWith('0x') ? digits : `0o${digits.slice(1)}`)
  return integer(node, node.isNegative ? -value : value, isLong)
}

function integer(node: Node<'number'>, value: bigint, isLong: boolean): Code {
  if (isLong) {
    if (BigInt.asIntN(64, value) !== value) throw invalid(node, 'long')
    return constantCode('long', wrapLong(value))
  }
  if (BigInt.asIntN(32, value) !== value) {
    const fault = invalid(node, 'int')
    if (BigInt.asIntN(64, value) !== value) throw fault
    const hint = ` If you want a long constant then change it to [${node.text}L].`
    throw new CompileFault(node.offset, fault.message + hint)
  }
  return { ...constantCode('int', Number(value)), isIntegerLiteral: true }
}

function invalid(node: Node<'number'>, type: string): CompileFault {
  const text = node.isNegative ? `-${node.text}` : node.text
  return new CompileFault(node.offset, `Invalid ${type} constant [${text}].`)
}

/** `[a, b]`. */
export function list(unit: Unit, node: Node<'list'>, scope: Scope): Code {
  const items = node.items.map(item => valueRun(converted(unit, item, scope, 'def')))
  const run = (frame: Frame): ScriptValue => {
    frame.execution.run.charge(OBJECT_BYTES)
    chargeList(frame.execution.run, items.length, items.length)
    return items.map(item => item(frame))
  }
  return { type: 'ArrayList', run }
}

/** `[k: v]`. */
export function map(unit: Unit, node: Node<'map'>, scope: Scope): Code {
  const value = (part: Expression): Run<ScriptValue> =>
    valueRun(converted(unit, part, scope, 'def'))
  const entries = node.entries.map(([key, item]) => [value(key), value(item)] as const)
  const run = (frame: Frame): ScriptValue => {
    const counted = frame.execution.run
    counted.charge(OBJECT_BYTES)
    chargeMap(counted, entries.length, entries.length)
    const made: ScriptMap = new Map()
    for (const [key, item] of entries) setKey(made, key(frame), item(frame), counted)
    return made
  }
  return { type: 'HashMap', run }
}

/** `new int[]{1, 2}`. */
export function arrayOf(unit: Unit, node: Node<'arrayOf'>, scope: Scope): Code {
  const type = typeNamed(unit, node.type)
  const itemType = itemTypeOf(type)
  const items = node.items.map(item => converted(unit, item, scope, itemType).run)
  const run = (frame: Frame): ScriptValue => {
    frame.execution.run.charge(OBJECT_BYTES)
    chargeList(frame.execution.run, items.length, items.length)
    return new ScriptArray(itemType, items.map(item => item(frame)) as ScriptValue[])
  }
  return { type, run }
}

/** `new int[3][2]`. */
export function newArray(unit: Unit, node: Node<'newArray'>, scope: Scope): Code {
  const type = typeNamed(unit, node.type)
  const sizes = node.sizes.map(size => numberRun(converted(unit, size, scope, 'int')))
  const { offset } = node
  const run = (frame: Frame): ScriptValue => {
    const lengths = sizes.map(size => size(frame))
    try {
      return arrayOfLengths(frame, type, lengths, 0)
    } catch (error) {
      throw located(error, offset)
    }
  }
  return { type, run }
}

function arrayOfLengths(
  frame: Frame,
  type: TypeName,
  lengths: readonly number[],
  depth: number,
): ScriptArray {
  const itemType = itemTypeOf(type)
  const length = lengths[depth]!
  if (length < 0) throw negativeSize(length)
  frame.execution.run.charge(OBJECT_BYTES)
  chargeList(frame.execution.run, length, length)
  frame.execution.run.step()
  if (depth === lengths.length - 1)
    return new ScriptArray(itemType, new Array<ScriptValue>(length).fill(emptyItem(itemType)))
  const items: ScriptValue[] = []
  for (let i = 0; i < length; i++) items.push(arrayOfLengths(frame, itemType, lengths, depth + 1))
  return new ScriptArray(itemType, items)
}

function negativeSize(length: number): ScriptFault {
  return new ScriptFault(
    'negative_array_size_exception',
    'java.lang.NegativeArraySizeException',
    String(length),
  )
}

/** `new T(a, b)`. */
export function newObject(unit: Unit, node: Node<'new'>, scope: Scope): Code {
  const type = typeNamed(unit, node.type)
  const arity = node.inputs.length
  const owner = unit.classes.classOf(type)
  const member =
    owner !== null && Object.hasOwn(owner.constructors, arity)
      ? owner.constructors[arity]
      : undefined
  if (member === undefined)
    throw new CompileFault(
      node.offset,
      `constructor [${unit.classes.nameOf(type)}, <init>/${arity}] not found`,
    )
  const inputs = node.inputs.map((input, i) => converted(unit, input, scope, member.parameters[i]!))
  const make = runMember(member, null, inputs, node.offset)
  const run = (frame: Frame): Typed => {
    frame.execution.run.charge(OBJECT_BYTES)
    return make(frame)
  }
  return { type, run }
}
