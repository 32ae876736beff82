/**
 * Lucene's own regular expressions (its class RegExp with every optional operator): unions,
 * intersections `&`, complements `~`, `@` any text, `#` nothing, `"…"` literal, `<1-12>` numbers,
 * repeats and classes of characters.
 */
import { IllegalArgumentError } from '../errors.ts'
import { Automaton } from './automaton.ts'
import { ANY_POINT, complement, type Expression, Expressions, union } from './expression.ts'

const MAX_PATTERN_LENGTH = 1000
const MAX_DEPTH = 50
const MAX_REPEAT = 1000
/** Lucene's default limit of states. */
const MAX_STATES = 10_000

/** `\d` and the like; capitals are their negations. */
const CLASSES: ReadonlyMap<string, readonly number[]> = new Map([
  ['d', [0x30, 0x39]],
  ['s', [0x09, 0x0a, 0x0d, 0x0d, 0x20, 0x20]],
  ['w', [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a]],
])

/** Operators that a caller may turn off: their characters then stand for themselves. */
export interface LuceneOperators {
  /** `&`. */
  readonly intersection: boolean
  /** `~`. */
  readonly complement: boolean
  /** `#`, no text. */
  readonly empty: boolean
  /** `@`, any text. */
  readonly anyString: boolean
  /** `<1-12>`. */
  readonly interval: boolean
}

/** Every operator. */
export const ALL_OPERATORS: LuceneOperators = {
  intersection: true,
  complement: true,
  empty: true,
  anyString: true,
  interval: true,
}

/**
 * Reads a pattern.
 * @param ignoresCase ASCII letters stand for both cases; ranges of a class are taken as written
 * @throws {IllegalArgumentError} a syntax error
 */
export function luceneExpression(
  pattern: string,
  make: Expressions,
  operators: LuceneOperators,
  ignoresCase: boolean,
): Expression {
  return new LuceneParser(pattern, make, operators, ignoresCase).parse()
}

/** A code point, with its other case where it is an ASCII letter. */
export function bothCases(point: number): readonly number[] {
  const lower = point | 0x20
  if (lower < 0x61 || lower > 0x7a || point > 0x7f) return [point, point]
  return [lower - 0x20, lower - 0x20, lower, lower]
}

/**
 * Compiles a pattern to an automaton with a single rule.
 * @throws {IllegalArgumentError} a syntax error, or too many states
 */
export function luceneAutomaton(pattern: string): Automaton {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new IllegalArgumentError(
      `pattern of [${pattern.length}] characters is longer than the maximum of ` +
        `[${MAX_PATTERN_LENGTH}]`,
    )
  const expressions = new Expressions()
  const automaton = new Automaton(expressions, [
    luceneExpression(pattern, expressions, ALL_OPERATORS, false),
  ])
  automaton.complete(MAX_STATES)
  return automaton
}

class LuceneParser {
  readonly #chars: readonly string[]
  readonly #make: Expressions
  readonly #operators: LuceneOperators
  readonly #ignoresCase: boolean
  #at = 0
  #depth = 0

  constructor(
    pattern: string,
    make: Expressions,
    operators: LuceneOperators,
    ignoresCase: boolean,
  ) {
    this.#chars = [...pattern]
    this.#make = make
    this.#operators = operators
    this.#ignoresCase = ignoresCase
  }

  parse(): Expression {
    if (this.#chars.length === 0) return this.#make.empty
    const whole = this.#union()
    if (this.#at < this.#chars.length) throw this.#bad('end-of-string expected')
    return whole
  }

  #bad(what: string): IllegalArgumentError {
    return new IllegalArgumentError(`${what} at position ${this.#at}`)
  }

  #peek(): string {
    return this.#chars[this.#at] ?? ''
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false
    this.#at++
    return true
  }

  #next(): string {
    if (this.#at >= this.#chars.length) throw new IllegalArgumentError('unexpected end-of-string')
    return this.#chars[this.#at++]!
  }

  #union(): Expression {
    if (++this.#depth > MAX_DEPTH) throw this.#bad('groups are nested too deeply')
    const parts = [this.#intersection()]
    while (this.#take('|')) parts.push(this.#intersection())
    this.#depth--
    return this.#make.either(...parts)
  }

  #intersection(): Expression {
    const parts = [this.#concatenation()]
    while (this.#operators.intersection && this.#take('&')) parts.push(this.#concatenation())
    return this.#make.both(...parts)
  }

  #concatenation(): Expression {
    const parts = [this.#repeated()]
    const ends = this.#operators.intersection ? ')|&' : ')|'
    while (this.#at < this.#chars.length && !ends.includes(this.#peek()))
      parts.push(this.#repeated())
    return this.#make.sequence(...parts)
  }

  #repeated(): Expression {
    let part = this.#complement()
    for (;;) {
      if (this.#take('?')) part = this.#make.optional(part)
      else if (this.#take('*')) part = this.#make.star(part)
      else if (this.#take('+')) part = this.#make.plus(part)
      else if (this.#take('{')) {
        const min = this.#integer()
        let max = min
        if (this.#take(','))
          max = /\d/.test(this.#peek()) ? this.#integer() : Number.POSITIVE_INFINITY
        if (!this.#take('}')) throw this.#bad("expected '}'")
        if (min > max)
          throw new IllegalArgumentError(`invalid repetition range(out of order): ${min}..${max}`)
        part = this.#make.repeat(part, min, max)
      } else return part
    }
  }

  #integer(): number {
    const start = this.#at
    while (/^\d$/.test(this.#peek())) this.#at++
    if (start === this.#at) throw this.#bad('integer expected')
    const value = Number(this.#chars.slice(start, this.#at).join(''))
    if (value > MAX_REPEAT)
      throw new IllegalArgumentError(`[${value}] repeats are more than the ${MAX_REPEAT} allowed`)
    return value
  }

  #complement(): Expression {
    let negations = 0
    while (this.#operators.complement && this.#take('~')) negations++
    const part = this.#charClass()
    return negations % 2 === 1 ? this.#make.not(part) : part
  }

  #charClass(): Expression {
    if (!this.#take('[')) return this.#simple()
    const isNegated = this.#take('^')
    const sets = [this.#classMember()]
    while (this.#at < this.#chars.length && this.#peek() !== ']') sets.push(this.#classMember())
    if (!this.#take(']')) throw this.#bad("expected ']'")
    const ranges = union(sets)
    return this.#make.set(isNegated ? complement(ranges) : ranges)
  }

  #classMember(): readonly number[] {
    const named = this.#named()
    if (named !== null) return named
    const from = this.#point()
    if (!this.#take('-')) return this.#casesOf(from)
    const to = this.#point()
    if (from > to)
      throw new IllegalArgumentError(`invalid range: from (${from}) cannot be > to (${to})`)
    return [from, to]
  }

  /** `\d` and the like. */
  #named(): readonly number[] | null {
    if (this.#peek() !== '\\') return null
    const letter = this.#chars[this.#at + 1] ?? ''
    const ranges = CLASSES.get(letter.toLowerCase())
    if (ranges === undefined) return null
    this.#at += 2
    return letter === letter.toLowerCase() ? ranges : complement(ranges)
  }

  #point(): number {
    this.#take('\\')
    return this.#next().codePointAt(0)!
  }

  #casesOf(point: number): readonly number[] {
    return this.#ignoresCase ? bothCases(point) : [point, point]
  }

  #simple(): Expression {
    const make = this.#make
    const { empty, anyString, interval } = this.#operators
    if (this.#take('.')) return make.set(ANY_POINT)
    if (empty && this.#take('#')) return make.never
    if (anyString && this.#take('@')) return make.anything
    if (this.#take('"')) return this.#text(this.#until('"'))
    if (this.#take('(')) {
      if (this.#take(')')) return make.empty
      const part = this.#union()
      if (!this.#take(')')) throw this.#bad("expected ')'")
      return part
    }
    if (interval && this.#take('<')) return this.#interval(this.#until('>'))
    const named = this.#named()
    if (named !== null) return make.set(named)
    return make.set(this.#casesOf(this.#point()))
  }

  #text(text: string): Expression {
    const sets = [...text].map(char => this.#make.set(this.#casesOf(char.codePointAt(0)!)))
    return this.#make.sequence(...sets)
  }

  #until(end: string): string {
    const start = this.#at
    while (this.#at < this.#chars.length && this.#peek() !== end) this.#at++
    const text = this.#chars.slice(start, this.#at).join('')
    if (!this.#take(end)) throw this.#bad(`expected '${end}'`)
    return text
  }

  /** Decimal numbers; bounds of equal length require exactly that many digits. */
  #interval(text: string): Expression {
    const match = /^(\d{1,9})-(\d{1,9})$/.exec(text)
    if (match === null)
      throw /^[^-]*$/.test(text)
        ? new IllegalArgumentError(`'${text}' not found`)
        : new IllegalArgumentError(`interval syntax error at position ${this.#at - 1}`)
    const isFixed = match[1]!.length === match[2]!.length
    const [low, high] = [Number(match[1]), Number(match[2])].sort((a, b) => a - b)
    const width = match[2]!.length
    if (isFixed)
      return this.#between(String(low).padStart(width, '0'), String(high).padStart(width, '0'))
    const parts: Expression[] = []
    for (let digits = 1; digits <= String(high).length; digits++) {
      const from = Math.max(low!, digits === 1 ? 0 : 10 ** (digits - 1))
      const to = Math.min(high!, 10 ** digits - 1)
      if (from <= to) parts.push(this.#between(String(from), String(to)))
    }
    const zeros = this.#make.star(this.#make.text('0'))
    return this.#make.sequence(zeros, this.#make.either(...parts))
  }

  /** Digits from `low` to `high`, of equal length. */
  #between(low: string, high: string): Expression {
    const make = this.#make
    if (low === '') return make.empty
    const first = low.charCodeAt(0)
    const last = high.charCodeAt(0)
    const rest = low.length - 1
    const [lowRest, highRest] = [low.slice(1), high.slice(1)]
    if (first === last)
      return make.sequence(make.set([first, first]), this.#between(lowRest, highRest))
    const parts = [
      make.sequence(make.set([first, first]), this.#between(lowRest, '9'.repeat(rest))),
      make.sequence(make.set([last, last]), this.#between('0'.repeat(rest), highRest)),
    ]
    if (last - first > 1)
      parts.push(
        make.sequence(
          make.set([first + 1, last - 1]),
          make.repeat(make.set([0x30, 0x39]), rest, rest),
        ),
      )
    return make.either(...parts)
  }
}
