/** Parser of what takes one character in a Java pattern: characters, escapes and classes. */
import {
  type CharSet,
  DIGIT,
  horizontal,
  not,
  POSIX,
  SPACE,
  vertical,
  WORD,
} from './character-sets.ts'
import type { PatternCursor } from './pattern-cursor.ts'
import { UNICODE_DIGIT, UNICODE_POSIX, UNICODE_SPACE, UNICODE_WORD } from './unicode-sets.ts'

const MAX_CLASS_DEPTH = 50

const ESCAPES: Readonly<Record<string, number>> = Object.assign(Object.create(null), {
  t: 0x09,
  n: 0x0a,
  r: 0x0d,
  f: 0x0c,
  a: 0x07,
  e: 0x1b,
})

/** Reads sets by the options that hold at the cursor. */
export class SetParser {
  readonly #cursor: PatternCursor
  #depth = 0

  constructor(cursor: PatternCursor) {
    this.#cursor = cursor
  }

  /** A character, in both cases where the flags say so. */
  single(point: number): CharSet {
    return this.#folded(other => other === point)
  }

  /** The set with both cases of its letters, if the flags say so; what is negated is folded first. */
  #folded(set: CharSet): CharSet {
    const { ignoreCase, unicodeCase } = this.#cursor.options
    if (!ignoreCase) return set
    return point => {
      if (set(point)) return true
      if (point >= 0x80 && !unicodeCase) return false
      const text = String.fromCodePoint(point)
      const lower = text.toLowerCase()
      const upper = text.toUpperCase()
      return (
        ([...lower].length === 1 && set(lower.codePointAt(0)!)) ||
        ([...upper].length === 1 && set(upper.codePointAt(0)!))
      )
    }
  }

  /**
   * The set of an escape, behind its backslash.
   * @throws {IllegalArgumentError} there is no such escape
   */
  escaped(): CharSet {
    const char = this.#cursor.peek()
    if (char === '') throw this.#cursor.bad('Unexpected end after a backslash')
    this.#cursor.at++
    const { unicodeClasses } = this.#cursor.options
    switch (char) {
      case 'd':
        return unicodeClasses ? UNICODE_DIGIT : DIGIT
      case 'D':
        return not(unicodeClasses ? UNICODE_DIGIT : DIGIT)
      case 's':
        return unicodeClasses ? UNICODE_SPACE : SPACE
      case 'S':
        return not(unicodeClasses ? UNICODE_SPACE : SPACE)
      case 'w':
        return unicodeClasses ? UNICODE_WORD : WORD
      case 'W':
        return not(unicodeClasses ? UNICODE_WORD : WORD)
      case 'h':
        return horizontal
      case 'H':
        return not(horizontal)
      case 'v':
        return vertical
      case 'V':
        return not(vertical)
      case 'R':
        return vertical
      case 'p':
      case 'P': {
        const set = this.#folded(this.#property())
        return char === 'p' ? set : not(set)
      }
      case 'x':
      case 'u':
      case '0':
        return this.single(this.#coded(char))
      default: {
        const named = ESCAPES[char]
        if (named === undefined && /[A-Za-z]/.test(char))
          throw this.#cursor.bad('Illegal/unsupported escape sequence')
        return this.single(named ?? char.codePointAt(0)!)
      }
    }
  }

  /** `\xhh`, `\x{h…}`, `\uhhhh` and `\0o…`, after their letter. */
  #coded(letter: string): number {
    const rest = this.#cursor.points.slice(this.#cursor.at, this.#cursor.at + 12).join('')
    const shapes: Readonly<Record<string, RegExp>> = {
      x: /^(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})/,
      u: /^([0-9A-Fa-f]{4})/,
      '0': /^([0-3]?[0-7]{1,2})/,
    }
    const match = shapes[letter]!.exec(rest)
    if (match === null) throw this.#cursor.bad('Illegal coded character')
    this.#cursor.at += match[0].length
    const point = Number.parseInt(match[1] ?? match[2]!, letter === '0' ? 8 : 16)
    if (point > 0x10ffff) throw this.#cursor.bad('Illegal coded character')
    return point
  }

  #property(): CharSet {
    let name = this.#cursor.peek()
    this.#cursor.at++
    if (name === '{') {
      const end = this.#cursor.points.indexOf('}', this.#cursor.at)
      if (end < 0) throw this.#cursor.bad('Unclosed character family')
      name = this.#cursor.points.slice(this.#cursor.at, end).join('')
      this.#cursor.at = end + 1
    }
    const isUnicode = this.#cursor.options.unicodeClasses
    const posix = (isUnicode ? UNICODE_POSIX[name] : undefined) ?? POSIX[name]
    if (posix !== undefined) return posix
    const given = name.replace(/^(Is|In)/, '')
    const isKnown = /^[A-Za-z_]+(=[A-Za-z_]+)?$/.test(given)
    for (const candidate of [given, `Script=${given}`]) {
      if (!isKnown) break
      try {
        const shape = new RegExp(`^\\p{${candidate}}$`, 'u')
        return point => shape.test(String.fromCodePoint(point))
      } catch {
        // Not a property of that kind: try the next one.
      }
    }
    throw this.#cursor.bad(`Unknown character property name {${name}}`)
  }

  /**
   * A class behind its bracket, with the closing one.
   * @throws {IllegalArgumentError} a syntax error
   */
  class(): CharSet {
    if (++this.#depth > MAX_CLASS_DEPTH) throw this.#cursor.bad('classes are nested too deeply')
    const isNegated = this.#cursor.peek() === '^'
    if (isNegated) this.#cursor.at++
    let whole: CharSet | null = null
    let members: CharSet[] = []
    let isFirst = true
    const close = (): void => {
      const part = members
      const before = whole
      const union: CharSet = point => part.some(set => set(point))
      whole = before === null ? union : point => before(point) && union(point)
      members = []
    }
    for (;;) {
      const char = this.#cursor.next()
      if (char === '') throw this.#cursor.bad('Unclosed character class')
      if (char === ']' && !isFirst) {
        this.#cursor.at++
        break
      }
      isFirst = false
      if (char === '[') {
        this.#cursor.at++
        members.push(this.class())
      } else if (char === '&' && this.#cursor.peek(1) === '&') {
        this.#cursor.at += 2
        close()
      } else members.push(this.#member())
    }
    close()
    this.#depth--
    const set: CharSet = whole!
    return isNegated ? not(set) : set
  }

  /** A character, an escape or a range within a class. */
  #member(): CharSet {
    const low = this.#classPoint()
    if (typeof low !== 'number') return low
    const isRange =
      this.#cursor.next() === '-' &&
      this.#cursor.peek(1) !== ']' &&
      this.#cursor.peek(1) !== '[' &&
      this.#cursor.peek(1) !== ''
    if (!isRange) return this.single(low)
    this.#cursor.at++
    this.#cursor.next()
    const high = this.#classPoint()
    if (typeof high !== 'number' || high < low) throw this.#cursor.bad('Illegal character range')
    return this.#folded(point => point >= low && point <= high)
  }

  #classPoint(): number | CharSet {
    const char = this.#cursor.peek()
    this.#cursor.at++
    if (char !== '\\') return char.codePointAt(0)!
    const letter = this.#cursor.peek()
    if (/[dDsSwWhHvVpP]/.test(letter)) return this.escaped()
    if (letter === 'x' || letter === 'u' || letter === '0') {
      this.#cursor.at++
      return this.#coded(letter)
    }
    if (letter === '') throw this.#cursor.bad('Unexpected end after a backslash')
    this.#cursor.at++
    const named = ESCAPES[letter]
    if (named === undefined && /[A-Za-z]/.test(letter))
      throw this.#cursor.bad('Illegal/unsupported escape sequence')
    return named ?? letter.codePointAt(0)!
  }
}
