/** Cuts text by a regular expression: between its matches, or at one of its groups. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { Token, TokenStream } from '../analyzer/analyzer.ts'
import { Matcher } from '../pattern/matcher.ts'
import { compilePattern } from '../pattern/pattern-program.ts'

/** What patterns are when none is given: all that is no word character parts tokens. */
export const DEFAULT_PATTERN = '\\W+'

/**
 * A tokenizer function.
 * @param group −1: tokens are what lies between matches; 0 or more: that group of each match
 * @throws {IllegalArgumentError} a bad pattern, flag or group
 */
export function patternTokenizer(
  pattern: string,
  flags: string,
  group: number,
): (text: string) => TokenStream {
  const program = compilePattern(pattern, flags)
  if (group > program.groupCount)
    throw new IllegalArgumentError(
      `invalid group specified: pattern only has: ${program.groupCount} capturing groups`,
    )
  const matcher = new Matcher(program)
  return text => {
    const tokens: Token[] = []
    const add = (startOffset: number, endOffset: number): void => {
      if (endOffset > startOffset)
        tokens.push({
          term: text.slice(startOffset, endOffset),
          startOffset,
          endOffset,
          type: 'word',
          positionIncrement: 1,
          positionLength: 1,
        })
    }
    matcher.reset(text)
    const { groups } = matcher
    let last = 0
    let from = 0
    while (from <= text.length && matcher.find(from)) {
      const start = groups[0]!
      const end = groups[1]!
      if (group < 0) {
        add(last, start)
        last = end
      } else if (groups[2 * group]! >= 0) add(groups[2 * group]!, groups[2 * group + 1]!)
      // An empty match makes the next search start one character on.
      from = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1)
    }
    if (group < 0) add(last, text.length)
    return { tokens, trailingIncrement: 0, endOffset: text.length }
  }
}
