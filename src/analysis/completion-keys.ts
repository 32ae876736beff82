/**
 * The keys that a text is found by as a completion: its tokens one behind the other, with separators
 * between them, along each way through the graph that they make. An input and the beginning of one are
 * analysed alike.
 */
import type { Analyzer } from './analyzer/analyzer.ts'
import { type GraphPath, TokenGraph } from './token-graph.ts'
import type { TokenState } from './token-stream.ts'

/** Max ways through the tokens of one text. */
const MAX_WAYS = 10_000

/** Stands between two tokens, and for each position without one. */
const SEPARATOR = '\u001f'

/** How tokens become keys. */
export interface CompletionKeyOptions {
  readonly preservesSeparators: boolean
  /** Whether a position without a token has a separator of its own. */
  readonly preservesIncrements: boolean
}

/** The keys of a text, each once; none where it has no token. */
export function completionKeys(
  analyzer: Analyzer,
  text: string,
  options: CompletionKeyOptions,
): readonly string[] {
  const { tokens, trailingIncrement } = analyzer.tokens(text)
  const holes = options.preservesIncrements ? trailingIncrement : 0
  const [first] = tokens
  if (first === undefined) return []
  const keys = waysThrough(tokens).map(way => keyOf(way, holes, options))
  return keys.length === 1 ? keys : [...new Set(keys)]
}

function waysThrough(tokens: readonly TokenState[]): readonly GraphPath<TokenState>[] {
  const isLine = tokens.every(token => token.positionIncrement > 0 && token.positionLength === 1)
  if (isLine) return [{ tokens, gaps: tokens.map(token => token.positionIncrement - 1) }]
  return new TokenGraph(tokens).paths(null, MAX_WAYS).slice(0, MAX_WAYS)
}

/** @param trailing positions without a token behind the last one */
function keyOf(
  { tokens, gaps }: GraphPath<TokenState>,
  trailing: number,
  { preservesSeparators, preservesIncrements }: CompletionKeyOptions,
): string {
  if (!preservesSeparators) return tokens.map(({ term }) => term).join('')
  let key = ''
  for (const [i, { term }] of tokens.entries()) {
    if (i > 0) key += SEPARATOR
    if (preservesIncrements) key += SEPARATOR.repeat(gaps[i]!)
    key += term
  }
  return key + SEPARATOR.repeat(trailing)
}
