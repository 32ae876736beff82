/** Expressions by precedence climbing; lambdas hold statements, which a subclass parses. */
import type { ArithmeticSign, BinarySign, Expression, UnarySign } from './ast.ts'
import { MAX_CHAIN, OperandParser } from './operand-parser.ts'
import { tooDeep } from './token-cursor.ts'

/** How tight operators bind; those of one strength group from the left. */
const STRENGTH: ReadonlyMap<string, number> = new Map(
  [
    '||',
    '&&',
    '|',
    '^',
    '&',
    '== != === !==',
    'instanceof',
    '< <= > >=',
    '<< >> >>>',
    '=~ ==~',
    '+ -',
    '* / %',
  ].flatMap((signs, i) => signs.split(' ').map(sign => [sign, i + 1] as const)),
)

const ASSIGNMENTS: ReadonlySet<string> = new Set(
  '= += -= *= /= %= <<= >>= >>>= &= ^= |='.split(' '),
)

/** Keywords that begin an operand. */
const WORDS_OF_OPERANDS: ReadonlySet<string> = new Set(['null', 'true', 'false', 'new', 'this'])

/** Reads expressions. */
export abstract class ExpressionParser extends OperandParser {
  /** Reads an expression, assignments included. */
  protected override expression(): Expression {
    return this.cursor.nested(() => this.#assignment())
  }

  #assignment(): Expression {
    const { cursor } = this
    const lambda = this.lambda()
    if (lambda !== null) return lambda
    const left = this.#elvis()
    const { offset } = startOf(left)
    if (cursor.takes('?')) {
      const yes = this.expression()
      cursor.expect(':')
      const no = this.expression()
      return { kind: 'conditional', offset, condition: left, yes, no }
    }
    const token = cursor.peek()
    if (token.kind !== 'sign' || !ASSIGNMENTS.has(token.text)) return left
    cursor.take()
    const sign = token.text === '=' ? null : (token.text.slice(0, -1) as ArithmeticSign)
    return { kind: 'assignment', offset, target: left, sign, value: this.expression() }
  }

  #elvis(): Expression {
    const left = this.#binary(1)
    if (!this.cursor.takes('?:')) return left
    const right = this.cursor.nested(() => this.#elvis())
    return { kind: 'elvis', offset: startOf(left).offset, left, right }
  }

  #binary(strength: number): Expression {
    const { cursor } = this
    let left = this.#unary()
    const { offset } = startOf(left)
    for (let length = 0; ; length++) {
      const token = cursor.peek()
      const found = token.kind === 'sign' || token.kind === 'word' ? STRENGTH.get(token.text) : 0
      if (found === undefined || found < strength || found === 0) return left
      if (length === MAX_CHAIN) throw tooDeep(token.start)
      cursor.take()
      if (token.text === 'instanceof')
        left = { kind: 'instanceof', offset, operand: left, type: this.type() }
      else {
        const right = this.#binary(found + 1)
        left = { kind: 'binary', offset, sign: token.text as BinarySign, left, right }
      }
    }
  }

  #unary(): Expression {
    const { cursor } = this
    const token = cursor.peek()
    if (token.kind === 'sign') {
      const offset = token.start
      switch (token.text) {
        case '++':
        case '--': {
          cursor.take()
          const target = cursor.nested(() => this.operand())
          const sign = token.text === '++' ? '+' : '-'
          return { kind: 'increment', offset, target, sign, isPrefix: true }
        }
        case '-':
          if (cursor.peek(1).kind === 'number') {
            cursor.take()
            const number = cursor.take()
            return this.postfix({ kind: 'number', offset, text: number.text, isNegative: true })
          }
          break
        case '(':
          if (this.#isCast()) return this.#cast()
      }
      if ('!~+-'.includes(token.text)) {
        cursor.take()
        const operand = cursor.nested(() => this.#unary())
        return { kind: 'unary', offset, sign: token.text as UnarySign, operand }
      }
    }
    const target = this.operand()
    if (!cursor.is('++') && !cursor.is('--')) return target
    const sign = cursor.take().text === '++' ? '+' : '-'
    return { kind: 'increment', offset: startOf(target).offset, target, sign, isPrefix: false }
  }

  /** Whether `(T)` with an operand behind it stands here. */
  #isCast(): boolean {
    const { cursor } = this
    const behind = this.behindType(1)
    if (behind === null || !cursor.is(')', behind)) return false
    const isPrimitive = cursor.peek(1).kind === 'word'
    const next = cursor.peek(behind + 1)
    if (next.kind === 'word') return WORDS_OF_OPERANDS.has(next.text)
    if (next.kind !== 'sign') return next.kind !== 'end' && next.kind !== 'index'
    if (next.text === '(' || next.text === '!' || next.text === '~') return true
    return isPrimitive && ['+', '-', '++', '--', '['].includes(next.text)
  }

  #cast(): Expression {
    const { cursor } = this
    const offset = cursor.take().start
    const type = this.type()
    cursor.expect(')')
    const operand = cursor.nested(() => this.#unary())
    return { kind: 'cast', offset, type, operand }
  }
}

/** The beginning of an expression, which a dot, a bracket or an arrow within may follow. */
export function startOf(expression: Expression): Expression {
  let first = expression
  for (;;) {
    if (first.kind === 'dot' || first.kind === 'index' || first.kind === 'method')
      first = first.target
    else return first
  }
}
