/** Items by a key or an index: `target[key]`. */
import type { ScriptArray } from '../../value/script-array.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import type { Expression } from '../ast.ts'
import { isArray, itemTypeOf } from '../class-table.ts'
import { CompileFault } from '../compile-fault.ts'
import type { Typed } from '../library/class-type.ts'
import { nullDereference } from './call-site.ts'
import { type Code, type Run, valueRun } from './code.ts'
import { docField } from './doc-field.ts'
import { located } from './frame.ts'
import { arrayIndex, ItemSite } from './member-site.ts'
import type { Place } from './place.ts'
import type { Scope } from './scope.ts'
import { converted, type Unit } from './unit.ts'

type ItemNode = Extract<Expression, { kind: 'index' }>

/** An item that is read. */
export function item(unit: Unit, node: ItemNode, scope: Scope): Code {
  const field = docField(unit, node, scope)
  if (field !== null) return field
  const { type, owner, key, read } = itemPlace(unit, node, scope)
  return {
    type,
    run: frame => {
      const target = owner(frame)
      return read(frame, target, key(frame))
    },
  }
}

/** An item as the place of an assignment. */
export function itemPlace(unit: Unit, node: ItemNode, scope: Scope): Place {
  const target = unit.expression(node.target, scope)
  if (isArray(target.type)) return arrayPlace(unit, node, scope, target)
  const { classes } = unit
  const isList = target.type !== 'def' && classes.isSubclass(target.type, 'List')
  if (!isList && target.type !== 'def' && !classes.isSubclass(target.type, 'Map'))
    throw new CompileFault(
      node.offset,
      `Attempting to address a non-array-like type [${classes.nameOf(target.type)}] as an array.`,
    )
  const key = converted(unit, node.index, scope, isList ? 'int' : 'def')
  return dynamicPlace(unit, target, valueRun(key), node.offset)
}

/** An item that run time finds by its key. */
export function dynamicPlace(unit: Unit, target: Code, key: Run, offset: number): Place {
  const site = new ItemSite(unit.classes)
  return {
    type: 'def',
    owner: target.run,
    key,
    read(frame, owner, at) {
      try {
        return site.get(frame.execution, owner as ScriptValue, at as ScriptValue)
      } catch (error) {
        throw located(error, offset)
      }
    },
    write(frame, owner, at, value) {
      try {
        site.set(frame.execution, owner as ScriptValue, at as ScriptValue, value as ScriptValue)
      } catch (error) {
        throw located(error, offset)
      }
    },
  }
}

function arrayPlace(unit: Unit, node: ItemNode, scope: Scope, target: Code): Place {
  const { offset } = node
  const checkedIndex = (owner: Typed, key: Typed): number => {
    try {
      if (owner === null) throw nullDereference('[]')
      return arrayIndex(owner as ScriptArray, key as number)
    } catch (error) {
      throw located(error, offset)
    }
  }
  return {
    type: itemTypeOf(target.type),
    owner: target.run,
    key: converted(unit, node.index, scope, 'int').run,
    read(_frame, owner, key) {
      const at = checkedIndex(owner, key)
      return (owner as ScriptArray).items[at]!
    },
    write(_frame, owner, key, value) {
      const at = checkedIndex(owner, key)
      const { items } = owner as ScriptArray
      items[at] = value as ScriptValue
    },
  }
}
