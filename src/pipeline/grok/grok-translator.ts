/**
 * Translates grok expressions into the runtime's own patterns: references to patterns of a bank become
 * groups, and what only Oniguruma's syntax has becomes its like. Plain groups do not capture. Case is told
 * apart character by character, as flags hold for parts of an expression.
 */

import { IllegalArgumentError } from '../../util/errors.ts'
import { escapedClass, escapedPoint, namedClass } from './character-class.ts'
import { badExpression, ExpressionReader } from './expression-reader.ts'

/** A group that is captured. */
export interface Capture {
  /** Its number in the pattern, from 1. */
  readonly group: number
  /** The name that the expression gives it, with its type. */
  readonly name: string
}

/** A translated expression. */
export interface NativePattern {
  readonly source: string
  readonly flags: '' | 'u'
  readonly captures: readonly Capture[]
}

const MAX_LENGTH = 200_000
const MAX_DEPTH = 250
/** References, with a field and a definition of their own. */
const REFERENCE = /%\{(\w+)(?::([^{}=]+))?(?:=([^{}]+))?\}/y
const QUANTIFIER = /[*+?]|\{(\d{0,5})(?:(,)(\d{0,5}))?\}/y
const FLAGS = /\(\?([imx]*)(?:-([imx]*))?([):])/y
const GROUP_NAME = /\(\?(?:<([^>=!][^>]*)>|'([^']+)')/y

/** Flags that hold at a place. */
interface Modes {
  readonly ignoresCase: boolean
  readonly dotTakesAll: boolean
  readonly isExtended: boolean
}

/** Translates one expression with all that it refers to. */
export class GrokTranslator {
  readonly #bank: ReadonlyMap<string, string>
  readonly #own = new Map<string, string>()
  readonly #isUnicode: boolean
  readonly #names: string[] = []
  /** Numbers of groups by the name that expressions refer back by. */
  readonly #groups = new Map<string, number>()
  /** Patterns that are being read, outermost first. */
  readonly #open: string[] = []
  #needsUnicode = false
  #atoms = 0
  #length = 0
  #depth = 0

  /**
   * @param bank      patterns by name
   * @param isUnicode true: letters and digits are those of all scripts; false: texts are within ASCII
   */
  constructor(bank: ReadonlyMap<string, string>, isUnicode: boolean) {
    this.#bank = bank
    this.#isUnicode = isUnicode
  }

  /**
   * Translates alternatives, of which the first that matches at a place wins.
   * @param nameOf names the group of each alternative; null: none is captured
   * @throws {EngineError} `illegal_argument_exception`: a name that no pattern has, a pattern that leads to
   *   itself, a syntax error, an expression that is too long
   */
  translate(
    expressions: readonly string[],
    nameOf: ((number: number) => string) | null,
  ): NativePattern {
    const parts = expressions.map((expression, i) => {
      if (nameOf === null) return `(?:${this.#whole(expression)})`
      const group = this.#capture(nameOf(i))
      return `${group}${this.#whole(expression)})`
    })
    const { source, groups } = numbered(parts.join('|'))
    const captures = groups.flatMap((name, i) =>
      name.startsWith('g') ? [{ group: i + 1, name: this.#names[Number(name.slice(1))]! }] : [],
    )
    return { source, flags: this.#isUnicode || this.#needsUnicode ? 'u' : '', captures }
  }

  #capture(name: string): string {
    const number = this.#names.push(name) - 1
    return `(?<g${number}>`
  }

  #whole(expression: string): string {
    const reader = new ExpressionReader(expression)
    const modes = { ignoresCase: false, dotTakesAll: false, isExtended: false }
    const source = this.#choice(reader, modes)
    if (reader.at < expression.length)
      throw badExpression('unmatched close parenthesis', expression)
    return source
  }

  #choice(reader: ExpressionReader, given: Modes): string {
    if (++this.#depth > MAX_DEPTH) throw badExpression('groups are nested too deeply', reader.text)
    let modes = given
    let source = ''
    while (reader.at < reader.text.length && reader.peek() !== ')') {
      if (reader.peek() === '|') {
        reader.at++
        source += '|'
        continue
      }
      const flags = reader.match(FLAGS)
      if (flags !== null) {
        const inner = withFlags(modes, flags)
        // Flags without a group of their own hold up to the end of the one that they stand in.
        if (flags[3] === ')') modes = inner
        else source += this.#quantified(reader, `(?:${this.#group(reader, inner)}`)
        continue
      }
      source += this.#quantified(reader, this.#atom(reader, modes))
    }
    this.#depth--
    return this.#counted(source)
  }

  /** The alternatives of an opened group, with its closing parenthesis. */
  #group(reader: ExpressionReader, modes: Modes): string {
    const source = this.#choice(reader, modes)
    if (reader.peek() !== ')')
      throw badExpression('end pattern with unmatched parenthesis', reader.text)
    reader.at++
    return `${source})`
  }

  /** Quantifiers behind an atom; possessive ones become what is looked ahead for and then taken. */
  #quantified(reader: ExpressionReader, atom: string): string {
    let source = atom
    for (;;) {
      const found = reader.match(QUANTIFIER)
      if (found === null) return source
      const [whole, min, comma, max] = found
      const isBare = min === '' && (comma === undefined || max === '')
      if (isBare) {
        reader.at -= whole.length
        return source
      }
      if (atom === '')
        throw badExpression('target of repeat operator is not specified', reader.text)
      const count = min === undefined ? whole : `{${min || '0'}${comma ?? ''}${max ?? ''}}`
      if (source !== atom) source = `(?:${source})`
      if (reader.peek() === '?') {
        reader.at++
        source += `${count}?`
      } else if (reader.peek() === '+' && min === undefined) {
        reader.at++
        source = this.#atomic(source + count)
      } else source += count
      this.#counted(source)
    }
  }

  /** An expression that gives nothing back once it has matched. */
  #atomic(source: string): string {
    const name = `a${this.#atoms++}`
    return `(?:(?=(?<${name}>${source}))\\k<${name}>)`
  }

  #atom(reader: ExpressionReader, modes: Modes): string {
    const char = reader.next()
    switch (char) {
      case '(':
        reader.at -= char.length
        return this.#parenthesis(reader, modes)
      case '[':
        return this.#class(reader, modes)
      case '\\':
        return this.#escape(reader, modes)
      case '.':
        return modes.dotTakesAll ? '[^]' : '[^\\n]'
      case '^':
        return '(?<![^\\n])'
      case '$':
        return '(?![^\\n])'
      case '*':
      case '+':
      case '?':
        throw badExpression('target of repeat operator is not specified', reader.text)
      case '%': {
        reader.at--
        const reference = reader.match(REFERENCE)
        if (reference !== null) return this.#reference(reference)
        reader.at++
        return '%'
      }
    }
    if (modes.isExtended && /\s/.test(char)) return ''
    if (modes.isExtended && char === '#') {
      reader.skipTo('\n')
      return ''
    }
    return this.#literal(char, modes)
  }

  /** A pattern of the bank, captured where the reference names a field. */
  #reference([, name = '', field, definition]: RegExpExecArray): string {
    if (definition !== undefined) this.#own.set(name, definition)
    const expression = this.#own.get(name) ?? this.#bank.get(name)
    if (expression === undefined)
      throw new IllegalArgumentError(
        `Unable to find pattern [${name}] in Grok's pattern dictionary`,
      )
    if (this.#open.includes(name)) throw circular(this.#open, name, expression)
    const lead = field === undefined ? '(?:' : this.#capture(field)
    this.#open.push(name)
    const source = this.#whole(expression)
    this.#open.pop()
    return `${lead}${source})`
  }

  #parenthesis(reader: ExpressionReader, modes: Modes): string {
    const name = reader.match(GROUP_NAME)
    if (name !== null) {
      const field = name[1] ?? name[2]!
      const lead = this.#capture(field)
      this.#groups.set(field, this.#names.length - 1)
      return lead + this.#group(reader, modes)
    }
    for (const lead of ['(?:', '(?=', '(?!', '(?<=', '(?<!'])
      if (reader.take(lead)) return lead + this.#group(reader, modes)
    if (reader.take('(?>')) return this.#atomic(this.#group(reader, modes).slice(0, -1))
    if (reader.take('(?#')) {
      reader.skipTo(')')
      return ''
    }
    if (reader.text.startsWith('(?', reader.at))
      throw badExpression('undefined group option', reader.text)
    reader.at++
    return `(?:${this.#group(reader, modes)}`
  }

  #escape(reader: ExpressionReader, modes: Modes): string {
    const back = reader.match(/k(?:<([^>]+)>|'([^']+)')/y)
    if (back !== null) {
      const group = this.#groups.get(back[1] ?? back[2]!)
      if (group === undefined)
        throw badExpression(`undefined name <${back[1] ?? back[2]}> reference`, reader.text)
      return `\\k<g${group}>`
    }
    const letter = reader.next()
    switch (letter) {
      case 'A':
        return '(?<![^])'
      case 'z':
        return '(?![^])'
      case 'Z':
        return '(?=\\n?(?![^]))'
      case 'b':
        return this.#boundary(true)
      case 'B':
        return this.#boundary(false)
      case 'R':
        return '(?:\\r\\n|[\\n-\\r])'
    }
    reader.at -= letter.length
    const content = this.#classEscape(reader)
    if (content !== null) return `[${content}]`
    return this.#literal(reader.escaped(), modes)
  }

  /** A word boundary, or its negation; Unicode expressions count letters and digits of all scripts. */
  #boundary(isBoundary: boolean): string {
    if (!this.#isUnicode) return isBoundary ? '\\b' : '\\B'
    const word = `[${namedClass('word', true)}]`
    return isBoundary
      ? `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
      : `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`
  }

  /** The content of a class behind a backslash; null: a single character stands there. */
  #classEscape(reader: ExpressionReader): string | null {
    const property = reader.match(/([pP])\{(\^?)([\w ]+)\}/y)
    if (property !== null) {
      const isNegated = (property[1] === 'P') !== (property[2] === '^')
      const content = namedClass(`${isNegated ? '^' : ''}${property[3]}`, this.#isUnicode)
      if (/\\[pP]/.test(content)) this.#needsUnicode = true
      return content
    }
    const content = escapedClass(reader.peek(), this.#isUnicode)
    if (content !== null) reader.at++
    return content
  }

  /** A class, from behind its opening bracket. */
  #class(reader: ExpressionReader, modes: Modes): string {
    const isNegated = reader.take('^')
    const content = this.#classContent(reader, modes, 0)
    if (content === '') throw badExpression('empty char-class', reader.text)
    return `[${isNegated ? '^' : ''}${content}]`
  }

  #classContent(reader: ExpressionReader, modes: Modes, depth: number): string {
    if (depth > 20) throw badExpression('char-classes are nested too deeply', reader.text)
    let content = ''
    for (let isFirst = true; ; isFirst = false) {
      if (reader.at >= reader.text.length)
        throw badExpression('premature end of char-class', reader.text)
      if (reader.peek() === ']' && !isFirst) {
        reader.at++
        return content
      }
      if (reader.text.startsWith('&&', reader.at))
        throw badExpression('[&& in a char-class] is not supported yet', reader.text)
      const named = reader.match(/\[:(\^?\w+):\]/y)
      if (named !== null) {
        content += namedClass(named[1]!, this.#isUnicode)
        continue
      }
      if (reader.peek() === '[') {
        reader.at++
        if (reader.peek() === '^')
          throw badExpression(
            '[a negated char-class within another] is not supported yet',
            reader.text,
          )
        content += this.#classContent(reader, modes, depth + 1)
        continue
      }
      content += this.#classItem(reader, modes)
    }
  }

  /** A character of a class, a range, or the characters of an escape. */
  #classItem(reader: ExpressionReader, modes: Modes): string {
    const first = this.#classPoint(reader)
    if (typeof first === 'string') return first
    const isRange =
      reader.peek() === '-' && !/^-(?:\]|\[|$)/.test(reader.text.slice(reader.at, reader.at + 2))
    if (!isRange) return this.#points(first, first, modes)
    reader.at++
    const last = this.#classPoint(reader)
    if (typeof last === 'string') return `${this.#points(first, first, modes)}\\-${last}`
    if (last < first) throw badExpression('empty range in char class', reader.text)
    return this.#points(first, last, modes)
  }

  /** One character by its number, or the content of a class. */
  #classPoint(reader: ExpressionReader): number | string {
    const char = reader.next()
    if (char !== '\\') return char.codePointAt(0)!
    if (reader.peek() === 'b') {
      reader.at++
      return 8
    }
    return this.#classEscape(reader) ?? reader.escaped().codePointAt(0)!
  }

  #points(first: number, last: number, { ignoresCase }: Modes): string {
    if (last > 0xffff) this.#needsUnicode = true
    const range = (from: number, to: number): string =>
      from === to ? escapedPoint(from) : `${escapedPoint(from)}-${escapedPoint(to)}`
    let content = range(first, last)
    if (!ignoresCase) return content
    const overlap = (from: number, to: number, shift: number): void => {
      const [start, end] = [Math.max(first, from), Math.min(last, to)]
      if (start <= end) content += range(start + shift, end + shift)
    }
    overlap(0x41, 0x5a, 32)
    overlap(0x61, 0x7a, -32)
    return content
  }

  #literal(char: string, { ignoresCase }: Modes): string {
    if (char.codePointAt(0)! > 0xffff) this.#needsUnicode = true
    if (ignoresCase && char.toLowerCase() !== char.toUpperCase())
      return `[${char.toLowerCase()}${char.toUpperCase()}]`
    return /[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char
  }

  #counted(source: string): string {
    this.#length += source.length
    if (this.#length > 10 * MAX_LENGTH || source.length > MAX_LENGTH)
      throw new IllegalArgumentError(
        `expression is longer than [${MAX_LENGTH}] characters once its patterns are filled in`,
      )
    return source
  }
}

/**
 * A pattern whose groups have numbers in place of names, and the names in their order: with each match
 * the runtime makes an object of all names, which took as long as the match.
 */
function numbered(named: string): { readonly source: string; readonly groups: readonly string[] } {
  const groups = Array.from(named.matchAll(/\(\?<([ga]\d+)>/g), ([, name]) => name!)
  const numbers = new Map(groups.map((name, i) => [name, i + 1]))
  // Escapes are passed over in pairs. A digit behind a reference is none of its own.
  const source = named.replace(
    /\(\?<[ga]\d+>|\\k<([ga]\d+)>|\\[\s\S]/g,
    (found, name: string | undefined) => {
      if (name !== undefined) return `(?:\\${numbers.get(name)})`
      return found.startsWith('(') ? '(' : found
    },
  )
  return { source, groups }
}

function withFlags(modes: Modes, [, on = '', off = '']: RegExpExecArray): Modes {
  const holds = (flag: string, now: boolean): boolean =>
    off.includes(flag) ? false : on.includes(flag) || now
  return {
    ignoresCase: holds('i', modes.ignoresCase),
    dotTakesAll: holds('m', modes.dotTakesAll),
    isExtended: holds('x', modes.isExtended),
  }
}

function circular(open: readonly string[], name: string, expression: string): IllegalArgumentError {
  const last = open.at(-1)!
  const via = open.slice(open.indexOf(name) + 1, -1)
  if (last === name)
    return new IllegalArgumentError(`circular reference in pattern [${name}][${expression}]`)
  return new IllegalArgumentError(
    `circular reference in pattern [${last}] back to pattern [${name}]` +
      (via.length === 0 ? '' : ` via patterns [${via.join('=>')}]`),
  )
}
