/** How a template finds values by name, and what their text is. */
import { javaText } from '../value/java-text.ts'
import { ScriptObject, type ScriptValue } from '../value/script-value.ts'

/** Finds a dotted name: its first part in the innermost scope that has it, the others within. Null: none has it. */
export function findValue(scopes: readonly ScriptValue[], name: string): ScriptValue {
  if (name === '.') return scopes.at(-1) ?? null
  const [first = '', ...rest] = name.split('.')
  for (let i = scopes.length - 1; i >= 0; i--) {
    let value = memberOf(scopes[i]!, first)
    if (value === undefined) continue
    for (const part of rest) value = memberOf(value ?? null, part)
    return value ?? null
  }
  return null
}

/** A value within another: by key, by index, or `size`; undefined: it has none of that name. */
function memberOf(value: ScriptValue, name: string): ScriptValue | undefined {
  if (value instanceof Map) return value.get(name) ?? (value.has(name) ? null : undefined)
  const items = value instanceof Set ? [...value] : value
  if (!Array.isArray(items)) return undefined
  if (name === 'size') return items.length
  return /^\d{1,9}$/.test(name) ? items[Number(name)] : undefined
}

/** A value's text: a list prints as a map of its indices, as the real server's does; those within do not. */
export function textOfValue(value: ScriptValue): string {
  const items = itemsOf(value)
  return javaText(items === null ? value : new Map(items.entries()))
}

/** Whether a section with the value shows: null, false, an empty text and an empty list do not. */
export function holds(value: ScriptValue): boolean {
  if (value === null || value === false || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  return !(value instanceof Set) || value.size > 0
}

/** The items that a section repeats for; null: it shows once. */
export function itemsOf(value: ScriptValue): readonly ScriptValue[] | null {
  if (Array.isArray(value)) return value
  return value instanceof Set && !(value instanceof ScriptObject) ? [...value] : null
}
