/** Prints values as JSON, as documents are stored. */

import { BigIntegerValue } from '../script/value/big-integer.ts'
import { ScriptObject, type ScriptValue, scalarText } from '../script/value/script-value.ts'
import { IllegalArgumentError } from '../util/errors.ts'
import { quoteJson } from '../util/json/json-writer.ts'

const MAX_DEPTH = 1000

/**
 * A value as JSON text; keys are printed as Java prints them.
 * @throws {EngineError} `illegal_argument_exception`: nested too deeply, or a value within itself
 */
export function sourceText(value: ScriptValue, depth = 0): string {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'number':
      return numberText(scalarText(value)!)
    case 'object':
      return value === null ? 'null' : objectText(value, depth)
  }
}

function objectText(value: object, depth: number): string {
  if (depth > MAX_DEPTH)
    throw new IllegalArgumentError(
      `Document nesting depth (${depth}) exceeds the maximum allowed (${MAX_DEPTH})`,
    )
  if (value instanceof Map) {
    let text = '{'
    for (const [key, item] of value as Map<ScriptValue, ScriptValue>) {
      const name = typeof key === 'string' ? key : (scalarText(key) ?? 'null')
      text += `${text === '{' ? '' : ','}${quoted(name)}:${sourceText(item, depth + 1)}`
    }
    return `${text}}`
  }
  if (Array.isArray(value) || value instanceof Set) {
    let text = '['
    for (const item of value as Iterable<ScriptValue>)
      text += `${text === '[' ? '' : ','}${sourceText(item, depth + 1)}`
    return `${text}]`
  }
  if (value instanceof BigIntegerValue) return value.text()
  if (value instanceof ScriptObject) {
    const plain = value.plain()
    return plain instanceof ScriptObject ? quoteJson(plain.text()) : sourceText(plain, depth + 1)
  }
  return numberText(scalarText(value as ScriptValue)!)
}

/** Characters that JSON shows as they are; escapes, and halves of characters, are left to others. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : quoteJson(text)
}

/** JSON has no text for non-finite numbers: their names are quoted. */
function numberText(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0x30 && last <= 0x39 ? text : `"${text}"`
}
