/**
 * Words and signs of Painless. The source is read token by token as the parser asks, so that a
 * fault of the parser is told ahead of a later one of the lexer.
 */
import { CompileFault } from './compile-fault.ts'

/** `name` is an identifier; `word` a keyword; `sign` an operator or a bracket; `end` the last one. */
export type TokenKind = 'name' | 'word' | 'number' | 'index' | 'string' | 'regex' | 'sign' | 'end'

/** A piece of the source. */
export interface Token {
  readonly kind: TokenKind
  /** As it stands in the source; of a string what it means, of a regex what is between the slashes. */
  readonly text: string
  /** Letters behind a regex. */
  readonly flags: string
  readonly start: number
  readonly end: number
}

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'if else while do for in continue break return new try catch throw this instanceof null true ' +
    'false def boolean byte short char int long float double void'
  ).split(' '),
)

/** Longest first, so that the first that fits is the token. */
const SIGNS: readonly string[] = (
  '>>>= ==~ === !== <<= >>= >>> ?. ?: :: -> =~ == != <= >= << >> && || ++ -- += -= *= /= %= &= ' +
  '^= |= { } [ ] ( ) . , ; ! ~ * / % + - < > & ^ | ? : ='
)
  .split(' ')
  .sort((a, b) => b.length - a.length)

const NUMBER =
  /0[xX][0-9a-fA-F]+[lL]?|0[0-7]+[lL]?(?![0-9.eEfFdD])|(?:0|[1-9][0-9]*)(?:(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?[fFdD]?|[lL])/y
const LONG_NUMBER = /(?:0|[1-9][0-9]*)[lL]/y
const NAME = /[_a-zA-Z][_a-zA-Z0-9]*/y
const INDEX = /0|[1-9][0-9]*/y
const SPACE = /(?:[ \t\n\r]+|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)+/y
const REGEX = /\/((?:\\[^\n]|[^/\\\n])+)\/([cilmsUux]*)/y

/** Gives the tokens of a source one after the other. */
export class Lexer {
  readonly #source: string
  #at = 0
  #last: Token | null = null

  constructor(source: string) {
    this.#source = source
  }

  /**
   * The next token; the one at the end again and again.
   * @throws {CompileFault} a character that begins no token, a string without an end
   */
  next(): Token {
    this.#at = endOf(SPACE, this.#source, this.#at) ?? this.#at
    const token = this.#read(this.#at)
    this.#at = token.end
    this.#last = token
    return token
  }

  #read(start: number): Token {
    const source = this.#source
    if (start >= source.length) return tokenOf('end', '<EOF>', start, start)
    const first = source[start]!
    if (this.#isBehindDot()) {
      const kinds = [['index', INDEX] as const, ['name', NAME] as const]
      for (const [kind, pattern] of kinds) {
        const end = endOf(pattern, source, start)
        if (end !== null) return tokenOf(kind, source.slice(start, end), start, end)
      }
    }
    if (first === "'" || first === '"') return this.#string(start, first)
    if (first === '/' && this.#mayBeRegex()) return this.#regex(start)
    const word = endOf(NAME, source, start)
    if (word !== null) {
      const text = source.slice(start, word)
      return tokenOf(KEYWORDS.has(text) ? 'word' : 'name', text, start, word)
    }
    const number = endOf(LONG_NUMBER, source, start) ?? endOf(NUMBER, source, start)
    if (number !== null) return tokenOf('number', source.slice(start, number), start, number)
    const sign = SIGNS.find(each => source.startsWith(each, start))
    if (sign === undefined) throw unexpected(first, start)
    return tokenOf('sign', sign, start, start + sign.length)
  }

  #isBehindDot(): boolean {
    return this.#last?.kind === 'sign' && (this.#last.text === '.' || this.#last.text === '?.')
  }

  /** A slash divides behind what ends an operand. */
  #mayBeRegex(): boolean {
    const last = this.#last
    if (last === null) return true
    if (last.kind === 'sign') return last.text !== ')' && last.text !== ']'
    return last.kind === 'word' || last.kind === 'string' || last.kind === 'regex'
  }

  #string(start: number, quote: string): Token {
    const source = this.#source
    let value = ''
    for (let at = start + 1; at < source.length; at++) {
      const unit = source[at]!
      if (unit === quote) return tokenOf('string', value, start, at + 1)
      if (unit === '\\') {
        const escaped = source[++at]
        if (escaped !== quote && escaped !== '\\') {
          const fault = unexpected(source.slice(start, at + 1), start)
          if (escaped === undefined) throw fault
          throw new CompileFault(
            start,
            `${fault.message} The only valid escape sequences in strings starting with [${quote}] ` +
              `are [\\\\] and [\\${quote}].`,
          )
        }
        value += escaped
      } else value += unit
    }
    throw unexpected(source.slice(start), start)
  }

  #regex(start: number): Token {
    REGEX.lastIndex = start
    const match = REGEX.exec(this.#source)
    if (match === null) return tokenOf('sign', '/', start, start + 1)
    return { ...tokenOf('regex', match[1]!, start, REGEX.lastIndex), flags: match[2]! }
  }
}

function tokenOf(kind: TokenKind, text: string, start: number, end: number): Token {
  return { kind, text, flags: '', start, end }
}

/** Where a match that begins at an index ends; null: none begins there. */
function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}

function unexpected(text: string, offset: number): CompileFault {
  const shown = text.replace(
    /[\n\r\t]/g,
    unit => ({ '\n': '\\n', '\r': '\\r', '\t': '\\t' })[unit]!,
  )
  return new CompileFault(offset, `unexpected character [${shown}].`)
}
