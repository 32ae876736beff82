import { EngineError } from '../util/errors.ts'
import type { JsonReader } from '../util/json/json-reader.ts'

/**
 * The parts of a dotted name.
 * @throws {EngineError} a name that no field can have
 */
export function checkedParts(name: string): string[] {
  if (name === '') throw illegal('field name cannot be an empty string')
  if (name.indexOf('.') < 0) {
    if (name.trim() === '') throw blankName(name)
    return [name]
  }
  if (/^\.+$/.test(name)) throw illegal('field name cannot contain only the character [.]')
  const parts = name.split('.')
  for (const part of parts) {
    if (part === '')
      throw illegal(
        'object field starting or ending with a [.] makes object resolution ambiguous: ' +
          `[${name}]`,
      )
    if (part.trim() === '') throw blankName(name)
  }
  return parts
}

function blankName(name: string): EngineError {
  return illegal(`object field cannot contain only whitespace: ['${name}']`)
}

/** A name that holds nothing but ASCII letters, digits, `_` and `-`, and does not begin with `_`. */
export function isPlainName({ bytes, start, end, hasEscapes }: JsonReader): boolean {
  if (hasEscapes || start === end || bytes[start] === 0x5f) return false
  for (let i = start; i < end; i++) if (PLAIN_NAME[bytes[i]!] === 0) return false
  return true
}

const PLAIN_NAME = Uint8Array.from({ length: 256 }, (_, b) =>
  /[\w-]/.test(String.fromCharCode(b)) ? 1 : 0,
)

function illegal(reason: string): EngineError {
  return new EngineError({ type: 'illegal_argument_exception', reason })
}
