/** Cuts text by a regular expression: between its matches, or at one of its groups. */
import { IllegalArgumentError } from '../../util/errors.ts'
import { Matcher } from '../../util/pattern/matcher.ts'
import { compilePattern, type Program } from '../../util/pattern/pattern-program.ts'
import { Tokenizer } from '../token-stream.ts'

/** The default pattern: all that is no word character parts tokens. */
export const DEFAULT_PATTERN = '\\W+'

/** A pattern that tokens are cut by, read and checked. */
export interface TokenPattern {
  readonly program: Program
  /** −1: tokens are what lies between matches; 0 or more: that group of each match. */
  readonly group: number
}

/**
 * Reads a pattern.
 * @throws {IllegalArgumentError} a bad pattern, flag or group
 */
export function tokenPattern(pattern: string, flags: string, group: number): TokenPattern {
  const program = compilePattern(pattern, flags)
  if (group > program.groupCount)
    throw new IllegalArgumentError(
      `invalid group specified: pattern only has: ${program.groupCount} capturing groups`,
    )
  return { program, group }
}

/** Tokenizer `pattern`. */
export class PatternTokenizer extends Tokenizer {
  readonly #matcher: Matcher
  readonly #group: number
  /** Where the search goes on; past the text once it is over. */
  #from = 0
  /** Where the last match ended. */
  #last = 0

  constructor(pattern: TokenPattern) {
    super()
    this.#matcher = new Matcher(pattern.program)
    this.#group = pattern.group
  }

  reset(): void {
    this.#matcher.reset(this.text)
    this.#from = 0
    this.#last = 0
  }

  next(): boolean {
    const { text } = this
    const { groups } = this.#matcher
    const group = this.#group
    while (this.#from <= text.length) {
      if (!this.#matcher.find(this.#from)) {
        this.#from = text.length + 1
        break
      }
      const start = groups[0]!
      const end = groups[1]!
      // An empty match makes the next search start one character on.
      this.#from = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1)
      if (group < 0) {
        const last = this.#last
        this.#last = end
        if (start > last) return this.#take(last, start)
      } else if (groups[2 * group + 1]! > groups[2 * group]!)
        return this.#take(groups[2 * group]!, groups[2 * group + 1]!)
    }
    const last = this.#last
    this.#last = text.length
    return group < 0 && last < text.length && this.#take(last, text.length)
  }

  #take(start: number, end: number): boolean {
    const { token } = this
    token.clear()
    token.term = this.text.slice(start, end)
    token.startOffset = this.correctOffset(start)
    token.endOffset = this.correctOffset(end)
    return true
  }
}
