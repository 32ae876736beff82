import { CompileFault } from './compile-fault.ts'
import { Lexer, type Token } from './lexer.ts'

/** How deep expressions, blocks and statements may nest in one another. */
const MAX_NESTING = 300

/** The tokens of a source under the eye of a parser. */
export class TokenCursor {
  readonly #lexer: Lexer
  /** Tokens that were looked at and not yet taken. */
  readonly #ahead: Token[] = []
  #first = 0
  #depth = 0

  constructor(source: string) {
    this.#lexer = new Lexer(source)
  }

  /** The token so many behind the next one. */
  peek(distance = 0): Token {
    while (this.#ahead.length - this.#first <= distance) this.#ahead.push(this.#lexer.next())
    return this.#ahead[this.#first + distance]!
  }

  /** Takes the next token. */
  take(): Token {
    const token = this.peek()
    this.#first++
    if (this.#first === this.#ahead.length) {
      this.#ahead.length = 0
      this.#first = 0
    }
    return token
  }

  /** Whether a token is a certain sign or keyword. */
  is(text: string, distance = 0): boolean {
    const token = this.peek(distance)
    return token.text === text && (token.kind === 'sign' || token.kind === 'word')
  }

  /** Takes the next token if it is a certain sign or keyword. */
  takes(text: string): boolean {
    if (!this.is(text)) return false
    this.take()
    return true
  }

  /**
   * Takes a certain sign or keyword.
   * @throws {CompileFault} the next token is another
   */
  expect(text: string): Token {
    if (!this.is(text)) throw this.unexpected()
    return this.take()
  }

  /**
   * Takes an identifier.
   * @throws {CompileFault} the next token is none
   */
  name(): Token {
    if (this.peek().kind !== 'name') throw this.unexpected()
    return this.take()
  }

  /** The fault of a token that does not belong where it stands. */
  unexpected(token: Token = this.peek()): CompileFault {
    if (token.kind === 'end') return new CompileFault(token.start, 'unexpected end of script.')
    const text = token.kind === 'string' ? token.text : token.text.slice(0, 100)
    return new CompileFault(token.start, `invalid sequence of tokens near ['${text}'].`)
  }

  /**
   * Runs a part of the parser that may hold itself.
   * @throws {CompileFault} nested too deep
   */
  nested<T>(part: () => T): T {
    if (this.#depth === MAX_NESTING) throw tooDeep(this.peek().start)
    this.#depth++
    try {
      return part()
    } finally {
      this.#depth--
    }
  }
}

/** A source whose tree is too high to be walked. */
export function tooDeep(offset: number): CompileFault {
  return new CompileFault(offset, 'the script nests too deep', 'stack_overflow_error')
}
