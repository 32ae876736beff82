/** Filters by regular expressions; steps are counted for all tokens of a text. */
import { Matcher } from '../../util/pattern/matcher.ts'
import type { Program } from '../../util/pattern/pattern-program.ts'
import type { Replacement } from '../../util/pattern/replacement.ts'
import { TokenFilter, TokenState, type TokenStream } from '../token-stream.ts'

/** Replaces the first match in each term, or all. */
export class PatternReplaceFilter extends TokenFilter {
  readonly #matcher: Matcher
  readonly #replacement: Replacement
  readonly #all: boolean

  constructor(input: TokenStream, program: Program, replacement: Replacement, all: boolean) {
    super(input)
    this.#matcher = new Matcher(program)
    this.#replacement = replacement
    this.#all = all
  }

  next(): boolean {
    if (!this.input.next()) return false
    const { token } = this
    token.term = this.#replacement.apply(this.#matcher, token.term, this.#all)
    return true
  }

  override reset(): void {
    super.reset()
    this.#matcher.reset('')
  }
}

/** One pattern of `pattern_capture` on the term at hand. */
class Captures {
  readonly matcher: Matcher
  readonly #groupCount: number
  /** Of the match at hand the next group to give; −1 to look for a match, 0 when there is none. */
  group = -1
  #from = 0

  constructor(program: Program) {
    this.matcher = new Matcher(program)
    this.#groupCount = program.groupCount
  }

  open(term: string): void {
    this.matcher.resetPart(term)
    this.group = -1
    this.#from = 0
  }

  /** Moves to the next group that is not empty, nor all of `whole`; false where there is none. */
  advance(length: number, whole: number): boolean {
    const { groups } = this.matcher
    for (;;) {
      if (this.group < 0) {
        this.group = this.#from <= length && this.matcher.find(this.#from) ? 1 : 0
        if (this.group === 1) this.#from = groups[1]! > groups[0]! ? groups[1]! : groups[1]! + 1
      }
      if (this.group === 0) return false
      for (; this.group <= this.#groupCount; this.group++) {
        const start = groups[2 * this.group]!
        const end = groups[2 * this.group + 1]!
        if (start !== end && !(start === 0 && end === whole)) return true
      }
      this.group = -1
    }
  }

  get start(): number {
    return this.matcher.groups[2 * this.group]!
  }

  get end(): number {
    return this.matcher.groups[2 * this.group + 1]!
  }
}

/**
 * Gives what the groups of some patterns capture in each term, by where it starts, stacked at the
 * term's position. A term in which nothing is captured stays.
 */
export class PatternCaptureFilter extends TokenFilter {
  readonly #patterns: readonly Captures[]
  readonly #preservesOriginal: boolean
  readonly #saved = new TokenState()
  #isOpen = false

  constructor(input: TokenStream, programs: readonly Program[], preservesOriginal: boolean) {
    super(input)
    this.#patterns = programs.map(program => new Captures(program))
    this.#preservesOriginal = preservesOriginal
  }

  next(): boolean {
    const { token } = this
    if (this.#isOpen) {
      const capture = this.#first()
      if (capture !== null) {
        token.copyFrom(this.#saved)
        token.positionIncrement = 0
        this.#give(capture)
        return true
      }
      this.#isOpen = false
    }
    if (!this.input.next()) return false
    this.#saved.copyFrom(token)
    for (const pattern of this.#patterns) pattern.open(token.term)
    if (this.#preservesOriginal) {
      this.#isOpen = true
      return true
    }
    const capture = this.#first()
    this.#isOpen = capture !== null
    if (capture !== null) this.#give(capture)
    return true
  }

  #first(): Captures | null {
    const { length } = this.#saved.term
    const whole = this.#preservesOriginal ? length : -1
    let first: Captures | null = null
    for (const pattern of this.#patterns)
      if (pattern.advance(length, whole) && (first === null || pattern.start < first.start))
        first = pattern
    return first
  }

  #give(capture: Captures): void {
    this.token.term = this.#saved.term.slice(capture.start, capture.end)
    capture.group++
  }

  override reset(): void {
    super.reset()
    this.#isOpen = false
    for (const { matcher } of this.#patterns) matcher.reset('')
  }
}
