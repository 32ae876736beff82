/** Properties: `target.name`. */
import type { ScriptArray } from '../../value/script-array.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import type { Expression } from '../ast.ts'
import { isArray, isPrimitive } from '../class-table.ts'
import { CompileFault } from '../compile-fault.ts'
import type { Member, Typed, TypeName } from '../library/class-type.ts'
import { nullDereference } from './call-site.ts'
import { type Code, constantCode } from './code.ts'
import { docField } from './doc-field.ts'
import { located } from './frame.ts'
import { dynamicPlace } from './item.ts'
import { callOf } from './member-call.ts'
import { getterOf, MemberSite, setterOf } from './member-site.ts'
import { noKey, type Place } from './place.ts'
import type { Scope } from './scope.ts'
import type { Unit } from './unit.ts'
import { typeOfExpression } from './variable.ts'

/** Accesses to a property. */
type Use = 'read' | 'write' | 'update'

type DotNode = Extract<Expression, { kind: 'dot' }>

/** A property that is read, or a constant of a class. */
export function property(unit: Unit, node: DotNode, scope: Scope): Code {
  const owner = typeOfExpression(unit, node.target, scope)
  if (owner !== null) return constantOf(unit, node, owner)
  const field = docField(unit, node, scope)
  if (field !== null) return field
  const { owner: target, read, type } = placeOfDot(unit, node, scope, 'read')
  if (!node.isNullSafe) return { type, run: frame => read(frame, target(frame), null) }
  requireNullable(type, node.offset)
  return {
    type,
    run: frame => {
      const value = target(frame)
      return value === null ? null : read(frame, value, null)
    },
  }
}

/**
 * Null-safe access gives null where its target is null.
 * @throws {CompileFault} the type has no null
 */
export function requireNullable(type: TypeName, offset: number): void {
  if (isPrimitive(type) || type === 'void')
    throw new CompileFault(offset, 'Result of null safe operator must be nullable')
}

function constantOf(unit: Unit, node: DotNode, owner: TypeName): Code {
  const constants = unit.classes.classOf(owner)?.constants ?? {}
  if (!Object.hasOwn(constants, node.name)) throw noField(unit, node, owner)
  const { type, value } = constants[node.name]!
  return constantCode(type, value)
}

function noField(unit: Unit, node: DotNode, owner: TypeName): CompileFault {
  const named = unit.classes.nameOf(owner)
  return new CompileFault(node.offset, `field [${named}, ${node.name}] not found`)
}

/**
 * A property as the place of an assignment.
 * @param use whether the old value is asked for too
 * @throws {CompileFault} it cannot be written, or read
 */
export function propertyPlace(
  unit: Unit,
  node: DotNode,
  scope: Scope,
  use: 'write' | 'update',
): Place {
  const owner = typeOfExpression(unit, node.target, scope)
  if (owner !== null) {
    constantOf(unit, node, owner)
    throw readOnlyField(unit, node, owner)
  }
  if (node.isNullSafe)
    throw new CompileFault(
      node.offset,
      'invalid assignment: cannot assign a value to a null safe operation [?.]',
    )
  return placeOfDot(unit, node, scope, use)
}

function readOnlyField(unit: Unit, node: DotNode, owner: TypeName): CompileFault {
  return new CompileFault(
    node.offset,
    `invalid assignment: cannot assign a value to read-only field [${node.name}] ` +
      `for type [${unit.classes.nameOf(owner)}]`,
  )
}

function placeOfDot(unit: Unit, node: DotNode, scope: Scope, use: Use): Place {
  const target = unit.expression(node.target, scope)
  if (target.type === 'def') return dynamicProperty(unit, node, target)
  if (isArray(target.type)) return lengthOfArray(unit, node, target, use)
  const { classes } = unit
  const type = classes.classOf(target.type)
  if (type === null) throw noField(unit, node, target.type)
  const getter = getterOf(classes, type, node.name)
  const setter = setterOf(classes, type, node.name)
  const isMember = use === 'read' ? getter !== null : setter !== null
  if (isMember && use === 'update' && getter === null) throw noField(unit, node, target.type)
  if (isMember) return memberPlace(node, target, getter, setter)
  const key = keyOf(unit, node, target.type)
  if (key !== null) return dynamicPlace(unit, target, () => key, node.offset)
  throw getter === null ? noField(unit, node, target.type) : readOnlyField(unit, node, target.type)
}

/** A property that is a key of a map or an index of a list; null: the type is neither. */
function keyOf(unit: Unit, { name }: DotNode, owner: TypeName): ScriptValue {
  if (unit.classes.isSubclass(owner, 'Map')) return name
  return /^\d{1,9}$/.test(name) && unit.classes.isSubclass(owner, 'List') ? Number(name) : null
}

function dynamicProperty(unit: Unit, node: DotNode, target: Code): Place {
  const site = new MemberSite(unit.classes, node.name)
  const { offset } = node
  return {
    type: 'def',
    owner: target.run,
    key: noKey,
    read(frame, owner) {
      try {
        return site.get(frame.execution, owner as ScriptValue)
      } catch (error) {
        throw located(error, offset)
      }
    },
    write(frame, owner, _key, value) {
      try {
        site.set(frame.execution, owner as ScriptValue, value as ScriptValue)
      } catch (error) {
        throw located(error, offset)
      }
    },
  }
}

function lengthOfArray(unit: Unit, node: DotNode, target: Code, use: Use): Place {
  if (node.name !== 'length') throw noField(unit, node, target.type)
  if (use !== 'read') throw readOnlyField(unit, node, target.type)
  const read = (_frame: unknown, owner: Typed): Typed => {
    if (owner === null) throw located(nullDereference('length'), node.offset)
    return (owner as ScriptArray).items.length
  }
  return { type: 'int', owner: target.run, key: noKey, read, write: () => {} }
}

/** A property that a class has a getter or a setter for; the one that is missing is not asked. */
function memberPlace(
  node: DotNode,
  target: Code,
  getter: Member | null,
  setter: Member | null,
): Place {
  const { offset, name } = node
  return {
    type: getter?.returns ?? setter!.parameters[0]!,
    owner: target.run,
    key: noKey,
    read(frame, owner) {
      try {
        if (owner === null) throw nullDereference(name)
        return getter === null ? null : callOf(getter)(frame.execution.run, owner)
      } catch (error) {
        throw located(error, offset)
      }
    },
    write(frame, owner, _key, value) {
      try {
        if (owner === null) throw nullDereference(name)
        if (setter !== null) callOf(setter)(frame.execution.run, owner, value)
      } catch (error) {
        throw located(error, offset)
      }
    },
  }
}
