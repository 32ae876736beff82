import { ExpressionSyntaxError, type ExpressionToken } from './expression-syntax.ts'

const BLANKS = /[ \t\r\n]*/y
const NUMBER =
  /0[xX][0-9a-fA-F]+|0[0-7]+|(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y
const NAME = '[A-Za-z_$][A-Za-z0-9_$]*'
const KEY = String.raw`\[(?:'(?:\\'|\\\\|[^\\'])*'|"(?:\\"|\\\\|[^\\"])*"|0|[1-9][0-9]*)\]`
/** Names with keys behind them, joined by dots. */
const VARIABLE = new RegExp(`${NAME}(?:${KEY})*(?:\\.${NAME}(?:${KEY})*)*`, 'y')
const OPERATOR = />>>|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%~!<>&|^?:(),]/y

/**
 * The tokens of an expression, `end` last.
 * @throws {ExpressionSyntaxError} a character that begins none
 */
export function readTokens(source: string): ExpressionToken[] {
  const tokens: ExpressionToken[] = []
  let offset = 0
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = offset
    return pattern.exec(source)?.[0] ?? null
  }
  for (;;) {
    offset += take(BLANKS)!.length
    if (offset >= source.length) break
    const token = nextToken(take, offset)
    if (token === null) throw unexpectedCharacter(source, offset)
    tokens.push(token)
    offset += token.text.length
  }
  tokens.push({ kind: 'end', text: '', offset: source.length })
  return tokens
}

function nextToken(
  take: (pattern: RegExp) => string | null,
  offset: number,
): ExpressionToken | null {
  const number = take(NUMBER)
  if (number !== null) return { kind: 'number', text: number, offset }
  const variable = take(VARIABLE)
  if (variable !== null) return { kind: 'variable', text: variable, offset }
  const operator = take(OPERATOR)
  return operator === null ? null : { kind: 'operator', text: operator, offset }
}

function unexpectedCharacter(source: string, offset: number): ExpressionSyntaxError {
  const character = String.fromCodePoint(source.codePointAt(offset)!)
  return new ExpressionSyntaxError(
    `unexpected character '${character}' ${position(source, offset)}`,
    offset,
  )
}

/** `on line (1) position (13)`: lines count from 1, positions from 0. */
export function position(source: string, offset: number): string {
  const before = source.slice(0, offset)
  const line = before.split('\n').length
  return `on line (${line}) position (${offset - before.lastIndexOf('\n') - 1})`
}
