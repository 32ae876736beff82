import { IllegalArgumentError } from '../../util/errors.ts'
import { Matcher } from '../../util/pattern/matcher.ts'
import { parsePattern } from '../../util/pattern/pattern-parser.ts'
import { compilePattern } from '../../util/pattern/pattern-program.ts'

/** Any number of characters, and any one. */
const MANY = '*'
const ONE = '?'

/**
 * A pattern of a role: `*` is any number of characters, `?` any one. Texts of the user that are put in for
 * `${…}` are taken as they are: nobody called `*` may see everything. Between two slashes stands a regular
 * expression of whole names, which is matched in linear time.
 */
export class RolePattern {
  /** Characters, with null for any number of them and '' for any one. */
  readonly #signs: readonly (string | null)[]
  /** The only name that it matches; null for a pattern of several. */
  readonly #sole: string | null
  /** Null: the pattern is no regular expression. */
  readonly #expression: Matcher | null

  /**
   * @param value of a name within `${…}`; null: there is none, and the pattern matches nothing
   * @throws {IllegalArgumentError} a regular expression with an error, or that looks around or back
   */
  constructor(pattern: string, value: (name: string) => string | null = () => null) {
    this.#expression = expressionOf(pattern)
    const signs: (string | null)[] = []
    let isEmpty = false
    for (const part of pattern.split(/(\$\{[^}]*\})/)) {
      const name = /^\$\{([^}]*)\}$/.exec(part)?.[1]
      const found = name === undefined ? null : value(name)
      if (name !== undefined && found === null) isEmpty = true
      else if (found !== null) signs.push(...found)
      else for (const sign of part) signs.push(sign === MANY ? null : sign === ONE ? '' : sign)
    }
    this.#signs = isEmpty ? [] : signs
    this.#sole = signs.some(sign => sign === null || sign === '') ? null : signs.join('')
    // Names are never empty.
    if (isEmpty) this.#sole = ''
  }

  /**
   * Whether some name that begins with a text may match. Of regular expressions any may.
   */
  mayMatchBehind(start: string): boolean {
    if (this.#expression !== null) return true
    if (this.#sole !== null) return this.#sole.length > start.length && this.#sole.startsWith(start)
    // Each place in the pattern that a beginning of the text may lead to.
    let places = this.#withSkipped([0])
    for (const character of start) {
      const next: number[] = []
      for (const place of places) {
        const sign = this.#signs[place]
        if (sign === null) next.push(place)
        else if (sign === '' || sign === character) next.push(place + 1)
      }
      places = this.#withSkipped(next)
    }
    return [...places].some(place => place < this.#signs.length)
  }

  /** Places with those that they lead to where `*` stands for nothing. */
  #withSkipped(places: readonly number[]): ReadonlySet<number> {
    const found = new Set<number>()
    for (const from of places) {
      let place = from
      while (!found.has(place)) {
        found.add(place)
        if (this.#signs[place] === null) place++
      }
    }
    return found
  }

  /** Whether it matches a whole name; quadratic in their lengths at worst. */
  matches(name: string): boolean {
    if (this.#expression !== null) {
      this.#expression.reset(name)
      return this.#expression.find(0)
    }
    if (this.#sole !== null) return this.#sole === name && name !== ''
    const signs = this.#signs
    let at = 0
    let sign = 0
    let lastMany = -1
    let resume = 0
    while (at < name.length) {
      const wanted = signs[sign]
      if (wanted === null) {
        lastMany = sign++
        resume = at
      } else if (wanted === '' || (wanted !== undefined && name.startsWith(wanted, at))) {
        at += wanted === '' ? 1 : wanted.length
        sign++
      } else if (lastMany >= 0) {
        sign = lastMany + 1
        at = ++resume
      } else return false
    }
    while (signs[sign] === null) sign++
    return sign === signs.length
  }
}

/**
 * The matcher of a pattern between slashes; null for any other.
 * @throws {IllegalArgumentError} as the constructor
 */
function expressionOf(pattern: string): Matcher | null {
  if (pattern.length < 2 || !pattern.startsWith('/') || !pattern.endsWith('/')) return null
  const text = pattern.slice(1, -1)
  if (parsePattern(text, '').needsBacktracking)
    throw new IllegalArgumentError(
      `regular expressions of roles may not look around or back: [${text}]`,
    )
  return new Matcher(compilePattern(text, '', 'whole'))
}
