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
  const space = new RegExp(`${SPACE}*`, 'y')
  let state = DEFAULT
  for (let at = 0; ; ) {
    space.lastIndex = at
    at += space.exec(text)![0].length
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
  let best: Token | null = null
  for (const [kind, pattern] of state) {
    pattern.lastIndex = at
    const image = pattern.exec(text)?.[0]
    if (image !== undefined && image.length > (best?.image.length ?? 0)) best = { kind, image, at }
  }
  return best
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
