/**
 * The mapping of a value that has none: by the first template that matches, else by the kind of
 * value.
 */
import type { JsonNode, JsonObjectNode } from '../util/json/json-tree.ts'
import { compileDateFormat } from './date-format.ts'
import { type DynamicKind, findTemplate, instantiateTemplate } from './dynamic-template.ts'
import { DEFAULT_DYNAMIC_DATE_FORMATS, type Mapping } from './mapping.ts'

/** A scalar or object that is to be mapped. */
export type NewValue =
  | { readonly kind: 'object' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'number'; readonly isInteger: boolean }
  | { readonly kind: 'string'; readonly text: string }

/**
 * The definition for a new field.
 * @param templatesOnly without a matching template the field is not added
 * @returns null when nothing is to be added
 */
export function defineDynamicField(
  mapping: Mapping,
  path: string,
  value: NewValue,
  templatesOnly: boolean,
): JsonObjectNode | null {
  const { kind, dateFormat } = detect(mapping, value)
  const template = findTemplate(mapping.options.dynamicTemplates ?? [], path, kind)
  if (template !== null) {
    const name = path.slice(path.lastIndexOf('.') + 1)
    const definition = instantiateTemplate(template, name, TEMPLATE_TYPE[kind])
    // A date's format is the one it was found by, unless the template names one.
    const hasFormat = definition.entries.some(entry => entry.key === 'format')
    const isDate = definition.entries.some(
      entry =>
        entry.key === 'type' && entry.value.kind === 'string' && entry.value.value === 'date',
    )
    if (kind !== 'date' || dateFormat === null || hasFormat || !isDate) return definition
    return { ...definition, entries: [...definition.entries, entry('format', text(dateFormat))] }
  }
  if (templatesOnly) return null
  switch (kind) {
    case 'object':
      return object([entry('type', text('object'))])
    case 'date':
      return dateFormat === null
        ? object([entry('type', text('date'))])
        : object([entry('type', text('date')), entry('format', text(dateFormat))])
    case 'string':
      return TEXT_WITH_KEYWORD
    case 'long':
    case 'double':
    case 'boolean':
    case 'binary':
      return object([entry('type', text(TEMPLATE_TYPE[kind]))])
  }
}

/** The field type that a kind becomes when its template names none. */
export const TEMPLATE_TYPE: Record<DynamicKind, string> = {
  object: 'object',
  string: 'text',
  long: 'long',
  double: 'float',
  boolean: 'boolean',
  date: 'date',
  binary: 'binary',
}

function detect(
  mapping: Mapping,
  value: NewValue,
): { kind: DynamicKind; dateFormat: string | null } {
  switch (value.kind) {
    case 'object':
    case 'boolean':
      return { kind: value.kind, dateFormat: null }
    case 'number':
      return { kind: value.isInteger ? 'long' : 'double', dateFormat: null }
    case 'string': {
      const { options } = mapping
      const isNumber = NUMBER_LIKE.test(value.text)
      if (options.numericDetection === true && isNumber && value.text.length < 64)
        return { kind: /^-?\d+$/.test(value.text) ? 'long' : 'double', dateFormat: null }
      // Numbers alone are no dates, whatever the formats say.
      if ((options.dateDetection ?? true) && !isNumber && value.text.length <= 64) {
        const formats = options.dynamicDateFormats ?? DEFAULT_DYNAMIC_DATE_FORMATS
        for (const format of formats) {
          if (compileDateFormat(format).parse(value.text) === null) continue
          const isDefault = options.dynamicDateFormats === null && format === formats[0]
          return { kind: 'date', dateFormat: isDefault ? null : format }
        }
      }
      return { kind: 'string', dateFormat: null }
    }
  }
}

const NUMBER_LIKE = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/

function entry(key: string, value: JsonNode): JsonObjectNode['entries'][number] {
  return { key, line: 1, col: 1, value }
}

function object(entries: JsonObjectNode['entries']): JsonObjectNode {
  return { kind: 'object', line: 1, col: 1, entries }
}

function text(value: string): JsonNode {
  return { kind: 'string', line: 1, col: 1, value }
}

const TEXT_WITH_KEYWORD: JsonObjectNode = object([
  entry('type', text('text')),
  entry(
    'fields',
    object([
      entry(
        'keyword',
        object([
          entry('type', text('keyword')),
          entry('ignore_above', { kind: 'number', line: 1, col: 1, text: '256', value: 256 }),
        ]),
      ),
    ]),
  ),
])
