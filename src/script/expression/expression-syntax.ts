/** The parts of an expression, and the error of one that cannot be read. */

/** A literal, a variable, a call or an operator over others; offsets are UTF-16 units of the source. */
export type ExpressionNode =
  | { readonly kind: 'number'; readonly value: number; readonly offset: number }
  | {
      readonly kind: 'variable'
      readonly parts: readonly VariablePart[]
      readonly text: string
      readonly offset: number
    }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly inputs: readonly ExpressionNode[]
      readonly offset: number
    }
  | {
      readonly kind: 'unary'
      readonly operator: string
      readonly operand: ExpressionNode
      readonly offset: number
    }
  | {
      readonly kind: 'binary'
      readonly operator: string
      readonly left: ExpressionNode
      readonly right: ExpressionNode
      readonly offset: number
    }
  | {
      readonly kind: 'choice'
      readonly condition: ExpressionNode
      readonly then: ExpressionNode
      readonly otherwise: ExpressionNode
      readonly offset: number
    }

/** A part of a variable such as `doc['f'].date.year` or `doc['f'].min()`. */
export interface VariablePart {
  readonly kind: 'member' | 'method' | 'key' | 'index'
  readonly text: string
}

/** A token. */
export interface ExpressionToken {
  readonly kind: 'number' | 'variable' | 'operator' | 'end'
  readonly text: string
  readonly offset: number
}

/** A source that is no expression. */
export class ExpressionSyntaxError extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.name = 'ExpressionSyntaxError'
    this.offset = offset
  }
}
