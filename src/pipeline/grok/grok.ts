/** Grok expressions at work: fields out of texts. */

import { doubleValue, type ScriptValue } from '../../script/value/script-value.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { Float32 } from '../../util/json/json-value.ts'
import { type FieldPath, parsePath } from '../field-path.ts'
import type { MatchWatch } from '../processor.ts'
import { type Capture, GrokTranslator } from './grok-translator.ts'

interface Field {
  readonly group: number
  /** Whether an earlier group is of the same field. */
  readonly repeats: boolean
  readonly path: FieldPath
  readonly convert: (text: string) => ScriptValue
}

interface Compiled {
  readonly pattern: RegExp
  readonly fields: readonly Field[]
}

/** How expressions are read. */
interface GrokOptions {
  readonly bank: ReadonlyMap<string, string>
  /** Whether the number of the expression that matched is a field, too. */
  readonly tracesMatch: boolean
  /** Whether a field that is captured twice has a list of both. */
  readonly capturesAll: boolean
}

const TRACE = '_ingest._grok_match_index'

/** Expressions, the first of which that matches at the first possible place wins. */
export class Grok {
  readonly #expressions: readonly string[]
  readonly #options: GrokOptions
  readonly #ascii: Compiled
  /** For texts beyond ASCII; made with the first. */
  #unicode: Compiled | null = null

  /** @throws {EngineError} `illegal_argument_exception`: an expression that cannot be */
  constructor(expressions: readonly string[], options: GrokOptions) {
    this.#expressions = expressions
    this.#options = options
    this.#ascii = this.#compile(false)
  }

  /**
   * The fields of a text, in order of their groups; null where no expression matches.
   * @throws {EngineError} `number_format_exception`: a text that is not of its field's type;
   *   `illegal_argument_exception`: an expression that is too large to run
   */
  match(text: string, watch: MatchWatch): [path: FieldPath, value: ScriptValue][] | null {
    const { pattern, fields } = this.#compiledFor(text)
    const found = execute(pattern, text, watch)
    if (found === null) return null
    const values: [FieldPath, ScriptValue][] = []
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i]!
      const captured = found[field.group]
      if (captured === undefined) continue
      const value = field.convert(captured)
      const before = field.repeats
        ? values.find(([path]) => path.text === field.path.text)
        : undefined
      if (before === undefined) values.push([field.path, value])
      else if (this.#options.capturesAll)
        before[1] = Array.isArray(before[1]) ? [...before[1], value] : [before[1], value]
    }
    return values
  }

  #compiledFor(text: string): Compiled {
    if (isAscii(text)) return this.#ascii
    this.#unicode ??= this.#compile(true)
    return this.#unicode
  }

  #compile(isUnicode: boolean): Compiled {
    const { bank, tracesMatch } = this.#options
    const translator = new GrokTranslator(bank, isUnicode)
    const nameOf = tracesMatch ? (number: number): string => `${TRACE}.${number}` : null
    const { source, flags, captures } = translator.translate(this.#expressions, nameOf)
    return {
      pattern: nativePattern(source, flags),
      fields: fieldsOf(captures, tracesMatch),
    }
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them
const ASCII = /^[\x00-\x7f]*$/

function isAscii(text: string): boolean {
  return ASCII.test(text)
}

function nativePattern(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags)
  } catch (error) {
    throw new IllegalArgumentError(error instanceof Error ? error.message : String(error))
  }
}

function execute(pattern: RegExp, text: string, watch: MatchWatch): RegExpExecArray | null {
  watch.begin()
  try {
    return pattern.exec(text)
  } catch (error) {
    // The runtime compiles a pattern with its first match.
    if (error instanceof SyntaxError) throw new IllegalArgumentError(error.message)
    throw error
  } finally {
    watch.end()
  }
}

function fieldsOf(captures: readonly Capture[], tracesMatch: boolean): Field[] {
  const known = new Set<string>()
  return captures.map(({ group, name }) => {
    const { path, convert } = fieldOf(name, tracesMatch)
    const repeats = known.has(path.text)
    known.add(path.text)
    return { group, repeats, path, convert }
  })
}

/** The field of a capture's name: `field`, `field:type`, `[outer][field]`. */
function fieldOf(name: string, tracesMatch: boolean): Pick<Field, 'path' | 'convert'> {
  if (tracesMatch && name.startsWith(`${TRACE}.`)) {
    const number = name.slice(TRACE.length + 1)
    return { path: parsePath(TRACE), convert: () => number }
  }
  const [field = '', type = ''] = name.split(':')
  const nested = /^(?:\[[^[\]]+\])+$/.test(field) ? field.slice(1, -1).replaceAll('][', '.') : field
  return { path: parsePath(nested), convert: CONVERSIONS.get(type) ?? (text => text) }
}

const CONVERSIONS: ReadonlyMap<string, (text: string) => ScriptValue> = new Map([
  ['int', text => Number(integerOf(text, 32))],
  ['long', text => integerOf(text, 64)],
  ['float', text => new Float32(decimalOf(text))],
  ['double', text => doubleValue(decimalOf(text))],
  ['boolean', text => text.toLowerCase() === 'true'],
] as [string, (text: string) => ScriptValue][])

function integerOf(text: string, bits: number): bigint {
  if (/^[+-]?\d{1,20}$/.test(text)) {
    const value = BigInt(text.replace('+', ''))
    if (BigInt.asIntN(bits, value) === value) return value
  }
  throw notNumber(text)
}

function decimalOf(text: string): number {
  if (/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(text)) return Number(text)
  throw notNumber(text)
}

function notNumber(text: string): EngineError {
  return new EngineError({
    type: 'number_format_exception',
    reason: `For input string: "${text}"`,
  })
}
