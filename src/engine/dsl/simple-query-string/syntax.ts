/**
 * The language of `simple_query_string`, in which every text has a meaning: operators that lack an
 * operand are passed over. Read from left to right; a change of operator takes all before it as its
 * first operand.
 */
import { type BooleanClause, MATCH_ALL, type Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'

/** Operators by their bit in `flags`. */
export const SIMPLE_FLAGS = {
  AND: 1,
  NOT: 2,
  OR: 4,
  PREFIX: 8,
  PHRASE: 16,
  PRECEDENCE: 32,
  ESCAPE: 64,
  WHITESPACE: 128,
  FUZZY: 256,
  NEAR: 512,
} as const

/** A word, a beginning, a fuzzy word or a phrase of the text. */
export type SimpleLeaf =
  | { readonly kind: 'words' | 'prefix'; readonly text: string }
  | { readonly kind: 'fuzzy'; readonly text: string; readonly edits: 1 | 2 }
  | { readonly kind: 'phrase'; readonly text: string; readonly slop: number }

/** How a text is read. */
export interface SimpleSyntax {
  /** Bits of `SIMPLE_FLAGS`. */
  readonly flags: number
  /** The operator between operands that name none. */
  readonly operator: 'or' | 'and'
  /** The query of a leaf; null: it has no terms, and is passed over. */
  readonly queryOf: (leaf: SimpleLeaf) => Query | null
}

/** Brackets within brackets. */
const MAX_DEPTH = 200
const SPACES = ' \t\n\r'

/**
 * Reads a text into a query.
 * @returns null: nothing in it has terms
 * @throws {EngineError} what `queryOf` throws, or brackets nested too deep
 */
export function readSimpleQuery(text: string, syntax: SimpleSyntax): Query | null {
  if (text.trim() === '*') return MATCH_ALL
  const reader = new Reader(text, syntax)
  return reader.read(0, text.length, 0)
}

/** The operands of one pair of brackets so far. */
interface Operands {
  top: Query | null
  /** The operator that joined the last two. */
  joined: Occur | null
  /** The operator that was written since. */
  written: Occur | null
}

type Occur = 'must' | 'should'

class Reader {
  readonly #text: string
  readonly #syntax: SimpleSyntax
  /** Of each opening bracket its closing one. */
  readonly #closing: ReadonlyMap<number, number>
  #at = 0

  constructor(text: string, syntax: SimpleSyntax) {
    this.#text = text
    this.#syntax = syntax
    this.#closing = this.#has('PRECEDENCE') ? closingBrackets(text, this.#has('ESCAPE')) : new Map()
  }

  #has(flag: keyof typeof SIMPLE_FLAGS): boolean {
    return (this.#syntax.flags & SIMPLE_FLAGS[flag]) !== 0
  }

  /** Reads the text up to `end`. */
  read(start: number, end: number, depth: number): Query | null {
    if (depth > MAX_DEPTH)
      throw new IllegalArgumentError(`brackets are nested more than ${MAX_DEPTH} deep`)
    this.#at = start
    const operands: Operands = { top: null, joined: null, written: null }
    let negations = 0
    while (this.#at < end) {
      const char = this.#text[this.#at]!
      if (char === '-' && this.#has('NOT')) {
        negations++
        this.#at++
        continue
      }
      if (char === '(' && this.#has('PRECEDENCE')) this.#group(operands, negations, end, depth)
      else if (char === ')' && this.#has('PRECEDENCE')) this.#at++
      else if (char === '"' && this.#has('PHRASE')) this.#phrase(operands, negations, end)
      else if (char === '+' && this.#has('AND')) this.#operator(operands, 'must')
      else if (char === '|' && this.#has('OR')) this.#operator(operands, 'should')
      else if (SPACES.includes(char) && this.#has('WHITESPACE')) this.#at++
      else this.#word(operands, negations, end)
      negations = 0
    }
    return operands.top
  }

  #operator(operands: Operands, occur: Occur): void {
    if (operands.top !== null) operands.written ??= occur
    this.#at++
  }

  #group(operands: Operands, negations: number, end: number, depth: number): void {
    const start = this.#at + 1
    const closing = this.#closing.get(this.#at)
    if (closing === undefined || closing >= end) this.#at = start
    else if (closing === start) {
      operands.written = null
      this.#at = start + 1
    } else {
      const query = this.read(start, closing, depth + 1)
      this.#add(operands, query, negations)
      this.#at = closing + 1
    }
  }

  #phrase(operands: Operands, negations: number, end: number): void {
    const start = this.#at + 1
    let text = ''
    let at = start
    for (; at < end; at++) {
      const char = this.#text[at]!
      if (char === '"') break
      if (char === '\\' && this.#has('ESCAPE') && ++at >= end) break
      text += this.#text[at]!
    }
    if (at >= end) {
      this.#at = start
      return
    }
    if (at === start) {
      operands.written = null
      this.#at = start + 1
      return
    }
    this.#at = at
    let slop = 0
    if (this.#text[at + 1] === '~' && at + 1 < end && this.#has('NEAR')) {
      this.#at++
      if (at + 2 < end) slop = this.#number(end)
    }
    this.#add(operands, this.#syntax.queryOf({ kind: 'phrase', text, slop }), negations)
    this.#at++
  }

  #word(operands: Operands, negations: number, end: number): void {
    let text = ''
    let isPrefix = false
    let isFuzzy = false
    while (this.#at < end) {
      let char = this.#text[this.#at]!
      if (char === '\\' && this.#has('ESCAPE')) {
        isPrefix = false
        if (++this.#at >= end) break
        char = this.#text[this.#at]!
      } else if (this.#endsWord(char)) break
      else if (char === '~' && text !== '' && this.#has('FUZZY')) {
        isFuzzy = true
        break
      } else isPrefix = char === '*' && text !== '' && this.#has('PREFIX')
      text += char
      this.#at++
    }
    if (text === '') return
    this.#add(operands, this.#syntax.queryOf(this.#leaf(text, isPrefix, isFuzzy, end)), negations)
  }

  #leaf(text: string, isPrefix: boolean, isFuzzy: boolean, end: number): SimpleLeaf {
    if (isFuzzy) {
      const edits = Math.min(2, this.#number(end))
      return edits === 0 ? { kind: 'words', text } : { kind: 'fuzzy', text, edits: edits as 1 | 2 }
    }
    return isPrefix ? { kind: 'prefix', text: text.slice(0, -1) } : { kind: 'words', text }
  }

  /** The number behind `~`, on which it stands: 2 where there is none, 0 where it is no number. */
  #number(end: number): number {
    const start = ++this.#at
    while (this.#at < end && !this.#endsWord(this.#text[this.#at]!)) this.#at++
    const digits = this.#text.slice(start, this.#at)
    if (digits === '') return 2
    const value = /^[+-]?\d{1,10}$/.test(digits) ? Number(digits) : 0
    return value > 2147483647 ? 0 : Math.max(0, value)
  }

  #endsWord(char: string): boolean {
    switch (char) {
      case '"':
        return this.#has('PHRASE')
      case '|':
        return this.#has('OR')
      case '+':
        return this.#has('AND')
      case '(':
      case ')':
        return this.#has('PRECEDENCE')
    }
    return SPACES.includes(char) && this.#has('WHITESPACE')
  }

  #add(operands: Operands, query: Query | null, negations: number): void {
    if (query !== null) {
      const operand = negations % 2 === 1 ? allBut(query) : query
      if (operands.top === null) operands.top = operand
      else {
        const occur = operands.written ?? (this.#syntax.operator === 'and' ? 'must' : 'should')
        const { top } = operands
        const before: readonly BooleanClause[] =
          operands.joined === occur && top.kind === 'boolean'
            ? top.clauses
            : [{ occur, query: top }]
        const clauses = [...before, { occur, query: operand }]
        operands.top = { kind: 'boolean', clauses, minimumShouldMatch: 0 }
        operands.joined = occur
      }
    }
    operands.written = null
  }
}

function allBut(query: Query): Query {
  const clauses: readonly BooleanClause[] = [
    { occur: 'must_not', query },
    { occur: 'should', query: MATCH_ALL },
  ]
  return { kind: 'boolean', clauses, minimumShouldMatch: 0 }
}

function closingBrackets(text: string, escapes: boolean): Map<number, number> {
  const closing = new Map<number, number>()
  const open: number[] = []
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '\\' && escapes) at++
    else if (char === '(') open.push(at)
    else if (char === ')') {
      const start = open.pop()
      if (start !== undefined) closing.set(start, at)
    }
  }
  return closing
}
