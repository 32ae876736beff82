/**
 * Parser of Java regular expressions: literals, classes with union, intersection and negation, the
 * predefined classes, `\p{…}`, groups, alternation, quantifiers, anchors, word boundaries, flags within
 * patterns, and what only backtracking runs: back-references, look-around, atomic groups, possessive
 * quantifiers.
 */
import { IllegalArgumentError } from '../errors.ts'
import {
  type CharSet,
  DIGIT,
  horizontal,
  isLineEnd,
  not,
  POSIX,
  SPACE,
  vertical,
  WORD,
} from './character-sets.ts'
import { type PatternOptions, readFlags, withFlag } from './pattern-flags.ts'
import {
  type Assertion,
  type BacktrackingNode,
  hasObviousMaximum,
  type ParsedPattern,
  type PatternNode,
  type RepeatMode,
} from './pattern-node.ts'

const MAX_PATTERN_LENGTH = 1000
const MAX_GROUP_DEPTH = 50
const MAX_GROUPS = 50

/**
 * Parses a pattern.
 * @param flags Java's names, separated by `|`: `CASE_INSENSITIVE|DOTALL`
 * @throws {IllegalArgumentError} a syntax error, or an unsupported feature
 */
export function parsePattern(pattern: string, flags: string): ParsedPattern {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new IllegalArgumentError(
      `pattern of [${pattern.length}] characters is longer than the maximum of ` +
        `[${MAX_PATTERN_LENGTH}]`,
    )
  const parser = new PatternParser(pattern, readFlags(flags))
  const node = parser.parse()
  const { groupCount, groupNames, needsBacktracking } = parser
  return { node, groupCount, groupNames, needsBacktracking }
}

const ESCAPES: Readonly<Record<string, number>> = Object.assign(Object.create(null), {
  t: 0x09,
  n: 0x0a,
  r: 0x0d,
  f: 0x0c,
  a: 0x07,
  e: 0x1b,
})

/** Recursive descent over groups and classes, with bounded depth. */
class PatternParser {
  readonly #points: readonly string[]
  readonly #pattern: string
  #options: PatternOptions
  #at = 0
  #depth = 0
  groupCount = 0
  readonly groupNames = new Map<string, number>()
  needsBacktracking = false

  constructor(pattern: string, options: PatternOptions) {
    this.#pattern = pattern
    this.#points = [...pattern]
    this.#options = options
  }

  parse(): PatternNode {
    if (this.#options.literal)
      return {
        kind: 'sequence',
        nodes: this.#points.map(char => this.#literal(char.codePointAt(0)!)),
      }
    const node = this.#choice()
    if (this.#at < this.#points.length) throw this.#bad("Unmatched closing ')'")
    return node
  }

  #bad(what: string): IllegalArgumentError {
    return new IllegalArgumentError(`${what} near index ${this.#at} of pattern [${this.#pattern}]`)
  }

  #notSupported(what: string): IllegalArgumentError {
    return new IllegalArgumentError(
      `[${what} in a pattern] is not supported yet: pattern [${this.#pattern}]`,
    )
  }

  #peek(ahead = 0): string {
    return this.#points[this.#at + ahead] ?? ''
  }

  #choice(): PatternNode {
    if (++this.#depth > MAX_GROUP_DEPTH) throw this.#bad('groups are nested too deeply')
    const nodes = [this.#sequence()]
    while (this.#peek() === '|') {
      this.#at++
      nodes.push(this.#sequence())
    }
    this.#depth--
    return nodes.length === 1 ? nodes[0]! : { kind: 'choice', nodes }
  }

  #sequence(): PatternNode {
    const nodes: PatternNode[] = []
    while (this.#at < this.#points.length && this.#peek() !== '|' && this.#peek() !== ')')
      nodes.push(this.#quantified(this.#atom()))
    return { kind: 'sequence', nodes }
  }

  #quantified(atom: PatternNode): PatternNode {
    let node = atom
    for (;;) {
      const bounds = this.#quantifier()
      if (bounds === null) return node
      const mode = this.#repeatMode()
      if (mode === 'possessive') this.needsBacktracking = true
      node = { kind: 'repeat', node, ...bounds, mode }
      if (/^[*+?]$/.test(this.#peek())) throw this.#bad(`Dangling meta character '${this.#peek()}'`)
    }
  }

  #repeatMode(): RepeatMode {
    const char = this.#peek()
    if (char !== '?' && char !== '+') return 'greedy'
    this.#at++
    return char === '?' ? 'lazy' : 'possessive'
  }

  #quantifier(): { min: number; max: number } | null {
    const char = this.#peek()
    const endless = Number.POSITIVE_INFINITY
    if (char === '*' || char === '+' || char === '?') {
      this.#at++
      return { min: char === '+' ? 1 : 0, max: char === '?' ? 1 : endless }
    }
    if (char !== '{') return null
    const rest = this.#points.slice(this.#at, this.#at + 24).join('')
    const match = /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(rest)
    if (match === null) throw this.#bad('Illegal repetition')
    this.#at += match[0].length
    const min = Number(match[1])
    const max = match[2] === undefined ? min : match[3] === undefined ? endless : Number(match[3])
    if (max < min) throw this.#bad('Illegal repetition range')
    return { min, max }
  }

  #atom(): PatternNode {
    const char = this.#peek()
    this.#at++
    switch (char) {
      case '(':
        return this.#group()
      case '[':
        return { kind: 'set', set: this.#class() }
      case '.':
        return { kind: 'set', set: this.#options.dotAll ? () => true : not(isLineEnd) }
      case '^':
        return { kind: 'assert', assertion: this.#options.multiline ? 'lineStart' : 'textStart' }
      case '$':
        return { kind: 'assert', assertion: this.#options.multiline ? 'lineEnd' : 'lastLineEnd' }
      case '\\':
        return this.#escape()
      case '*':
      case '+':
      case '?':
        this.#at--
        throw this.#bad(`Dangling meta character '${char}'`)
      default:
        return this.#literal(char.codePointAt(0)!)
    }
  }

  #literal(point: number): PatternNode {
    return { kind: 'set', set: this.#single(point) }
  }

  #single(point: number): CharSet {
    return this.#folded(other => other === point)
  }

  /** The set with both cases of its letters, if the flags say so; what is negated is folded first. */
  #folded(set: CharSet): CharSet {
    const { ignoreCase, unicodeCase } = this.#options
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

  /** A group behind its parenthesis, with the closing one. */
  #group(): PatternNode {
    const options = this.#options
    if (this.#peek() !== '?') {
      const index = this.#newGroup()
      return { kind: 'group', index, node: this.#inside(options) }
    }
    this.#at++
    const char = this.#peek()
    this.#at++
    switch (char) {
      case ':':
        return this.#inside(options)
      case '=':
      case '!':
        return this.#look(true, char === '!', options)
      case '>':
        return this.#backtracking({ kind: 'atomic', node: this.#inside(options) })
      case '<': {
        const next = this.#peek()
        if (next === '=' || next === '!') {
          this.#at++
          return this.#look(false, next === '!', options)
        }
        const name = this.#groupName()
        if (this.groupNames.has(name))
          throw this.#bad(`Named capturing group <${name}> is already defined`)
        const index = this.#newGroup()
        this.groupNames.set(name, index)
        return { kind: 'group', index, node: this.#inside(options) }
      }
      default:
        this.#at--
        return this.#flagged(options)
    }
  }

  #newGroup(): number {
    if (++this.groupCount > MAX_GROUPS) throw this.#bad(`more than ${MAX_GROUPS} capturing groups`)
    return this.groupCount
  }

  /** The rest of a group; the options of what is around it hold again behind it. */
  #inside(around: PatternOptions): PatternNode {
    const node = this.#choice()
    if (this.#peek() !== ')') throw this.#bad('Unclosed group')
    this.#at++
    this.#options = around
    return node
  }

  #look(isAhead: boolean, isNegated: boolean, options: PatternOptions): PatternNode {
    const node = this.#inside(options)
    if (!isAhead && !hasObviousMaximum(node))
      throw this.#bad('Look-behind group does not have an obvious maximum length')
    return this.#backtracking({ kind: 'look', isAhead, isNegated, node })
  }

  #backtracking(node: BacktrackingNode): PatternNode {
    this.needsBacktracking = true
    return node
  }

  /** `(?i)` for the rest of the group around it, and `(?i:…)`, behind the question mark. */
  #flagged(around: PatternOptions): PatternNode {
    let isOn = true
    for (;;) {
      const char = this.#peek()
      this.#at++
      if (char === ')') return { kind: 'sequence', nodes: [] }
      if (char === ':') return this.#inside(around)
      if (char === '-' && isOn) isOn = false
      else {
        const options = withFlag(this.#options, char, isOn)
        if (options === null && /^[dxUc]$/.test(char))
          throw this.#notSupported(`inline flag ${char}`)
        if (options === null) throw this.#bad('Unknown inline modifier')
        this.#options = options
      }
    }
  }

  /** The name of a group, behind `<`, with the closing bracket. */
  #groupName(): string {
    if (!/^[A-Za-z]$/.test(this.#peek()))
      throw this.#bad('capturing group name does not start with a Latin letter')
    let name = ''
    for (; /^[A-Za-z0-9]$/.test(this.#peek()); this.#at++) name += this.#peek()
    if (this.#peek() !== '>') throw this.#bad("named capturing group is missing trailing '>'")
    this.#at++
    return name
  }

  /** `\1` and `\k<name>`, behind the backslash. */
  #backReference(): PatternNode {
    const char = this.#peek()
    this.#at++
    let group = Number(char)
    if (char === 'k') {
      if (this.#peek() !== '<')
        throw this.#bad("\\k is not followed by '<' for named capturing group")
      this.#at++
      const name = this.#groupName()
      const named = this.groupNames.get(name)
      if (named === undefined) throw this.#bad(`named capturing group <${name}> does not exist`)
      group = named
    }
    // Takes digits while they name a group that has begun.
    else
      for (; /^[0-9]$/.test(this.#peek()); this.#at++) {
        const longer = 10 * group + Number(this.#peek())
        if (longer > this.groupCount) break
        group = longer
      }
    const { ignoreCase, unicodeCase } = this.#options
    return this.#backtracking({ kind: 'backReference', group, ignoreCase, unicodeCase })
  }

  #escape(): PatternNode {
    const char = this.#peek()
    const assertions: Readonly<Record<string, Assertion>> = {
      b: 'boundary',
      B: 'noBoundary',
      A: 'textStart',
      z: 'textEnd',
      Z: 'lastLineEnd',
    }
    if (Object.hasOwn(assertions, char)) {
      this.#at++
      return { kind: 'assert', assertion: assertions[char]! }
    }
    if (/^[1-9k]$/.test(char)) return this.#backReference()
    if (char === 'Q') return this.#quoted()
    return { kind: 'set', set: this.#escapedSet() }
  }

  /** `\Q…\E`: literal text. */
  #quoted(): PatternNode {
    this.#at++
    const nodes: PatternNode[] = []
    while (this.#at < this.#points.length) {
      if (this.#peek() === '\\' && this.#peek(1) === 'E') {
        this.#at += 2
        break
      }
      nodes.push(this.#literal(this.#peek().codePointAt(0)!))
      this.#at++
    }
    return { kind: 'sequence', nodes }
  }

  /** The set of a backslash escape, if it has one. */
  #escapedSet(): CharSet {
    const char = this.#peek()
    if (char === '') throw this.#bad('Unexpected end after a backslash')
    this.#at++
    switch (char) {
      case 'd':
        return DIGIT
      case 'D':
        return not(DIGIT)
      case 's':
        return SPACE
      case 'S':
        return not(SPACE)
      case 'w':
        return WORD
      case 'W':
        return not(WORD)
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
      case '0': {
        return this.#single(this.#coded(char))
      }
      default: {
        const named = ESCAPES[char]
        if (named === undefined && /[A-Za-z]/.test(char))
          throw this.#bad('Illegal/unsupported escape sequence')
        return this.#single(named ?? char.codePointAt(0)!)
      }
    }
  }

  /** `\xhh`, `\x{h…}`, `\uhhhh` and `\0o…`, after their letter. */
  #coded(letter: string): number {
    const rest = this.#points.slice(this.#at, this.#at + 12).join('')
    const shapes: Readonly<Record<string, RegExp>> = {
      x: /^(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})/,
      u: /^([0-9A-Fa-f]{4})/,
      '0': /^([0-3]?[0-7]{1,2})/,
    }
    const match = shapes[letter]!.exec(rest)
    if (match === null) throw this.#bad('Illegal coded character')
    this.#at += match[0].length
    const point = Number.parseInt(match[1] ?? match[2]!, letter === '0' ? 8 : 16)
    if (point > 0x10ffff) throw this.#bad('Illegal coded character')
    return point
  }

  #property(): CharSet {
    let name = this.#peek()
    this.#at++
    if (name === '{') {
      const end = this.#points.indexOf('}', this.#at)
      if (end < 0) throw this.#bad('Unclosed character family')
      name = this.#points.slice(this.#at, end).join('')
      this.#at = end + 1
    }
    const posix = POSIX[name]
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
    throw this.#bad(`Unknown character property name {${name}}`)
  }

  /** A class after its bracket, up to and including the closing one. */
  #class(): CharSet {
    if (++this.#depth > MAX_GROUP_DEPTH) throw this.#bad('classes are nested too deeply')
    const isNegated = this.#peek() === '^'
    if (isNegated) this.#at++
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
      const char = this.#peek()
      if (char === '') throw this.#bad('Unclosed character class')
      if (char === ']' && !isFirst) {
        this.#at++
        break
      }
      isFirst = false
      if (char === '[') {
        this.#at++
        members.push(this.#class())
      } else if (char === '&' && this.#peek(1) === '&') {
        this.#at += 2
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
      this.#peek() === '-' && this.#peek(1) !== ']' && this.#peek(1) !== '[' && this.#peek(1) !== ''
    if (!isRange) return this.#single(low)
    this.#at++
    const high = this.#classPoint()
    if (typeof high !== 'number' || high < low) throw this.#bad('Illegal character range')
    return this.#folded(point => point >= low && point <= high)
  }

  #classPoint(): number | CharSet {
    const char = this.#peek()
    this.#at++
    if (char !== '\\') return char.codePointAt(0)!
    const letter = this.#peek()
    if (/[dDsSwWhHvVpP]/.test(letter)) return this.#escapedSet()
    if (letter === 'x' || letter === 'u' || letter === '0') {
      this.#at++
      return this.#coded(letter)
    }
    if (letter === '') throw this.#bad('Unexpected end after a backslash')
    this.#at++
    const named = ESCAPES[letter]
    if (named === undefined && /[A-Za-z]/.test(letter))
      throw this.#bad('Illegal/unsupported escape sequence')
    return named ?? letter.codePointAt(0)!
  }
}
