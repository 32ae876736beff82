/**
 * The words of the query-string language, as Lucene's parser cuts them: the longest one wins, and of
 * equally long ones the first of the list.
 */

/** A kind of token, as messages name it. */
export type TokenKind =
  | 'AND'
  | 'OR'
  | 'NOT'
  | '+'
  | '-'
  | 'BAREOPER'
  | '('
  | ')'
  | ':'
  | '*'
  | '^'
  | 'QUOTED'
  | 'TERM'
  | 'FUZZY_SLOP'
  | 'PREFIXTERM'
  | 'WILDTERM'
  | 'REGEXPTERM'
  | '['
  | '{'
  | 'NUMBER'
  | 'TO'
  | ']'
  | '}'
  | 'RANGE_QUOTED'
  | 'RANGE_GOOP'
  | 'EOF'

/** A token; `at` counts UTF-16 units from 0. */
export interface Token {
  readonly kind: TokenKind
  readonly image: string
  readonly at: number
}

/** A text that is not of the language; the message is Lucene's. */
export class SyntaxProblem extends Error {}

const START = String.raw`(?:[^ \t\n\r\u3000+\-!():^[\]"{}~*?\\/]|\\[^])`
const PART = `(?:${START}|[+-])`
const SPACE = String.raw`[ \t\n\r\u3000]`
const SPACES = new RegExp(`${SPACE}*`, 'y')

type Rule = readonly [TokenKind, RegExp]

function rules(given: readonly (readonly [TokenKind, string])[]): readonly Rule[] {
  return given.map(([kind, source]) => [kind, new RegExp(source, 'y')])
}

const DEFAULT = rules([
  ['AND', 'AND|&&'],
  ['OR', String.raw`OR|\|\|`],
  ['NOT', 'NOT|!'],
  ['+', String.raw`\+`],
  ['-', '-'],
  ['BAREOPER', `[+\\-!]${SPACE}`],
  ['(', String.raw`\(`],
  [')', String.raw`\)`],
  [':', ':'],
  ['*', String.raw`\*`],
  ['^', String.raw`\^`],
  ['QUOTED', String.raw`"(?:[^"\\]|\\[^])*"`],
  ['TERM', `${START}${PART}*`],
  ['FUZZY_SLOP', String.raw`~(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)?`],
  ['PREFIXTERM', String.raw`${START}${PART}*\*`],
  ['WILDTERM', `(?:${START}|[*?])(?:${PART}|[*?])*`],
  ['REGEXPTERM', String.raw`/(?:\\/|[^/])*/`],
  ['[', String.raw`\[`],
  ['{', String.raw`\{`],
])
const BOOST = rules([['NUMBER', String.raw`[0-9]+(?:\.[0-9]+)?`]])
const RANGE = rules([
  ['TO', 'TO'],
  [']', String.raw`\]`],
  ['}', String.raw`\}`],
  ['RANGE_QUOTED', String.raw`"(?:[^"\\]|\\[^])+"`],
  ['RANGE_GOOP', String.raw`[^ \]}]+`],
])

/**
 * Cuts a text into tokens; the last one is `EOF`.
 * @throws {SyntaxProblem} something that begins no token
 */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let state = DEFAULT
  for (let at = 0; ; ) {
    at = endOf(SPACES, text, at)
    if (at >= text.length) break
    const found = longest(state, text, at)
    if (found === null) throw lexicalError(text, at)
    tokens.push(found)
    at += found.image.length
    if (found.kind === '^') state = BOOST
    else if (found.kind === '[' || found.kind === '{') state = RANGE
    else if (state !== RANGE || found.kind === ']' || found.kind === '}') state = DEFAULT
  }
  tokens.push({ kind: 'EOF', image: '', at: text.length })
  return tokens
}

function longest(state: readonly Rule[], text: string, at: number): Token | null {
  let kind: TokenKind = 'EOF'
  let end = at
  for (const rule of state) {
    const found = endOf(rule[1], text, at)
    if (found <= end) continue
    end = found
    kind = rule[0]
  }
  return end === at ? null : { kind, image: text.slice(at, end), at }
}

/** Where a sticky pattern's match ends that begins at a place; 0: it has none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : 0
}

/** An open quote or expression runs to the end; anything else stops where it stands. */
function lexicalError(text: string, at: number): SyntaxProblem {
  const isOpen = text[at] === '"' || text[at] === '/' || text[at] === '\\'
  const column = isOpen ? text.length : at
  const encountered = isOpen ? '<EOF>' : `"${text[at]}" (${text.charCodeAt(at)}),`
  const after = isOpen ? text.slice(at) : ''
  return new SyntaxProblem(
    `Lexical error at line 1, column ${column + 1}.  Encountered: ${encountered} after : "${after
      .replaceAll('\\', '\\\\')
      .replaceAll('"', '\\"')}"`,
  )
}

/**
 * A text without its escapes: `\x` is x, `\u0041` the code unit.
 * @throws {SyntaxProblem} an escape that ends nowhere
 */
export function unescaped(text: string): string {
  return text.replace(/\\(u([0-9A-Fa-f]{4})|u|.|$)/gs, (_, taken: string, hex?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    if (taken === '') throw new SyntaxProblem('Term can not end with escape character.')
    if (taken === 'u') throw new SyntaxProblem('Non-hex character in Unicode escape sequence')
    return taken
  })
}
