/**
 * Names with date maths: `<logs-{now/d-1M{uuuu.MM|+02:00}}>` is text with placeholders in braces, each a date
 * expression, then in braces of its own a format and a time zone. `\` takes the character behind it as it is.
 */
import { compileDateFormat } from '../../schema/date-format.ts'
import { parseDateMath } from '../../schema/date-math.ts'
import { timeZone } from '../../util/date/time-zone.ts'
import { EngineError } from '../../util/errors.ts'

const DEFAULT_FORMAT = 'uuuu.MM.dd'

/**
 * Resolves an expression to the name that it stands for now; any other name is returned unchanged.
 * @throws {EngineError} `parse_exception`: an expression that is not well formed
 */
export function resolveDateMath(name: string, nowInMillis: number = Date.now()): string {
  if (!name.startsWith('<') || !name.endsWith('>') || name.length < 2) return name
  const resolved = new Expression(name, nowInMillis).resolve()
  if (resolved === '') throw invalid(name, 'nothing captured')
  return resolved
}

class Expression {
  readonly #name: string
  readonly #text: string
  readonly #nowInMillis: number
  #at = 0

  constructor(name: string, nowInMillis: number) {
    this.#name = name
    this.#text = name.slice(1, -1)
    this.#nowInMillis = nowInMillis
  }

  resolve(): string {
    let resolved = ''
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at++]!
      if (char === '\\' && this.#at < this.#text.length) resolved += this.#text[this.#at++]!
      else if (char === '{') resolved += this.#placeholder()
      else if (char === '}') throw this.#reserved()
      else resolved += char
    }
    return resolved
  }

  /** Reads from behind its opening brace. */
  #placeholder(): string {
    const math = this.#until('{}')
    let format = DEFAULT_FORMAT
    let zone = 'UTC'
    if (this.#text[this.#at - 1] === '{') {
      const inner = this.#until('}')
      const bar = inner.indexOf('|')
      format = bar < 0 ? inner : inner.slice(0, bar)
      if (bar >= 0) zone = inner.slice(bar + 1)
      if (format === '') throw invalid(this.#name, 'missing date format')
      if (this.#at >= this.#text.length || this.#text[this.#at] !== '}') {
        if (this.#at >= this.#text.length)
          throw invalid(this.#name, 'date math placeholder is open ended')
        throw invalid(this.#name, 'missing closing `}` for date math format')
      }
      this.#at++
    }
    return dateOf(math, format, zone, this.#nowInMillis)
  }

  /** Text up to one of some characters, which is passed. */
  #until(ends: string): string {
    let text = ''
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at++]!
      if (char === '\\' && this.#at < this.#text.length) text += this.#text[this.#at++]!
      else if (ends.includes(char)) return text
      else if (char === '{')
        throw invalid(this.#name, `invalid character in placeholder at position [${this.#at - 1}]`)
      else text += char
    }
    throw invalid(this.#name, 'date math placeholder is open ended')
  }

  #reserved(): EngineError {
    return invalid(
      this.#name,
      `invalid character at position [${this.#at - 1}]. \`{\` and \`}\` are reserved characters and ` +
        'should be escaped when used as part of the index name using `\\` (e.g. `\\{text\\}`)',
    )
  }
}

function dateOf(math: string, format: string, zoneId: string, nowInMillis: number): string {
  const zone = timeZone(zoneId)
  const date = compileDateFormat(format)
  const { millis } = parseDateMath(math, { format: date, nowInMillis, roundUp: false, zone })
  return date.print(zone.toLocal(millis))
}

function invalid(name: string, description: string): EngineError {
  return new EngineError({
    type: 'parse_exception',
    reason: `invalid dynamic name expression [${name.slice(1, -1)}]. ${description}`,
  })
}
