import type {
  Block,
  Branch,
  Catch,
  Declarator,
  Expression,
  FunctionNode,
  Program,
  Statement,
  WrittenType,
} from './ast.ts'
import { ExpressionParser } from './expression-parser.ts'

/**
 * Parses a source.
 * @throws {CompileFault} it breaks the grammar, or nests too deep
 */
export function parsePainless(source: string): Program {
  return new Parser(source).program()
}

/** Reads statements and functions. */
class Parser extends ExpressionParser {
  program(): Program {
    const { cursor } = this
    const functions: FunctionNode[] = []
    while (this.#isFunction()) functions.push(this.#function())
    const statements: Statement[] = []
    while (cursor.peek().kind !== 'end') statements.push(this.#statement())
    return { functions, body: { statements, offset: 0 } }
  }

  #isFunction(): boolean {
    const behind = this.behindType(0)
    return (
      behind !== null && this.cursor.peek(behind).kind === 'name' && this.cursor.is('(', behind + 1)
    )
  }

  #function(): FunctionNode {
    const { cursor } = this
    const offset = cursor.peek().start
    const returns = this.type()
    const name = cursor.name().text
    cursor.expect('(')
    const parameters: { type: WrittenType; name: string }[] = []
    while (!cursor.takes(')')) {
      if (parameters.length > 0) cursor.expect(',')
      parameters.push({ type: this.type(), name: cursor.name().text })
    }
    return { returns, name, parameters, body: this.block(), offset }
  }

  protected override block(): Block {
    const { cursor } = this
    return cursor.nested(() => {
      const offset = cursor.expect('{').start
      const statements: Statement[] = []
      while (!cursor.takes('}')) {
        if (cursor.peek().kind === 'end') throw cursor.unexpected()
        statements.push(this.#statement())
      }
      return { statements, offset }
    })
  }

  #statement(): Statement {
    const { cursor } = this
    const token = cursor.peek()
    const offset = token.start
    if (token.kind === 'word')
      switch (token.text) {
        case 'if':
          return cursor.nested(() => this.#if())
        case 'while':
          cursor.take()
          return { kind: 'while', offset, condition: this.#condition(), body: this.#loopBody() }
        case 'for':
          return this.#for()
        case 'try':
          return this.#try()
      }
    const statement = this.#closedStatement()
    // The last one of a block or script needs no end.
    if (!cursor.takes(';') && !cursor.is('}') && cursor.peek().kind !== 'end')
      throw cursor.unexpected()
    return statement
  }

  /** A statement that a semicolon ends. */
  #closedStatement(): Statement {
    const { cursor } = this
    const token = cursor.peek()
    const offset = token.start
    if (token.kind === 'word')
      switch (token.text) {
        case 'do': {
          cursor.take()
          const body = orNull(this.block())
          cursor.expect('while')
          return { kind: 'do', offset, body, condition: this.#condition() }
        }
        case 'return': {
          cursor.take()
          const isBare = cursor.is(';') || cursor.is('}') || cursor.peek().kind === 'end'
          return { kind: 'return', offset, value: isBare ? null : this.expression() }
        }
        case 'break':
        case 'continue':
          cursor.take()
          return { kind: token.text, offset }
        case 'throw':
          cursor.take()
          return { kind: 'throw', offset, value: this.expression() }
      }
    return this.#isDeclaration() ? this.#declaration() : this.#expressionStatement()
  }

  #expressionStatement(): Statement {
    const { start } = this.cursor.peek()
    return { kind: 'expression', offset: start, expression: this.expression() }
  }

  #isDeclaration(): boolean {
    const behind = this.behindType(0)
    return behind !== null && this.cursor.peek(behind).kind === 'name'
  }

  #declaration(): Statement {
    const { cursor } = this
    const offset = cursor.peek().start
    const type = this.type()
    const names: Declarator[] = []
    do {
      const name = cursor.name()
      const value = cursor.takes('=') ? this.expression() : null
      names.push({ name: name.text, value, offset: name.start })
    } while (cursor.takes(','))
    return { kind: 'declare', offset, type, names }
  }

  #condition(): Expression {
    this.cursor.expect('(')
    const condition = this.expression()
    this.cursor.expect(')')
    return condition
  }

  /** A block, or a statement as one. */
  #body(): Block | null {
    const { cursor } = this
    if (cursor.is('{')) return orNull(this.block())
    const { start } = cursor.peek()
    return cursor.nested(() => ({ statements: [this.#statement()], offset: start }))
  }

  #loopBody(): Block | null {
    return this.cursor.takes(';') ? null : this.#body()
  }

  #if(): Statement {
    const { cursor } = this
    const branches: Branch[] = []
    let otherwise: Block | null | undefined
    // Branches stand side by side, so that a long chain of them is not nested deep.
    do {
      const offset = cursor.take().start
      branches.push({ offset, condition: this.#condition(), body: this.#body() })
      if (!cursor.takes('else')) break
      if (!cursor.is('if')) otherwise = this.#body()
    } while (otherwise === undefined)
    return { kind: 'if', offset: branches[0]!.offset, branches, otherwise }
  }

  #for(): Statement {
    const { cursor } = this
    const offset = cursor.take().start
    cursor.expect('(')
    if (cursor.peek().kind === 'name' && cursor.is('in', 1)) {
      const name = cursor.take()
      cursor.take()
      return this.#each(offset, { text: 'def', offset: name.start }, name.text)
    }
    const behind = this.behindType(0)
    if (behind !== null && cursor.peek(behind).kind === 'name' && cursor.is(':', behind + 1)) {
      const type = this.type()
      const name = cursor.name().text
      cursor.take()
      return this.#each(offset, type, name)
    }
    const first = cursor.is(';')
      ? null
      : this.#isDeclaration()
        ? this.#declaration()
        : this.#expressionStatement()
    cursor.expect(';')
    const condition = cursor.is(';') ? null : this.expression()
    cursor.expect(';')
    const after = cursor.is(')') ? null : this.expression()
    cursor.expect(')')
    return { kind: 'for', offset, first, condition, after, body: this.#loopBody() }
  }

  #each(offset: number, type: WrittenType, name: string): Statement {
    const iterable = this.expression()
    this.cursor.expect(')')
    return { kind: 'each', offset, type, name, iterable, body: this.#body() }
  }

  #try(): Statement {
    const { cursor } = this
    const offset = cursor.take().start
    const body = orNull(this.block())
    const catches: Catch[] = []
    while (cursor.is('catch')) {
      const start = cursor.take().start
      cursor.expect('(')
      const type = this.type()
      const name = cursor.name().text
      cursor.expect(')')
      catches.push({ type, name, body: orNull(this.block()), offset: start })
    }
    if (catches.length === 0) throw cursor.unexpected()
    return { kind: 'try', offset, body, catches }
  }
}

/** A block in which something stands. */
function orNull(block: Block): Block | null {
  return block.statements.length === 0 ? null : block
}
