import { IllegalArgumentError } from '../errors.ts'
import { isLineEnd, isUnixLineEnd } from './character-sets.ts'
import type { PatternOptions } from './pattern-flags.ts'

/** A pattern and how far it has been read. */
export class PatternCursor {
  readonly pattern: string
  /** Its characters; `at` is an index of them. */
  readonly points: readonly string[]
  at = 0
  /** Flags in effect for the next part. */
  options: PatternOptions

  constructor(pattern: string, options: PatternOptions) {
    this.pattern = pattern
    this.points = [...pattern]
    this.options = options
  }

  /** The character so far ahead; empty behind the end. */
  peek(ahead = 0): string {
    return this.points[this.at + ahead] ?? ''
  }

  /** The character that counts next: under `COMMENTS` spaces and comments are passed over. */
  next(): string {
    const isEnd = this.options.unixLines ? isUnixLineEnd : isLineEnd
    while (this.options.comments) {
      const char = this.peek()
      if (/^[\t-\r ]$/.test(char)) this.at++
      else if (char === '#')
        while (this.at < this.points.length && !isEnd(this.peek().codePointAt(0)!)) this.at++
      else break
    }
    return this.peek()
  }

  /** The error of a pattern that is bad here. */
  bad(what: string): IllegalArgumentError {
    return new IllegalArgumentError(`${what} near index ${this.at} of pattern [${this.pattern}]`)
  }
}
