/** The grammar of the query-string language: reads a text into clauses, in Lucene's order. */
import { SyntaxProblem, type Token, type TokenKind, tokensOf, unescaped } from './tokens.ts'

/** How a clause is joined to the one before. */
export type Conjunction = 'none' | 'and' | 'or'

/** A sign in front of a clause. */
export type Sign = 'none' | 'required' | 'prohibited'

/** A clause, with how it takes part. */
export interface Clause {
  readonly conjunction: Conjunction
  readonly sign: Sign
  readonly part: Part
}

/** The content of a clause; `field` is null for the default fields. */
export type Part =
  | { readonly kind: 'group'; readonly clauses: readonly Clause[]; readonly boost: number | null }
  | {
      readonly kind: 'words' | 'prefix' | 'wildcard' | 'regexp'
      readonly field: string | null
      readonly text: string
      readonly boost: number | null
      /** Neighbours that are analysed as one text. */
      readonly isSeveral?: true
    }
  | {
      readonly kind: 'phrase' | 'fuzzy'
      readonly field: string | null
      readonly text: string
      /** Behind `~`; null where none is written. */
      readonly slop: number | null
      readonly boost: number | null
    }
  | {
      readonly kind: 'range'
      readonly field: string | null
      readonly lower: string | null
      readonly upper: string | null
      readonly includesLower: boolean
      readonly includesUpper: boolean
      readonly boost: number | null
    }

/** Brackets within brackets. */
const MAX_DEPTH = 200

/** After these a word is not read as a neighbour of the one before. */
const NOT_A_NEIGHBOUR: ReadonlySet<TokenKind> = new Set([':', '*', 'FUZZY_SLOP', '^', 'AND', 'OR'])

/** Tokens that may begin a clause, as messages list them. */
const EXPECTED = [
  '<BAREOPER>',
  '"("',
  '"*"',
  '<QUOTED>',
  '<TERM>',
  '<PREFIXTERM>',
  '<WILDTERM>',
  '<REGEXPTERM>',
  '"["',
  '"{"',
]

/**
 * Reads a text.
 * @throws {SyntaxProblem} it is not of the language
 */
export function readQueryString(text: string): readonly Clause[] {
  return new Reader(tokensOf(text)).read()
}

class Reader {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  read(): readonly Clause[] {
    const clauses = this.#clauses(null)
    if (this.#kind() !== 'EOF') throw this.#unexpected(['<EOF>'])
    return clauses
  }

  #kind(ahead = 0): TokenKind {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!.kind
  }

  #take(...kinds: readonly TokenKind[]): Token | null {
    const token = this.#tokens[this.#at]!
    if (!kinds.includes(token.kind)) return null
    this.#at++
    return token
  }

  #unexpected(expected: readonly string[]): SyntaxProblem {
    const { kind, image, at } = this.#tokens[this.#at]!
    const name = /^[A-Z_]+$/.test(kind) && !['TO'].includes(kind) ? `<${kind}>` : `"${kind}"`
    const found = kind === 'EOF' ? '"<EOF>"' : `" ${name} "${image} ""`
    const list = expected.map(each => `    ${each} ...\n`).join('')
    return new SyntaxProblem(
      `Encountered ${found} at line 1, column ${at}.\n` +
        `Was expecting${expected.length > 1 ? ' one of' : ''}:\n${list}    `,
    )
  }

  #clauses(field: string | null): readonly Clause[] {
    if (++this.#depth > MAX_DEPTH)
      throw new SyntaxProblem(`brackets are nested more than ${MAX_DEPTH} deep`)
    const clauses: Clause[] = []
    do {
      if (this.#isNeighbour()) clauses.push(this.#neighbours(field))
      else {
        const conjunction = clauses.length === 0 ? 'none' : this.#conjunction()
        clauses.push({ conjunction, sign: this.#sign(), part: this.#part(field) })
      }
    } while (this.#kind() !== 'EOF' && this.#kind() !== ')')
    this.#depth--
    return clauses
  }

  /** Whether a plain word stands here, with nothing behind it that makes it more. */
  #isNeighbour(): boolean {
    return this.#kind() === 'TERM' && !NOT_A_NEIGHBOUR.has(this.#kind(1))
  }

  #neighbours(field: string | null): Clause {
    const words: string[] = []
    do words.push(unescaped(this.#take('TERM')!.image))
    while (this.#isNeighbour())
    const part: Part = {
      kind: 'words',
      field,
      text: words.join(' '),
      boost: null,
      isSeveral: true,
    }
    return { conjunction: 'none', sign: 'none', part }
  }

  #conjunction(): Conjunction {
    if (this.#take('AND') !== null) return 'and'
    return this.#take('OR') === null ? 'none' : 'or'
  }

  #sign(): Sign {
    if (this.#take('+') !== null) return 'required'
    return this.#take('-', 'NOT') === null ? 'none' : 'prohibited'
  }

  #part(outer: string | null): Part {
    let field = outer
    if (this.#kind(1) === ':') {
      const name = this.#take('TERM', '*')
      if (name !== null) {
        field = name.kind === '*' ? '*' : unescaped(name.image)
        this.#at++
      }
    }
    if (this.#take('(') === null) return this.#term(field)
    const clauses = this.#clauses(field)
    if (this.#take(')') === null) throw this.#unexpected(['<AND>', '<OR>', '<NOT>', '")"'])
    return { kind: 'group', clauses, boost: this.#boost() }
  }

  #boost(): number | null {
    if (this.#take('^') === null) return null
    const number = this.#take('NUMBER')
    if (number === null) throw this.#unexpected(['<NUMBER>'])
    return Math.fround(Number(number.image))
  }

  /** `~2`, before or behind the boost. */
  #suffix(): { slop: string | null; boost: number | null } {
    let boost = this.#boost()
    const slop = this.#take('FUZZY_SLOP')?.image ?? null
    if (slop !== null && boost === null) boost = this.#boost()
    return { slop, boost }
  }

  #term(field: string | null): Part {
    const open = this.#take('[', '{')
    if (open !== null) return this.#range(field, open.kind === '[')
    const token = this.#take(
      'TERM',
      '*',
      'PREFIXTERM',
      'WILDTERM',
      'REGEXPTERM',
      'NUMBER',
      'BAREOPER',
      'QUOTED',
    )
    if (token === null) throw this.#unexpected(EXPECTED)
    const { kind, image } = token
    const { slop, boost } = this.#suffix()
    const inside = image.slice(1, -1)
    if (kind === 'QUOTED')
      return { kind: 'phrase', field, text: unescaped(inside), slop: slopOf(slop), boost }
    if (kind === '*' || kind === 'WILDTERM') return { kind: 'wildcard', field, text: image, boost }
    if (kind === 'PREFIXTERM')
      return { kind: 'prefix', field, text: unescaped(image.slice(0, -1)), boost }
    if (kind === 'REGEXPTERM') return { kind: 'regexp', field, text: inside, boost }
    const text = kind === 'BAREOPER' ? image.slice(0, 1) : unescaped(image)
    if (slop !== null) return { kind: 'fuzzy', field, text, slop: slopOf(slop), boost }
    return { kind: 'words', field, text, boost }
  }

  #range(field: string | null, includesLower: boolean): Part {
    const lower = this.#rangeEnd()
    this.#take('TO')
    const upper = this.#rangeEnd()
    const close = this.#take(']', '}')
    if (close === null) throw this.#unexpected(['"]"', '"}"'])
    const includesUpper = close.kind === ']'
    const boost = this.#boost()
    return { kind: 'range', field, lower, upper, includesLower, includesUpper, boost }
  }

  /** Null: open. */
  #rangeEnd(): string | null {
    const token = this.#take('RANGE_GOOP', 'RANGE_QUOTED', 'TO')
    if (token === null) throw this.#unexpected(['"TO"', '<RANGE_QUOTED>', '<RANGE_GOOP>'])
    if (token.kind === 'RANGE_QUOTED') return unescaped(token.image.slice(1, -1))
    return token.image === '*' ? null : unescaped(token.image)
  }
}

/** The number behind a tilde; null where there is none. */
function slopOf(image: string | null): number | null {
  return image === null || image.length === 1 ? null : Number(image.slice(1))
}
