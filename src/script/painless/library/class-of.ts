import type { ScriptValue } from '../../value/script-value.ts'
import type { ClassType } from './class-type.ts'

/** A class without members; its file spreads it and adds them. */
export function classOf(
  name: string,
  javaName: string,
  isInstance: (value: Exclude<ScriptValue, null>) => boolean,
): ClassType {
  return {
    name,
    javaName,
    supers: ['Object'],
    constructors: {},
    methods: {},
    statics: {},
    constants: {},
    functional: null,
    isInstance,
  }
}

/** A class that only has constants and static members. */
export function staticClass(name: string, javaName: string): ClassType {
  return classOf(name, javaName, () => false)
}
