import { IllegalArgumentError } from '../../util/errors.ts'
import { writeJson } from '../../util/json/json-writer.ts'
import { limitExceeded, type ScriptRun } from '../script-run.ts'
import type { ScriptValue } from '../value/script-value.ts'
import { jsonOfValue } from '../value/write-value.ts'
import { parseTemplate } from './parse-template.ts'
import type { TemplateNode } from './template-node.ts'
import { findValue, holds, itemsOf, textOfValue } from './template-values.ts'

/** Characters of one rendered template. */
const MAX_LENGTH = 1 << 24

type Encode = (text: string) => string

const ENCODERS: Readonly<Record<string, Encode>> = {
  'application/json': jsonEscaped,
  'application/json; charset=UTF-8': jsonEscaped,
  'text/plain': text => text,
  'application/x-www-form-urlencoded': formEncoded,
}

/** A template that renders with any parameters. */
export interface CompiledTemplate {
  /** @throws {EngineError} `circuit_breaking_exception`: its text grows past the limit */
  render(params: ScriptValue, run: ScriptRun): string
}

/**
 * Compiles a mustache template.
 * @param contentType how values are escaped
 * @throws {EngineError} `script_exception`: it cannot be parsed; `illegal_argument_exception`: no such type
 */
export function compileTemplate(
  source: string,
  contentType: string = 'application/json',
): CompiledTemplate {
  const encode = Object.hasOwn(ENCODERS, contentType) ? ENCODERS[contentType]! : null
  if (encode === null)
    throw new IllegalArgumentError(`No encoder found for MIME type [${contentType}]`)
  const nodes = parseTemplate(source)
  return { render: (params, run) => new Rendering(encode, run).text(nodes, [params]) }
}

class Rendering {
  readonly #encode: Encode
  readonly #run: ScriptRun
  #length = 0

  constructor(encode: Encode, run: ScriptRun) {
    this.#encode = encode
    this.#run = run
  }

  text(nodes: readonly TemplateNode[], scopes: readonly ScriptValue[]): string {
    let all = ''
    for (const node of nodes) {
      this.#run.step()
      const text = this.#textOf(node, scopes)
      this.#length += text.length
      if (this.#length > MAX_LENGTH) throw limitExceeded('template', MAX_LENGTH)
      all += text
    }
    return all
  }

  #textOf(node: TemplateNode, scopes: readonly ScriptValue[]): string {
    switch (node.kind) {
      case 'text':
        return node.text
      case 'variable': {
        const value = findValue(scopes, node.name)
        if (value === null) return ''
        return node.isRaw ? textOfValue(value) : this.#encode(textOfValue(value))
      }
      case 'section': {
        const value = findValue(scopes, node.name)
        if (!holds(value)) return ''
        return this.#each(itemsOf(value) ?? [value], item =>
          this.text(node.inner, [...scopes, item]),
        ).join('')
      }
      case 'inverted':
        return holds(findValue(scopes, node.name)) ? '' : this.text(node.inner, scopes)
      case 'toJson':
        return jsonOf(node.name === '' ? (scopes[0] ?? null) : findValue(scopes, node.name))
      case 'join': {
        const value = findValue(scopes, node.name)
        if (value === null) return ''
        const items = itemsOf(value)
        return items === null ? node.name : this.#each(items, textOfValue).join(node.delimiter)
      }
      case 'url':
        return node.inner.map(each => formEncoded(this.text([each], scopes))).join('')
    }
  }

  /** The texts of items. An item is a step of its own: a list may be long, and its texts empty. */
  #each(items: readonly ScriptValue[], textOf: (item: ScriptValue) => string): readonly string[] {
    return items.map(item => {
      this.#run.step()
      return textOf(item)
    })
  }
}

/** A map or a list as JSON, any other value as its text. */
function jsonOf(value: ScriptValue): string {
  if (value === null) return ''
  if (!(value instanceof Map) && itemsOf(value) === null) return textOfValue(value)
  return new TextDecoder().decode(writeJson(jsonOfValue(value)))
}

/** The inside of a JSON string. */
function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** As `application/x-www-form-urlencoded`. */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}
