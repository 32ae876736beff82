/** Operands: literals, names, calls, members, lambdas. */
import type { Block, Expression, Lambda, WrittenType } from './ast.ts'
import type { Token } from './lexer.ts'
import { tooDeep } from './token-cursor.ts'
import { PRIMITIVES, TypeParser } from './type-parser.ts'

/** How many operators of one chain may follow one another: the tree of a chain is as high. */
export const MAX_CHAIN = 1000

/** Reads operands. */
export abstract class OperandParser extends TypeParser {
  /** Reads statements between braces. */
  protected abstract block(): Block

  /** Reads an expression, assignments included. */
  protected abstract expression(): Expression

  /** Reads an operand with the members that are asked of it. */
  protected operand(): Expression {
    return this.postfix(this.#primary())
  }

  /** Reads a lambda; null: none stands here. */
  protected lambda(): Expression | null {
    const { cursor } = this
    const first = cursor.peek()
    if (first.kind === 'name' && cursor.is('->', 1)) {
      cursor.take()
      return this.#lambdaBody(first, [{ type: null, name: first.text }])
    }
    if (!cursor.is('(') || !this.#areParameters()) return null
    cursor.take()
    const parameters: { type: WrittenType | null; name: string }[] = []
    while (!cursor.takes(')')) {
      if (parameters.length > 0) cursor.expect(',')
      const hasType = !(cursor.is(',', 1) || cursor.is(')', 1))
      const type = hasType ? this.type() : null
      parameters.push({ type, name: cursor.name().text })
    }
    return this.#lambdaBody(first, parameters)
  }

  #lambdaBody(first: Token, parameters: Lambda['parameters']): Expression {
    const { cursor } = this
    cursor.expect('->')
    const body = cursor.is('{') ? { block: this.block() } : { expression: this.expression() }
    return { kind: 'lambda', offset: first.start, parameters, body }
  }

  /** Whether `(…) ->` stands here, with nothing but names and types within. */
  #areParameters(): boolean {
    const { cursor } = this
    for (let i = 1; ; i++) {
      const token = cursor.peek(i)
      if (token.kind === 'name' || (token.kind === 'word' && PRIMITIVES.has(token.text))) continue
      if (token.kind !== 'sign') return false
      if (token.text === ')') return cursor.is('->', i + 1)
      if (!',.[]'.includes(token.text)) return false
    }
  }

  #primary(): Expression {
    const { cursor } = this
    const token = cursor.peek()
    const offset = token.start
    switch (token.kind) {
      case 'number':
        cursor.take()
        return { kind: 'number', offset, text: token.text, isNegative: false }
      case 'string':
        cursor.take()
        return { kind: 'string', offset, value: token.text }
      case 'regex':
        cursor.take()
        return { kind: 'regex', offset, pattern: token.text, flags: token.flags }
      case 'name':
        return this.#nameOrReference()
      case 'word':
        return this.#word(token)
      case 'sign':
        if (token.text === '(') {
          cursor.take()
          const inner = this.expression()
          cursor.expect(')')
          return inner
        }
        if (token.text === '[') return this.#initializer()
    }
    throw cursor.unexpected()
  }

  #word(token: Token): Expression {
    const { cursor } = this
    const offset = token.start
    switch (token.text) {
      case 'null':
        cursor.take()
        return { kind: 'null', offset }
      case 'true':
      case 'false':
        cursor.take()
        return { kind: 'boolean', offset, value: token.text === 'true' }
      case 'new':
        return this.#new()
      case 'this':
        if (cursor.is('::', 1)) return this.#reference(cursor.take())
    }
    const behind = PRIMITIVES.has(token.text) ? this.behindType(0) : null
    if (behind !== null && cursor.is('::', behind)) return this.#reference(token)
    throw cursor.unexpected()
  }

  #nameOrReference(): Expression {
    const { cursor } = this
    const behind = this.behindType(0)
    if (behind !== null && cursor.is('::', behind)) return this.#reference(cursor.peek())
    const { text, start } = cursor.take()
    if (!cursor.is('(')) return { kind: 'name', offset: start, name: text }
    return { kind: 'call', offset: start, name: text, inputs: this.#inputs() }
  }

  #reference(first: Token): Expression {
    const { cursor } = this
    const target = first.text === 'this' ? { text: 'this', offset: first.start } : this.type()
    cursor.expect('::')
    const method = cursor.is('new') ? cursor.take() : cursor.name()
    return { kind: 'reference', offset: first.start, target, method: method.text }
  }

  #new(): Expression {
    const { cursor } = this
    const offset = cursor.take().start
    const name = this.typeName()
    if (cursor.is('(')) return { kind: 'new', offset, type: name, inputs: this.#inputs() }
    if (!cursor.is('[')) throw cursor.unexpected()
    if (cursor.is(']', 1)) {
      cursor.take()
      cursor.take()
      const type = { text: `${name.text}[]`, offset: name.offset }
      return { kind: 'arrayOf', offset, type, items: this.#listOf('{', '}') }
    }
    const sizes: Expression[] = []
    while (cursor.takes('[')) {
      sizes.push(this.expression())
      cursor.expect(']')
    }
    const type = { text: name.text + '[]'.repeat(sizes.length), offset: name.offset }
    return { kind: 'newArray', offset, type, sizes }
  }

  #initializer(): Expression {
    const { cursor } = this
    const offset = cursor.take().start
    if (cursor.takes(':')) {
      cursor.expect(']')
      return { kind: 'map', offset, entries: [] }
    }
    if (cursor.takes(']')) return { kind: 'list', offset, items: [] }
    const first = this.expression()
    if (!cursor.is(':')) {
      const items = [first]
      while (cursor.takes(',')) items.push(this.expression())
      cursor.expect(']')
      return { kind: 'list', offset, items }
    }
    cursor.take()
    const entries: [Expression, Expression][] = [[first, this.expression()]]
    while (cursor.takes(',')) {
      const key = this.expression()
      cursor.expect(':')
      entries.push([key, this.expression()])
    }
    cursor.expect(']')
    return { kind: 'map', offset, entries }
  }

  /** Reads the members that are asked of an operand. */
  protected postfix(primary: Expression): Expression {
    const { cursor } = this
    let target = primary
    for (let length = 0; ; length++) {
      const token = cursor.peek()
      if (token.kind !== 'sign') return target
      if (length === MAX_CHAIN) throw tooDeep(token.start)
      const offset = token.start
      if (token.text === '.' || token.text === '?.') {
        cursor.take()
        const member = cursor.take()
        if (member.kind !== 'name' && member.kind !== 'index') throw cursor.unexpected(member)
        const dot = { target, name: member.text, isNullSafe: token.text === '?.', offset }
        if (member.kind === 'name' && cursor.is('('))
          target = { kind: 'method', ...dot, inputs: this.#inputs() }
        else target = { kind: 'dot', ...dot }
      } else if (token.text === '[') {
        cursor.take()
        target = { kind: 'index', offset, target, index: this.expression() }
        cursor.expect(']')
      } else return target
    }
  }

  #inputs(): Expression[] {
    return this.#listOf('(', ')')
  }

  #listOf(open: string, close: string): Expression[] {
    const { cursor } = this
    cursor.expect(open)
    const items: Expression[] = []
    if (cursor.takes(close)) return items
    do items.push(this.expression())
    while (cursor.takes(','))
    cursor.expect(close)
    return items
  }
}
