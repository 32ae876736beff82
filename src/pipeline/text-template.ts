/**
 * Templates of texts over a document: `{{a.b}}` escaped as within a JSON string, `{{{a.b}}}` and
 * `{{&a.b}}` as they are, sections over lists, maps and truthy values, comments. Names find the
 * document's fields, and `_source`, `_ingest` and the metadata beside them.
 */

import type { ScriptList, ScriptValue } from '../script/value/script-value.ts'
import { IllegalArgumentError } from '../util/errors.ts'
import type { IngestDocument } from './ingest-document.ts'
import { javaText } from './java-text.ts'

/** Renders a template for a document. */
export type TextTemplate = (document: IngestDocument) => string

/**
 * Compiles a template; a text without tags gives itself.
 * @throws {EngineError} `illegal_argument_exception`: a tag or a section that does not close
 */
export function compileTemplate(text: string): TextTemplate {
  if (!text.includes('{{')) return () => text
  const parts = new TemplateParser(text).parse()
  return document => {
    const root: ScriptValue = document.fields
    const extras = new Map<ScriptValue, ScriptValue>([
      ['_source', root],
      ['_ingest', document.ingest],
    ])
    const rendered = render(parts, [extras, root])
    document.charge(rendered.length)
    return rendered
  }
}

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly name: string; readonly isEscaped: boolean }
  | {
      readonly kind: 'section'
      readonly name: string
      readonly isInverted: boolean
      readonly parts: readonly Part[]
    }

const MAX_DEPTH = 100

class TemplateParser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): readonly Part[] {
    return this.#parts(null, 0)
  }

  /** The parts up to the end of a section, or of the text. */
  #parts(section: string | null, depth: number): readonly Part[] {
    if (depth > MAX_DEPTH) throw new IllegalArgumentError('template sections are nested too deeply')
    const parts: Part[] = []
    for (;;) {
      const open = this.#text.indexOf('{{', this.#at)
      const end = open < 0 ? this.#text.length : open
      if (end > this.#at) parts.push({ kind: 'text', text: this.#text.slice(this.#at, end) })
      this.#at = end
      if (open < 0) {
        if (section === null) return parts
        throw new IllegalArgumentError(`Mustache section [${section}] is not closed`)
      }
      const { sign, name } = this.#tag()
      if (sign === '!') continue
      if (sign === '#' || sign === '^')
        parts.push({
          kind: 'section',
          name,
          isInverted: sign === '^',
          parts: this.#parts(name, depth + 1),
        })
      else if (sign === '/') {
        if (name === section) return parts
        throw new IllegalArgumentError(`Mustache section [${name}] is not open`)
      } else parts.push({ kind: 'value', name, isEscaped: sign === '' })
    }
  }

  /** The tag that begins here. */
  #tag(): { readonly sign: string; readonly name: string } {
    const isTriple = this.#text.startsWith('{{{', this.#at)
    const close = isTriple ? '}}}' : '}}'
    const start = this.#at + close.length
    const end = this.#text.indexOf(close, start)
    if (end < 0) throw new IllegalArgumentError('Improperly closed variable in query-template:1')
    this.#at = end + close.length
    const inside = this.#text.slice(start, end).trim()
    if (isTriple) return { sign: '&', name: inside }
    const sign = /^[#^/&!]/.test(inside) ? inside.charAt(0) : ''
    return { sign, name: inside.slice(sign.length).trim() }
  }
}

function render(parts: readonly Part[], scopes: readonly ScriptValue[]): string {
  let text = ''
  for (const part of parts)
    if (part.kind === 'text') text += part.text
    else if (part.kind === 'value') {
      const value = lookUp(part.name, scopes)
      if (value === null) continue
      const plain = javaText(value)
      text += part.isEscaped ? JSON.stringify(plain).slice(1, -1) : plain
    } else {
      const value = lookUp(part.name, scopes)
      const isEmpty = value === null || value === false || value === '' || isEmptyList(value)
      if (part.isInverted) {
        if (isEmpty) text += render(part.parts, scopes)
      } else if (Array.isArray(value))
        for (const item of value) text += render(part.parts, [...scopes, item])
      else if (!isEmpty) text += render(part.parts, [...scopes, value])
    }
  return text
}

function isEmptyList(value: ScriptValue): boolean {
  return Array.isArray(value) && value.length === 0
}

/** A name's value in the innermost scope that has its first part; null for none. */
function lookUp(name: string, scopes: readonly ScriptValue[]): ScriptValue {
  if (name === '.') return scopes.at(-1) ?? null
  const [first = '', ...rest] = name.split('.')
  for (let i = scopes.length - 1; i >= 0; i--) {
    const found = child(scopes[i]!, first)
    if (found === undefined) continue
    let at: ScriptValue | undefined = found
    for (const key of rest) {
      if (at === undefined || at === null) return null
      at = child(at, key)
    }
    return at ?? null
  }
  return null
}

function child(value: ScriptValue, key: string): ScriptValue | undefined {
  if (value instanceof Map) return value.get(key)
  if (!Array.isArray(value)) return undefined
  return key === 'size'
    ? value.length
    : (value as ScriptList)[/^\d{1,9}$/.test(key) ? Number(key) : -1]
}
