/** The tree that the parser makes of a source: types are names still, and nothing is resolved. */

/** A type as it is written: `Map.Entry`, with `[]` for each dimension of an array. */
export interface WrittenType {
  readonly text: string
  readonly offset: number
}

/** Signs of operators with two operands. */
export type BinarySign =
  | ArithmeticSign
  | '=~'
  | '==~'
  | '<'
  | '<='
  | '>'
  | '>='
  | '=='
  | '!='
  | '==='
  | '!=='
  | '&&'
  | '||'

/** Signs that have a compound assignment. */
export type ArithmeticSign = '+' | '-' | '*' | '/' | '%' | '<<' | '>>' | '>>>' | '&' | '^' | '|'

/** Signs of operators with one operand. */
export type UnarySign = '!' | '~' | '+' | '-'

/** `offset` is where an error points: of members the dot or bracket, of others their beginning. */
export type Expression = { readonly offset: number } & (
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly text: string; readonly isNegative: boolean }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'regex'; readonly pattern: string; readonly flags: string }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: 'name'; readonly name: string }
  | ({ readonly kind: 'dot' } & Dot)
  | { readonly kind: 'index'; readonly target: Expression; readonly index: Expression }
  | ({ readonly kind: 'method' } & MethodCall)
  | { readonly kind: 'call'; readonly name: string; readonly inputs: readonly Expression[] }
  | { readonly kind: 'new'; readonly type: WrittenType; readonly inputs: readonly Expression[] }
  | ({ readonly kind: 'newArray' } & NewArray)
  | { readonly kind: 'arrayOf'; readonly type: WrittenType; readonly items: readonly Expression[] }
  | { readonly kind: 'unary'; readonly sign: UnarySign; readonly operand: Expression }
  | { readonly kind: 'cast'; readonly type: WrittenType; readonly operand: Expression }
  | ({ readonly kind: 'binary' } & Binary)
  | { readonly kind: 'instanceof'; readonly operand: Expression; readonly type: WrittenType }
  | ({ readonly kind: 'conditional' } & Conditional)
  | { readonly kind: 'elvis'; readonly left: Expression; readonly right: Expression }
  | ({ readonly kind: 'assignment' } & Assignment)
  | ({ readonly kind: 'increment' } & Increment)
  | ({ readonly kind: 'lambda' } & Lambda)
  | ({ readonly kind: 'reference' } & Reference)
)

/** `target.name`; `isNullSafe` for `?.`. */
export interface Dot {
  readonly target: Expression
  readonly name: string
  readonly isNullSafe: boolean
}

/** `target.name(inputs)`. */
export interface MethodCall extends Dot {
  readonly inputs: readonly Expression[]
}

/** `new T[sizes]`: `type` is that of the whole, sizes those of its first dimensions. */
export interface NewArray {
  readonly type: WrittenType
  readonly sizes: readonly Expression[]
}

/** `left sign right`. */
export interface Binary {
  readonly sign: BinarySign
  readonly left: Expression
  readonly right: Expression
}

/** `condition ? yes : no`. */
export interface Conditional {
  readonly condition: Expression
  readonly yes: Expression
  readonly no: Expression
}

/** `target = value`, or `target sign= value`. */
export interface Assignment {
  readonly target: Expression
  readonly sign: ArithmeticSign | null
  readonly value: Expression
}

/** `++target` and its like. */
export interface Increment {
  readonly target: Expression
  readonly sign: '+' | '-'
  readonly isPrefix: boolean
}

/** `(parameters) -> body`; parameters without a type have `null`. */
export interface Lambda {
  readonly parameters: readonly { readonly type: WrittenType | null; readonly name: string }[]
  readonly body: { readonly expression: Expression } | { readonly block: Block }
}

/** `target::method`: the target is a type, a variable or `this`. */
export interface Reference {
  readonly target: WrittenType
  readonly method: string
}

/** Statements between braces. */
export interface Block {
  readonly statements: readonly Statement[]
  readonly offset: number
}

/** `type name = value`. */
export interface Declarator {
  readonly name: string
  readonly value: Expression | null
  readonly offset: number
}

/** A statement; bodies are blocks, those without braces too, and null where nothing stands in them. */
export type Statement = { readonly offset: number } & (
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'declare'; readonly type: WrittenType; readonly names: readonly Declarator[] }
  | ({ readonly kind: 'if' } & If)
  | { readonly kind: 'while'; readonly condition: Expression; readonly body: Block | null }
  | { readonly kind: 'do'; readonly body: Block | null; readonly condition: Expression }
  | ({ readonly kind: 'for' } & For)
  | ({ readonly kind: 'each' } & Each)
  | { readonly kind: 'return'; readonly value: Expression | null }
  | { readonly kind: 'break' }
  | { readonly kind: 'continue' }
  | { readonly kind: 'throw'; readonly value: Expression }
  | { readonly kind: 'try'; readonly body: Block | null; readonly catches: readonly Catch[] }
)

/** `if (condition) body else if (condition) body else otherwise`. */
export interface If {
  readonly branches: readonly Branch[]
  /** Undefined: there is no `else`. */
  readonly otherwise: Block | null | undefined
}

/** One branch of an `if`. */
export interface Branch {
  readonly condition: Expression
  readonly body: Block | null
  readonly offset: number
}

/** `for (first; condition; after) body`. */
export interface For {
  readonly first: Statement | null
  readonly condition: Expression | null
  readonly after: Expression | null
  readonly body: Block | null
}

/** `for (type name : iterable) body`. */
export interface Each {
  readonly type: WrittenType
  readonly name: string
  readonly iterable: Expression
  readonly body: Block | null
}

/** `catch (type name) body`. */
export interface Catch {
  readonly type: WrittenType
  readonly name: string
  readonly body: Block | null
  readonly offset: number
}

/** `returns name(parameters) { body }`. */
export interface FunctionNode {
  readonly returns: WrittenType
  readonly name: string
  readonly parameters: readonly { readonly type: WrittenType; readonly name: string }[]
  readonly body: Block
  readonly offset: number
}

/** A whole source. */
export interface Program {
  readonly functions: readonly FunctionNode[]
  readonly body: Block
}
