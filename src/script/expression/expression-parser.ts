import { functionNamed } from './expression-functions.ts'
import { position, readTokens } from './expression-lexer.ts'
import {
  type ExpressionNode,
  ExpressionSyntaxError,
  type ExpressionToken,
  type VariablePart,
} from './expression-syntax.ts'

/** How deep an expression may nest: parentheses, operators that stand behind one another, ternaries. */
const MAX_DEPTH = 512

/** Binary operators by rank: the higher bind tighter. */
const RANKS: ReadonlyMap<string, number> = new Map(
  [
    ['||'],
    ['&&'],
    ['|'],
    ['^'],
    ['&'],
    ['==', '!='],
    ['<', '<=', '>', '>='],
    ['<<', '>>', '>>>'],
    ['+', '-'],
    ['*', '/', '%'],
  ].flatMap((operators, rank) => operators.map(operator => [operator, rank] as const)),
)

/**
 * Reads an expression.
 * @throws {ExpressionSyntaxError} it is none, or it nests too deep
 */
export function parseExpression(source: string): ExpressionNode {
  return new Parser(source).whole()
}

class Parser {
  readonly #source: string
  readonly #tokens: readonly ExpressionToken[]
  #next = 0
  #depth = 0

  constructor(source: string) {
    this.#source = source
    this.#tokens = readTokens(source)
  }

  whole(): ExpressionNode {
    const node = this.#choice()
    if (this.#peek().kind !== 'end') throw this.#unexpected()
    return node
  }

  #peek(): ExpressionToken {
    return this.#tokens[this.#next]!
  }

  #accept(operator: string): boolean {
    const { kind, text } = this.#peek()
    if (kind !== 'operator' || text !== operator) return false
    this.#next++
    return true
  }

  #expect(operator: string): void {
    if (!this.#accept(operator)) throw this.#unexpected()
  }

  #unexpected(): ExpressionSyntaxError {
    const { kind, text, offset } = this.#peek()
    if (kind === 'end') return new ExpressionSyntaxError('unexpected end of expression', offset)
    return new ExpressionSyntaxError(
      `unexpected token '${text}' ${position(this.#source, offset)}`,
      offset,
    )
  }

  #enter(): void {
    if (++this.#depth > MAX_DEPTH)
      throw new ExpressionSyntaxError('the expression nests too deep', this.#peek().offset)
  }

  #choice(): ExpressionNode {
    this.#enter()
    const condition = this.#binary(0)
    let node = condition
    if (this.#accept('?')) {
      const then = this.#choice()
      this.#expect(':')
      const otherwise = this.#choice()
      node = { kind: 'choice', condition, then, otherwise, offset: condition.offset }
    }
    this.#depth--
    return node
  }

  #binary(minRank: number): ExpressionNode {
    let left = this.#unary()
    let count = 0
    for (;;) {
      const { kind, text: operator, offset } = this.#peek()
      const rank = kind === 'operator' ? RANKS.get(operator) : undefined
      if (rank === undefined || rank < minRank) break
      this.#next++
      // Each further operator nests what stands before it.
      this.#enter()
      count++
      const right = this.#binary(rank + 1)
      left = { kind: 'binary', operator, left, right, offset }
    }
    this.#depth -= count
    return left
  }

  #unary(): ExpressionNode {
    const { kind, text: operator, offset } = this.#peek()
    if (kind !== 'operator' || !/^[-+!~]$/.test(operator)) return this.#primary()
    this.#enter()
    this.#next++
    const operand = this.#unary()
    this.#depth--
    return { kind: 'unary', operator, operand, offset }
  }

  #primary(): ExpressionNode {
    const token = this.#peek()
    if (token.kind === 'number') {
      this.#next++
      return { kind: 'number', value: numberOf(token.text), offset: token.offset }
    }
    if (token.kind === 'variable') return this.#variable(token)
    if (!this.#accept('(')) throw this.#unexpected()
    const node = this.#choice()
    this.#expect(')')
    return node
  }

  /** A variable, a call of a function, or of a member without arguments. */
  #variable(token: ExpressionToken): ExpressionNode {
    const { text, offset } = token
    this.#next++
    const parts = readParts(text)
    if (!this.#accept('(')) return { kind: 'variable', parts, text: quoted(text), offset }
    const inputs: ExpressionNode[] = []
    if (!this.#accept(')')) {
      do inputs.push(this.#choice())
      while (this.#accept(','))
      this.#expect(')')
    }
    const callee = functionNamed(text)
    if (callee === null) {
      if (inputs.length > 0 || parts.length < 2 || parts.at(-1)!.kind !== 'member')
        throw new ExpressionSyntaxError(`Unrecognized function call (${text}).`, offset)
      const methods = [...parts.slice(0, -1), { ...parts.at(-1)!, kind: 'method' as const }]
      return { kind: 'variable', parts: methods, text: `${quoted(text)}()`, offset }
    }
    if (callee.length !== inputs.length)
      throw new ExpressionSyntaxError(
        `Expected (${callee.length}) arguments for function call (${text}), but found (${inputs.length}).`,
        offset,
      )
    return { kind: 'call', name: text, inputs, offset }
  }
}

/** Decimal, `0x` and octal digits. */
function numberOf(text: string): number {
  if (/^0[xX]/.test(text)) return Number(text)
  return /^0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number(text)
}

const PART = /\.?([A-Za-z_$][A-Za-z0-9_$]*)|\[(?:'((?:\\.|[^\\'])*)'|"((?:\\.|[^\\"])*)"|(\d+))\]/gs

function readParts(text: string): VariablePart[] {
  const parts: VariablePart[] = []
  for (const [, name, single, double, index] of text.matchAll(PART)) {
    const key = single ?? double
    if (name !== undefined) parts.push({ kind: 'member', text: name })
    else if (key !== undefined) parts.push({ kind: 'key', text: key.replace(/\\(.)/gs, '$1') })
    else parts.push({ kind: 'index', text: index ?? '' })
  }
  return parts
}

/** A variable's text with single quotes, as errors show it. */
function quoted(text: string): string {
  return text.replace(
    /"((?:\\.|[^\\"])*)"/gs,
    (_all, key: string) => `'${key.replace(/\\"/g, '"').replace(/'/g, String.raw`\'`)}'`,
  )
}
