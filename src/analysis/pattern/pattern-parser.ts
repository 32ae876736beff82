/**
 * Java regular expressions, read into a program for `Matcher`. Understood: literals, classes with
 * union, intersection and negation, the predefined classes, `\p{…}`, groups, alternation, greedy and
 * lazy quantifiers, anchors and word boundaries. Refused, because no linear matcher has them or this
 * build has not: back-references, look-around, atomic groups, possessive quantifiers.
 */
import { IllegalArgumentError } from '../../util/errors.ts'

/** Whether a set has a code point. */
export type CharSet = (point: number) => boolean

/** One step of a program; `next` follows unless the step says otherwise. */
export type Instruction =
  | {
      readonly op: 'set'
      readonly set: CharSet
      /** The set's answers for ASCII. */
      readonly ascii: Uint8Array
      next: number
    }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'save'; readonly slot: number; next: number }
  | { readonly op: 'assert'; readonly kind: Assertion; next: number }
  | { readonly op: 'match' }

/** What holds between two characters. */
export type Assertion =
  | 'textStart'
  | 'textEnd'
  | 'lineStart'
  | 'lineEnd'
  | 'lastLineEnd'
  | 'boundary'
  | 'noBoundary'

/** A compiled pattern. */
export interface Program {
  readonly instructions: readonly Instruction[]
  /** Capturing groups, group 0 not counted. */
  readonly groupCount: number
}

const MAX_PATTERN_LENGTH = 1000
const MAX_INSTRUCTIONS = 20_000
const MAX_GROUP_DEPTH = 50
const MAX_GROUPS = 50

type Node =
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'sequence'; readonly nodes: readonly Node[] }
  | { readonly kind: 'choice'; readonly nodes: readonly Node[] }
  | { readonly kind: 'group'; readonly index: number; readonly node: Node }
  | { readonly kind: 'assert'; readonly assertion: Assertion }
  | {
      readonly kind: 'repeat'
      readonly node: Node
      readonly min: number
      /** Infinity for no end. */
      readonly max: number
      readonly isLazy: boolean
    }

/**
 * Compiles a pattern.
 * @param flags as Java names them, with `|` between: `CASE_INSENSITIVE|DOTALL`
 * @throws {IllegalArgumentError} not a pattern, or one that is not supported
 */
export function compilePattern(pattern: string, flags: string): Program {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new IllegalArgumentError(
      `pattern of [${pattern.length}] characters is longer than the maximum of ` +
        `[${MAX_PATTERN_LENGTH}]`,
    )
  const options = readFlags(flags)
  const parser = new PatternParser(pattern, options)
  const node = parser.parse()
  const instructions: Instruction[] = []
  emit({ kind: 'group', index: 0, node }, instructions)
  instructions.push({ op: 'match' })
  return { instructions, groupCount: parser.groupCount }
}

interface Options {
  ignoreCase: boolean
  unicodeCase: boolean
  multiline: boolean
  dotAll: boolean
  literal: boolean
}

function readFlags(flags: string): Options {
  const options: Options = {
    ignoreCase: false,
    unicodeCase: false,
    multiline: false,
    dotAll: false,
    literal: false,
  }
  for (const flag of flags.split('|').map(text => text.trim())) {
    switch (flag) {
      case '':
        break
      case 'CASE_INSENSITIVE':
        options.ignoreCase = true
        break
      case 'UNICODE_CASE':
        options.unicodeCase = true
        break
      case 'MULTILINE':
        options.multiline = true
        break
      case 'DOTALL':
        options.dotAll = true
        break
      case 'LITERAL':
        options.literal = true
        break
      case 'CANON_EQ':
      case 'COMMENTS':
      case 'UNICODE_CHAR_CLASS':
      case 'UNICODE_CHARACTER_CLASS':
      case 'UNIX_LINES':
        throw new IllegalArgumentError(`[flags: ${flag}] is not supported yet`)
      default:
        throw new IllegalArgumentError(`Unknown regex flag [${flag}]`)
    }
  }
  return options
}

/** Appends a node's instructions; it goes on at the instruction behind them. */
function emit(node: Node, out: Instruction[]): void {
  if (out.length > MAX_INSTRUCTIONS)
    throw new IllegalArgumentError('the pattern repeats too much: it compiles to too many steps')
  switch (node.kind) {
    case 'set':
      out.push({ op: 'set', set: node.set, ascii: asciiOf(node.set), next: out.length + 1 })
      return
    case 'assert':
      out.push({ op: 'assert', kind: node.assertion, next: out.length + 1 })
      return
    case 'sequence':
      for (const part of node.nodes) emit(part, out)
      return
    case 'group':
      out.push({ op: 'save', slot: 2 * node.index, next: out.length + 1 })
      emit(node.node, out)
      out.push({ op: 'save', slot: 2 * node.index + 1, next: out.length + 1 })
      return
    case 'choice': {
      const jumps: { op: 'split'; first: number; second: number }[] = []
      for (const [i, part] of node.nodes.entries()) {
        if (i === node.nodes.length - 1) {
          emit(part, out)
          break
        }
        const split = { op: 'split' as const, first: out.length + 1, second: -1 }
        out.push(split)
        emit(part, out)
        const jump = { op: 'split' as const, first: -1, second: -1 }
        out.push(jump)
        jumps.push(jump)
        split.second = out.length
      }
      for (const jump of jumps) jump.first = jump.second = out.length
      return
    }
    case 'repeat':
      emitRepeat(node, out)
  }
}

const asciiTables = new WeakMap<CharSet, Uint8Array>()

/** A repeated part asks its set once. */
function asciiOf(set: CharSet): Uint8Array {
  let table = asciiTables.get(set)
  if (table === undefined) {
    table = Uint8Array.from({ length: 128 }, (_, point) => (set(point) ? 1 : 0))
    asciiTables.set(set, table)
  }
  return table
}

function emitRepeat(node: Extract<Node, { kind: 'repeat' }>, out: Instruction[]): void {
  for (let i = 0; i < node.min; i++) emit(node.node, out)
  const branch = (): { op: 'split'; first: number; second: number } => {
    const split = { op: 'split' as const, first: out.length + 1, second: out.length + 1 }
    out.push(split)
    return split
  }
  const leave = (split: { first: number; second: number }): void => {
    if (node.isLazy) split.first = out.length
    else split.second = out.length
  }
  if (node.max === Number.POSITIVE_INFINITY) {
    const split = branch()
    const at = out.length - 1
    emit(node.node, out)
    out.push({ op: 'split', first: at, second: at })
    leave(split)
    return
  }
  const splits = []
  for (let i = node.min; i < node.max; i++) {
    splits.push(branch())
    emit(node.node, out)
  }
  for (const split of splits) leave(split)
}

const DIGIT: CharSet = point => point >= 0x30 && point <= 0x39
const SPACE: CharSet = point => point === 0x20 || (point >= 0x09 && point <= 0x0d)
const UPPER: CharSet = point => point >= 0x41 && point <= 0x5a
const LOWER: CharSet = point => point >= 0x61 && point <= 0x7a
const ALPHA: CharSet = point => UPPER(point) || LOWER(point)
/** `\w`. */
export const WORD: CharSet = point => ALPHA(point) || DIGIT(point) || point === 0x5f
const PUNCT: CharSet = point => point > 0x20 && point < 0x7f && !ALPHA(point) && !DIGIT(point)
const not =
  (set: CharSet): CharSet =>
  point =>
    !set(point)

/** Characters that end a line, which `.` does not match. */
export function isLineEnd(point: number): boolean {
  return point === 0x0a || point === 0x0d || point === 0x85 || point === 0x2028 || point === 0x2029
}

/** POSIX classes of Java, which are of ASCII. */
const POSIX: Readonly<Record<string, CharSet>> = Object.assign(Object.create(null), {
  Lower: LOWER,
  Upper: UPPER,
  ASCII: (point: number) => point < 0x80,
  Alpha: ALPHA,
  Digit: DIGIT,
  Alnum: (point: number) => ALPHA(point) || DIGIT(point),
  Punct: PUNCT,
  Graph: (point: number) => point > 0x20 && point < 0x7f,
  Print: (point: number) => point >= 0x20 && point < 0x7f,
  Blank: (point: number) => point === 0x20 || point === 0x09,
  Cntrl: (point: number) => point < 0x20 || point === 0x7f,
  XDigit: (point: number) => /[0-9a-fA-F]/.test(String.fromCodePoint(point)),
  Space: SPACE,
})

const ESCAPES: Readonly<Record<string, number>> = Object.assign(Object.create(null), {
  t: 0x09,
  n: 0x0a,
  r: 0x0d,
  f: 0x0c,
  a: 0x07,
  e: 0x1b,
})

/** Recursive over groups and classes, whose depth is bounded. */
class PatternParser {
  readonly #points: readonly string[]
  readonly #pattern: string
  readonly #options: Options
  #at = 0
  #depth = 0
  groupCount = 0

  constructor(pattern: string, options: Options) {
    this.#pattern = pattern
    this.#points = [...pattern]
    this.#options = options
  }

  parse(): Node {
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

  #choice(): Node {
    if (++this.#depth > MAX_GROUP_DEPTH) throw this.#bad('groups are nested too deeply')
    const nodes = [this.#sequence()]
    while (this.#peek() === '|') {
      this.#at++
      nodes.push(this.#sequence())
    }
    this.#depth--
    return nodes.length === 1 ? nodes[0]! : { kind: 'choice', nodes }
  }

  #sequence(): Node {
    const nodes: Node[] = []
    while (this.#at < this.#points.length && this.#peek() !== '|' && this.#peek() !== ')')
      nodes.push(this.#quantified(this.#atom()))
    return { kind: 'sequence', nodes }
  }

  #quantified(atom: Node): Node {
    let node = atom
    for (;;) {
      const bounds = this.#quantifier()
      if (bounds === null) return node
      if (this.#peek() === '+') throw this.#notSupported('possessive quantifier')
      const isLazy = this.#peek() === '?'
      if (isLazy) this.#at++
      node = { kind: 'repeat', node, ...bounds, isLazy }
    }
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

  #atom(): Node {
    const char = this.#peek()
    this.#at++
    switch (char) {
      case '(':
        return this.#group()
      case '[':
        return { kind: 'set', set: this.#folded(this.#class()) }
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

  #literal(point: number): Node {
    return { kind: 'set', set: this.#folded(other => other === point) }
  }

  /** The set with the other case of its letters, where the flags say so. */
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

  #group(): Node {
    let index = -1
    if (this.#peek() === '?') {
      const kind = this.#peek(1)
      if (kind === ':') this.#at += 2
      else if (kind === '<' && /[A-Za-z]/.test(this.#peek(2))) {
        this.#at += 2
        while (/[A-Za-z0-9]/.test(this.#peek())) this.#at++
        if (this.#peek() !== '>') throw this.#bad('named capturing group is missing trailing >')
        this.#at++
        index = ++this.groupCount
      } else if (kind === '=' || kind === '!' || kind === '<')
        throw this.#notSupported('look-around')
      else if (kind === '>') throw this.#notSupported('atomic group')
      else throw this.#notSupported('inline flag')
    } else index = ++this.groupCount
    if (this.groupCount > MAX_GROUPS) throw this.#bad(`more than ${MAX_GROUPS} capturing groups`)
    const node = this.#choice()
    if (this.#peek() !== ')') throw this.#bad('Unclosed group')
    this.#at++
    return index < 0 ? node : { kind: 'group', index, node }
  }

  #escape(): Node {
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
    if (/[1-9k]/.test(char)) throw this.#notSupported('back-reference')
    if (char === 'Q') return this.#quoted()
    return { kind: 'set', set: this.#folded(this.#escapedSet()) }
  }

  /** `\Q…\E`: all of it literal. */
  #quoted(): Node {
    this.#at++
    const nodes: Node[] = []
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

  /** What follows a backslash, where it stands for characters. */
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
        const set = this.#property()
        return char === 'p' ? set : not(set)
      }
      case 'x':
      case 'u':
      case '0': {
        const point = this.#coded(char)
        return other => other === point
      }
      default: {
        const named = ESCAPES[char]
        if (named === undefined && /[A-Za-z]/.test(char))
          throw this.#bad('Illegal/unsupported escape sequence')
        const point = named ?? char.codePointAt(0)!
        return other => other === point
      }
    }
  }

  /** `\xhh`, `\x{h…}`, `\uhhhh` and `\0o…`, behind their letter. */
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
        // Not a property of that kind: try the next.
      }
    }
    throw this.#bad(`Unknown character property name {${name}}`)
  }

  /** A class behind its bracket, up to and with the closing one. */
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
    if (!isRange) return point => point === low
    this.#at++
    const high = this.#classPoint()
    if (typeof high !== 'number' || high < low) throw this.#bad('Illegal character range')
    return point => point >= low && point <= high
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

function horizontal(point: number): boolean {
  return (
    point === 0x20 ||
    point === 0x09 ||
    point === 0xa0 ||
    point === 0x1680 ||
    point === 0x180e ||
    (point >= 0x2000 && point <= 0x200a) ||
    point === 0x202f ||
    point === 0x205f ||
    point === 0x3000
  )
}

function vertical(point: number): boolean {
  return (point >= 0x0a && point <= 0x0d) || point === 0x85 || point === 0x2028 || point === 0x2029
}
