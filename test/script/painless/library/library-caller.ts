/** Calls members of the allow-list by name, as a script does, for tests. */

import type { ClassType, Member } from '../../../../src/script/painless/library/class-type.ts'
import { CLASSES } from '../../../../src/script/painless/library/classes.ts'
import { NativeFunction } from '../../../../src/script/painless/library/native-function.ts'
import { ScriptRun } from '../../../../src/script/script-run.ts'
import { classNameOf, type ScriptValue } from '../../../../src/script/value/script-value.ts'

const BY_NAME = new Map(CLASSES.map(type => [type.name, type]))
const BY_JAVA_NAME = new Map(CLASSES.map(type => [type.javaName, type]))

/** Limits that no test reaches unless it means to. */
export function freeRun(maxBytes: number = 32 << 20): ScriptRun {
  return new ScriptRun({ deadline: Infinity, maxBytes, isCancelled: () => false })
}

/** A class of the allow-list. */
export function classNamed(name: string): ClassType {
  const type = BY_NAME.get(name)
  if (type === undefined) throw new Error(`no class ${name}`)
  return type
}

/** A class with all above it, the nearest first. */
export function lineOf(type: ClassType): ClassType[] {
  const line = new Set([type])
  for (const each of line) for (const name of each.supers) line.add(classNamed(name))
  return [...line]
}

/** The method of a class or of what it extends. */
export function methodOf(type: ClassType, key: string): Member | undefined {
  return lineOf(type)
    .map(each => each.methods[key])
    .find(member => member !== undefined)
}

/** `receiver.name(inputs)`. */
export function call(
  receiver: Exclude<ScriptValue, null>,
  name: string,
  ...inputs: ScriptValue[]
): ScriptValue {
  const type = BY_JAVA_NAME.get(classNameOf(receiver))
  if (type === undefined) throw new Error(`no class ${classNameOf(receiver)}`)
  const member = methodOf(type, `${name}/${inputs.length}`)
  if (member === undefined) throw new Error(`no method ${type.name}.${name}/${inputs.length}`)
  return member.call(freeRun(), receiver as never, ...(inputs as never[]))
}

/** `Class.name(inputs)`. */
export function callStatic(type: string, name: string, ...inputs: ScriptValue[]): ScriptValue {
  const member = classNamed(type).statics[`${name}/${inputs.length}`]
  if (member === undefined) throw new Error(`no function ${type}.${name}/${inputs.length}`)
  return member.call(freeRun(), null as never, ...(inputs as never[]))
}

/** `new Class(inputs)`. */
export function construct(type: string, ...inputs: ScriptValue[]): Exclude<ScriptValue, null> {
  const member = classNamed(type).constructors[inputs.length]
  if (member === undefined) throw new Error(`no constructor ${type}/${inputs.length}`)
  return member.call(freeRun(), null as never, ...(inputs as never[]))!
}

/** A lambda. */
export function lambda(of: (...inputs: ScriptValue[]) => ScriptValue): NativeFunction {
  return new NativeFunction('java.util.function.Function', of)
}
