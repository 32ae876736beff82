/** Values of a configuration whose texts may be templates: those of `set` and `append`. */

import type { ScriptValue } from '../script/value/script-value.ts'
import { copyValue, sizeOfValue } from './copy-value.ts'
import type { IngestDocument } from './ingest-document.ts'
import type { TextTemplate } from './text-template.ts'

/** Makes a value for a document, which may change it afterwards. */
export interface ValueTemplate {
  /** Whether it is one text with tags. */
  readonly isText: boolean
  make(document: IngestDocument): ScriptValue
}

/**
 * Compiles a value.
 * @param compile of the texts within
 */
export function valueTemplate(
  value: ScriptValue,
  compile: (text: string) => TextTemplate,
): ValueTemplate {
  const make = makerOf(value, compile)
  return { isText: typeof value === 'string' && value.includes('{{'), make }
}

function makerOf(
  value: ScriptValue,
  compile: (text: string) => TextTemplate,
): (document: IngestDocument) => ScriptValue {
  if (typeof value === 'string') return value.includes('{{') ? compile(value) : () => value
  if (value === null || typeof value !== 'object') return () => value
  if (!hasTags(value)) {
    const size = sizeOfValue(value)
    return document => {
      document.charge(size)
      return copyValue(value)
    }
  }
  if (Array.isArray(value)) {
    const items = value.map(item => makerOf(item, compile))
    return document => items.map(item => item(document))
  }
  const entries = Array.from(
    value as Map<ScriptValue, ScriptValue>,
    ([key, item]) => [makerOf(key, compile), makerOf(item, compile)] as const,
  )
  return document => new Map(entries.map(([key, item]) => [key(document), item(document)] as const))
}

function hasTags(value: ScriptValue): boolean {
  if (typeof value === 'string') return value.includes('{{')
  if (Array.isArray(value)) return value.some(hasTags)
  if (!(value instanceof Map)) return false
  for (const [key, item] of value) if (hasTags(key) || hasTags(item)) return true
  return false
}
