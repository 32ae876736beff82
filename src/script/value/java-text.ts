/** Texts of values as Java prints them, wherever a processor or a template wants a text. */

import { type ScriptValue, scalarText } from './script-value.ts'

/** A value's text: `String.valueOf`; lists as `[a, b]`, maps as `{a=1, b=2}`. */
export function javaText(value: ScriptValue): string {
  const text = scalarText(value)
  if (text !== null) return text
  if (value instanceof Map)
    return `{${Array.from(value, ([key, item]) => `${javaText(key)}=${javaText(item)}`).join(', ')}}`
  return `[${Array.from(value as Iterable<ScriptValue>, javaText).join(', ')}]`
}
