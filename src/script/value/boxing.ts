/** Values of primitive types, from their own form into that of `def` (`script-value.ts`). */
import { Float32 } from '../../util/json/json-value.ts'
import { CharacterValue } from './character-value.ts'
import { doubleValue, type ScriptValue } from './script-value.ts'

/** A value in the form of its type as a `def`. */
export function boxed(type: string, value: ScriptValue): ScriptValue {
  switch (type) {
    case 'long':
      return typeof value === 'number' ? BigInt(value) : value
    case 'float':
      return new Float32(value as number)
    case 'double':
      return doubleValue(value as number)
    case 'char':
      return new CharacterValue(value as number)
    default:
      return value
  }
}
