import { illegalArgument } from '../../java-faults.ts'
import { EnumValue } from '../../value/date/enum-value.ts'
import { ScriptArray } from '../../value/script-array.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { members } from './members.ts'

/** An enumeration with its constants. */
export function enumClass(
  name: string,
  javaName: string,
  constants: readonly EnumValue[],
  supers: readonly string[],
): ClassType {
  return {
    ...classOf(name, javaName, value => value instanceof EnumValue && value.className === javaName),
    supers: [...supers, 'Enum', 'Comparable', 'Object'],
    constants: Object.fromEntries(constants.map(value => [value.name, { type: name, value }])),
    statics: members({
      [`${name} valueOf(String)`]: (_run, _, text: string) => {
        const value = constants.find(each => each.name === text)
        if (value === undefined)
          throw illegalArgument(`No enum constant ${javaName}.${text.slice(0, 256)}`)
        return value
      },
      [`${name}[] values()`]: () => new ScriptArray(name, [...constants]),
    }),
  }
}

/** `Enum`. */
export const ENUM: ClassType = {
  ...classOf('Enum', 'java.lang.Enum', value => value instanceof EnumValue),
  supers: ['Comparable', 'Object'],
  methods: members({
    'String name()': (_run, value: EnumValue) => value.name,
    'int ordinal()': (_run, value: EnumValue) => value.ordinal,
  }),
}
