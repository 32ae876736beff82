/** Expressions: parsed once, then bound to the fields and parameters of a context. */
import { type EngineError, type ErrorType, IllegalArgumentError } from '../../util/errors.ts'
import { compileError, linkError } from '../script-exception.ts'
import { toDouble } from '../value/java-numbers.ts'
import type { ScriptValue } from '../value/script-value.ts'
import { bitOperator, complement } from './bit-operators.ts'
import type { ExpressionBindings } from './expression-field.ts'
import { functionNamed } from './expression-functions.ts'
import { parseExpression } from './expression-parser.ts'
import { type ExpressionNode, ExpressionSyntaxError } from './expression-syntax.ts'
import { memberReader, type NumberReader, UnknownMemberError } from './field-members.ts'

type Variable = Extract<ExpressionNode, { kind: 'variable' }>

/** A source that was read. */
export interface Expression {
  readonly source: string
  readonly node: ExpressionNode
}

/**
 * Reads an expression; the result serves any number of bindings.
 * @throws {EngineError} `script_exception` `compile error`
 */
export function readExpression(source: string): Expression {
  try {
    return { source, node: parseExpression(source) }
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error
    throw compileError({
      lang: 'expression',
      source,
      offset: error.offset,
      cause: { type: 'parse_exception', reason: error.message },
    })
  }
}

/**
 * Binds an expression to parameters and a context.
 * @param params their names win over fields
 * @returns the number of the document at hand; it allocates nothing unless integers pass 32 bits
 * @throws {EngineError} `script_exception` `link error`
 */
export function bindExpression(
  { source, node }: Expression,
  params: ReadonlyMap<ScriptValue, ScriptValue>,
  bindings: ExpressionBindings,
): () => number {
  return readerOf(node, variable => bindVariable(variable, params, bindings, source))
}

/**
 * Binds an expression to numbers that change from run to run, as those of bucket paths do.
 * @returns a function of the parameters of one run; it throws an `illegal_argument_exception` for one
 *   that the expression does not name, or that is no number
 */
export function bindToNumbers({
  source,
  node,
}: Expression): (params: ReadonlyMap<ScriptValue, ScriptValue>) => number {
  const slots = new Map<string, { value: number }>()
  const reader = readerOf(node, ({ text }) => {
    const slot = slots.get(text) ?? { value: 0 }
    slots.set(text, slot)
    return () => slot.value
  })
  return params => {
    for (const [name, value] of params) {
      const slot = typeof name === 'string' ? slots.get(name) : undefined
      if (slot === undefined)
        throw new IllegalArgumentError(
          `Error using ${source}. The variable [${String(name)}] does not exist in the executable expressions script.`,
        )
      const number = toDouble(value)
      if (number === null)
        throw new IllegalArgumentError(
          `Error using ${source}. Executable expressions scripts can only process numbers.  The variable [${String(name)}] is not a number.`,
        )
      slot.value = number
    }
    return reader()
  }
}

function bindVariable(
  variable: Variable,
  params: ReadonlyMap<ScriptValue, ScriptValue>,
  bindings: ExpressionBindings,
  source: string,
): NumberReader {
  const fail = (reason: string, type: ErrorType = 'parse_exception'): EngineError =>
    linkError({ lang: 'expression', source, offset: variable.offset, cause: { type, reason } })
  const { parts, text } = variable
  if (params.has(text)) {
    const number = toDouble(params.get(text)!)
    if (number === null) throw fail(`Parameter [${text}] must be a numeric type`)
    return () => number
  }
  if (text === '_score' && bindings.score !== null) return bindings.score
  if (text === '_value' && bindings.value !== null) return bindings.value
  const [root, key, ...rest] = parts
  if (root!.text !== 'doc' || root!.kind !== 'member')
    throw fail(`Unknown variable [${root!.text}]`)
  if (key?.kind !== 'key')
    throw fail("Variable 'doc' must be used with a specific field like: doc['myfield']")
  const field = bindings.field(key.text)
  if (field === 'missing') throw fail(`Field [${key.text}] does not exist in mappings`)
  if (field === 'unusable') throw fail(`Field [${key.text}] must be numeric, date, or geopoint`)
  const behindDate = rest.length === 2 && rest[0]!.kind === 'member' && rest[0]!.text === 'date'
  const member = rest.at(-1) ?? { kind: 'member' as const, text: 'value' }
  const isMethod = member.kind === 'method'
  if (rest.length > (behindDate ? 2 : 1) || !(isMethod || member.kind === 'member'))
    throw fail(
      `Variable [${text}] does not follow an allowed format of either doc['field'] or doc['field'].method()`,
      'illegal_argument_exception',
    )
  try {
    return memberReader(field, key.text, member.text, isMethod, behindDate && field.kind === 'date')
  } catch (error) {
    if (error instanceof UnknownMemberError) throw fail(error.message, 'illegal_argument_exception')
    throw error
  }
}

/** A function that computes a node. */
function readerOf(node: ExpressionNode, bind: (variable: Variable) => NumberReader): NumberReader {
  switch (node.kind) {
    case 'number': {
      const { value } = node
      return () => value
    }
    case 'variable':
      return bind(node)
    case 'call':
      return callReader(
        node.name,
        node.inputs.map(input => readerOf(input, bind)),
      )
    case 'unary':
      return unaryReader(node.operator, readerOf(node.operand, bind))
    case 'binary':
      return binaryReader(node.operator, readerOf(node.left, bind), readerOf(node.right, bind))
    case 'choice': {
      const condition = readerOf(node.condition, bind)
      const then = readerOf(node.then, bind)
      const otherwise = readerOf(node.otherwise, bind)
      return () => (condition() !== 0 ? then() : otherwise())
    }
  }
}

function callReader(name: string, inputs: readonly NumberReader[]): NumberReader {
  const of = functionNamed(name)!
  const [a, b, c, d] = inputs as [NumberReader, NumberReader, NumberReader, NumberReader]
  if (inputs.length === 1) return () => of(a())
  if (inputs.length === 2) return () => of(a(), b())
  return () => of(a(), b(), c(), d())
}

function unaryReader(operator: string, of: NumberReader): NumberReader {
  switch (operator) {
    case '-':
      return () => -of()
    case '!':
      return () => (of() === 0 ? 1 : 0)
    case '~':
      return () => complement(of())
    default:
      return of
  }
}

function binaryReader(operator: string, a: NumberReader, b: NumberReader): NumberReader {
  switch (operator) {
    case '+':
      return () => a() + b()
    case '-':
      return () => a() - b()
    case '*':
      return () => a() * b()
    case '/':
      return () => a() / b()
    case '%':
      return () => a() % b()
    case '<':
      return () => (a() < b() ? 1 : 0)
    case '<=':
      return () => (a() <= b() ? 1 : 0)
    case '>':
      return () => (a() > b() ? 1 : 0)
    case '>=':
      return () => (a() >= b() ? 1 : 0)
    case '==':
      return () => (a() === b() ? 1 : 0)
    case '!=':
      return () => (a() !== b() ? 1 : 0)
    case '&&':
      return () => (a() !== 0 && b() !== 0 ? 1 : 0)
    case '||':
      return () => (a() !== 0 || b() !== 0 ? 1 : 0)
    default: {
      const of = bitOperator(operator)
      return () => of(a(), b())
    }
  }
}
