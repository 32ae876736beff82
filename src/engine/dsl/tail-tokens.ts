/** Tokens of fields that are derived from texts, as `indexing/token-tail.ts` makes them, with their offsets. */
import type { TokenTail } from '../../schema/field-storage.ts'
import type { QueryToken } from './query-context.ts'
import { shingled } from './query-shingles.ts'

/**
 * The terms that a derived field makes of tokens, in their order.
 * @throws {IllegalArgumentError} too many ways of words in a row start at one position
 */
export function tailTokens<T extends QueryToken>(tokens: readonly T[], tail: TokenTail): T[] {
  if (tail.kind === 'prefixes') return beginnings(tokens, tail.min, tail.max)
  const rows = shingled(tokens, tail.size, tail.kind === 'shingles' ? tail.size : 1)
  const [first, ...others] = rows
  if (first === undefined) return []
  // Positions without a token may come ahead of the first one.
  const lead = first.positionIncrement + (tokens[0]?.positionIncrement ?? 1) - 1
  const placed = [{ ...first, positionIncrement: lead }, ...others]
  return tail.kind === 'shingles' ? placed : beginnings(placed, 1, tail.max)
}

/** The beginnings of tokens' terms of `min` to `max` code points, all of one token at its place. */
function beginnings<T extends QueryToken>(tokens: readonly T[], min: number, max: number): T[] {
  const made: T[] = []
  let increment = 0
  for (const token of tokens) {
    increment += token.positionIncrement
    const points = [...token.term].slice(0, max)
    for (let length = min; length <= points.length; length++) {
      const term = points.slice(0, length).join('')
      made.push({ ...token, term, positionIncrement: increment })
      increment = 0
    }
  }
  return made
}
