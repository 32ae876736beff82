/**
 * Parser of Java regular expressions: literals, classes with union, intersection and negation, the
 * predefined classes, `\p{…}`, groups, alternation, quantifiers, anchors, word boundaries, flags within
 * patterns, and what only backtracking runs: back-references, look-around, atomic groups, possessive
 * quantifiers.
 */
import { IllegalArgumentError } from '../errors.ts'
import { type CharSet, isLineEnd, isUnixLineEnd, not } from './character-sets.ts'
import { PatternCursor } from './pattern-cursor.ts'
import { type PatternOptions, readFlags, withFlag } from './pattern-flags.ts'
import {
  type Assertion,
  type BacktrackingNode,
  hasObviousMaximum,
  type ParsedPattern,
  type PatternNode,
  type RepeatMode,
} from './pattern-node.ts'
import { SetParser } from './set-parser.ts'

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

/** Recursive descent over groups, with bounded depth. */
class PatternParser {
  readonly #cursor: PatternCursor
  readonly #sets: SetParser
  #depth = 0
  groupCount = 0
  readonly groupNames = new Map<string, number>()
  needsBacktracking = false

  constructor(pattern: string, options: PatternOptions) {
    this.#cursor = new PatternCursor(pattern, options)
    this.#sets = new SetParser(this.#cursor)
  }

  parse(): PatternNode {
    if (this.#cursor.options.literal)
      return {
        kind: 'sequence',
        nodes: this.#cursor.points.map(char => this.#literal(char.codePointAt(0)!)),
      }
    const node = this.#choice()
    if (this.#cursor.next() !== '') throw this.#cursor.bad("Unmatched closing ')'")
    return node
  }

  #notSupported(what: string): IllegalArgumentError {
    return new IllegalArgumentError(
      `[${what} in a pattern] is not supported yet: pattern [${this.#cursor.pattern}]`,
    )
  }

  #choice(): PatternNode {
    if (++this.#depth > MAX_GROUP_DEPTH) throw this.#cursor.bad('groups are nested too deeply')
    const nodes = [this.#sequence()]
    while (this.#cursor.next() === '|') {
      this.#cursor.at++
      nodes.push(this.#sequence())
    }
    this.#depth--
    return nodes.length === 1 ? nodes[0]! : { kind: 'choice', nodes }
  }

  #sequence(): PatternNode {
    const nodes: PatternNode[] = []
    while (!/^[|)]?$/.test(this.#cursor.next())) nodes.push(this.#quantified(this.#atom()))
    return { kind: 'sequence', nodes }
  }

  #quantified(atom: PatternNode): PatternNode {
    let node = atom
    for (;;) {
      const bounds = this.#quantifier()
      if (bounds === null) return node
      const mode = this.#repeatMode()
      if (mode === 'possessive') this.needsBacktracking = true
      // Compilers count on it that a repeat repeats something.
      if (bounds.max === 0) node = NOTHING
      else if (!isNothing(node)) node = { kind: 'repeat', node, ...bounds, mode }
      if (/^[*+?]$/.test(this.#cursor.next()))
        throw this.#cursor.bad(`Dangling meta character '${this.#cursor.peek()}'`)
    }
  }

  #repeatMode(): RepeatMode {
    const char = this.#cursor.next()
    if (char !== '?' && char !== '+') return 'greedy'
    this.#cursor.at++
    return char === '?' ? 'lazy' : 'possessive'
  }

  #quantifier(): { min: number; max: number } | null {
    const char = this.#cursor.next()
    const endless = Number.POSITIVE_INFINITY
    if (char === '*' || char === '+' || char === '?') {
      this.#cursor.at++
      return { min: char === '+' ? 1 : 0, max: char === '?' ? 1 : endless }
    }
    if (char !== '{') return null
    const rest = this.#cursor.points.slice(this.#cursor.at, this.#cursor.at + 24).join('')
    const match = /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(rest)
    if (match === null) throw this.#cursor.bad('Illegal repetition')
    this.#cursor.at += match[0].length
    const min = Number(match[1])
    const max = match[2] === undefined ? min : match[3] === undefined ? endless : Number(match[3])
    if (max < min) throw this.#cursor.bad('Illegal repetition range')
    return { min, max }
  }

  #atom(): PatternNode {
    const char = this.#cursor.peek()
    this.#cursor.at++
    switch (char) {
      case '(':
        return this.#group()
      case '[':
        return { kind: 'set', set: this.#sets.class() }
      case '.':
        return { kind: 'set', set: this.#dot() }
      case '^':
        return { kind: 'assert', assertion: this.#caret() }
      case '$':
        return { kind: 'assert', assertion: this.#dollar(this.#cursor.options.multiline) }
      case '\\':
        return this.#escape()
      case '*':
      case '+':
      case '?':
        this.#cursor.at--
        throw this.#cursor.bad(`Dangling meta character '${char}'`)
      default:
        return this.#literal(char.codePointAt(0)!)
    }
  }

  #dot(): CharSet {
    const { dotAll, unixLines } = this.#cursor.options
    return dotAll ? () => true : not(unixLines ? isUnixLineEnd : isLineEnd)
  }

  #caret(): Assertion {
    const { multiline, unixLines } = this.#cursor.options
    if (!multiline) return 'textStart'
    return unixLines ? 'unixLineStart' : 'lineStart'
  }

  /** @param isOfLine whether it stands for the end of each line, not of the last one alone */
  #dollar(isOfLine: boolean): Assertion {
    if (this.#cursor.options.unixLines) return isOfLine ? 'unixLineEnd' : 'lastUnixLineEnd'
    return isOfLine ? 'lineEnd' : 'lastLineEnd'
  }

  #literal(point: number): PatternNode {
    return { kind: 'set', set: this.#sets.single(point) }
  }

  /** A group behind its parenthesis, with the closing one. */
  #group(): PatternNode {
    const options = this.#cursor.options
    if (this.#cursor.peek() !== '?') {
      const index = this.#newGroup()
      return { kind: 'group', index, node: this.#inside(options) }
    }
    this.#cursor.at++
    const char = this.#cursor.peek()
    this.#cursor.at++
    switch (char) {
      case ':':
        return this.#inside(options)
      case '=':
      case '!':
        return this.#look(true, char === '!', options)
      case '>':
        return this.#backtracking({ kind: 'atomic', node: this.#inside(options) })
      case '<': {
        const next = this.#cursor.peek()
        if (next === '=' || next === '!') {
          this.#cursor.at++
          return this.#look(false, next === '!', options)
        }
        const name = this.#groupName()
        if (this.groupNames.has(name))
          throw this.#cursor.bad(`Named capturing group <${name}> is already defined`)
        const index = this.#newGroup()
        this.groupNames.set(name, index)
        return { kind: 'group', index, node: this.#inside(options) }
      }
      default:
        this.#cursor.at--
        return this.#flagged(options)
    }
  }

  #newGroup(): number {
    if (++this.groupCount > MAX_GROUPS)
      throw this.#cursor.bad(`more than ${MAX_GROUPS} capturing groups`)
    return this.groupCount
  }

  /** The rest of a group; the options of what is around it hold again behind it. */
  #inside(around: PatternOptions): PatternNode {
    const node = this.#choice()
    if (this.#cursor.next() !== ')') throw this.#cursor.bad('Unclosed group')
    this.#cursor.at++
    this.#cursor.options = around
    return node
  }

  #look(isAhead: boolean, isNegated: boolean, options: PatternOptions): PatternNode {
    const node = this.#inside(options)
    if (!isAhead && !hasObviousMaximum(node))
      throw this.#cursor.bad('Look-behind group does not have an obvious maximum length')
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
      const char = this.#cursor.peek()
      this.#cursor.at++
      if (char === ')') return NOTHING
      if (char === ':') return this.#inside(around)
      if (char === '-' && isOn) isOn = false
      else {
        const options = withFlag(this.#cursor.options, char, isOn)
        if (options === null && char === 'c') throw this.#notSupported(`inline flag ${char}`)
        if (options === null) throw this.#cursor.bad('Unknown inline modifier')
        this.#cursor.options = options
      }
    }
  }

  /** The name of a group, behind `<`, with the closing bracket. */
  #groupName(): string {
    if (!/^[A-Za-z]$/.test(this.#cursor.peek()))
      throw this.#cursor.bad('capturing group name does not start with a Latin letter')
    let name = ''
    for (; /^[A-Za-z0-9]$/.test(this.#cursor.peek()); this.#cursor.at++) name += this.#cursor.peek()
    if (this.#cursor.peek() !== '>')
      throw this.#cursor.bad("named capturing group is missing trailing '>'")
    this.#cursor.at++
    return name
  }

  /** `\1` and `\k<name>`, behind the backslash. */
  #backReference(): PatternNode {
    const char = this.#cursor.peek()
    this.#cursor.at++
    let group = Number(char)
    if (char === 'k') {
      if (this.#cursor.peek() !== '<')
        throw this.#cursor.bad("\\k is not followed by '<' for named capturing group")
      this.#cursor.at++
      const name = this.#groupName()
      const named = this.groupNames.get(name)
      if (named === undefined)
        throw this.#cursor.bad(`named capturing group <${name}> does not exist`)
      group = named
    }
    // Takes digits while they name a group that has begun.
    else
      for (; /^[0-9]$/.test(this.#cursor.peek()); this.#cursor.at++) {
        const longer = 10 * group + Number(this.#cursor.peek())
        if (longer > this.groupCount) break
        group = longer
      }
    const { ignoreCase, unicodeCase } = this.#cursor.options
    return this.#backtracking({ kind: 'backReference', group, ignoreCase, unicodeCase })
  }

  #escape(): PatternNode {
    const char = this.#cursor.peek()
    const { unicodeClasses } = this.#cursor.options
    const assertions: Readonly<Record<string, Assertion>> = {
      b: unicodeClasses ? 'unicodeBoundary' : 'boundary',
      B: unicodeClasses ? 'noUnicodeBoundary' : 'noBoundary',
      A: 'textStart',
      z: 'textEnd',
      Z: this.#dollar(false),
    }
    if (Object.hasOwn(assertions, char)) {
      this.#cursor.at++
      return { kind: 'assert', assertion: assertions[char]! }
    }
    if (/^[1-9k]$/.test(char)) return this.#backReference()
    if (char === 'Q') return this.#quoted()
    return { kind: 'set', set: this.#sets.escaped() }
  }

  /** `\Q…\E`: literal text. */
  #quoted(): PatternNode {
    this.#cursor.at++
    const nodes: PatternNode[] = []
    while (this.#cursor.at < this.#cursor.points.length) {
      if (this.#cursor.peek() === '\\' && this.#cursor.peek(1) === 'E') {
        this.#cursor.at += 2
        break
      }
      nodes.push(this.#literal(this.#cursor.peek().codePointAt(0)!))
      this.#cursor.at++
    }
    return { kind: 'sequence', nodes }
  }
}

const NOTHING: PatternNode = { kind: 'sequence', nodes: [] }

function isNothing(node: PatternNode): boolean {
  return node.kind === 'sequence' && node.nodes.every(isNothing)
}
