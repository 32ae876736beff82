/** Taking words out; the positions that they had stay empty. */
import type { AnalysisStage, Token, TokenStream } from '../analyzer/analyzer.ts'
import { lowerCaseText } from '../analyzer/byte-analyzer.ts'

/** Lucene's English stop words, `_english_`. */
export const ENGLISH_STOP_WORDS: readonly string[] = (
  'a an and are as at be but by for if in into is it no not of on or such that the their then ' +
  'there these they this to was will with'
).split(' ')

/**
 * A stage that takes words out.
 * @param ignoreCase compares lower case with lower case
 */
export function stopStage(
  name: string,
  words: readonly string[],
  ignoreCase: boolean,
): AnalysisStage {
  const set = new Set(ignoreCase ? words.map(lowerCaseText) : words)
  return {
    name,
    run(input: TokenStream): TokenStream {
      const tokens: Token[] = []
      let skipped = 0
      for (const token of input.tokens) {
        if (set.has(ignoreCase ? lowerCaseText(token.term) : token.term)) {
          skipped += token.positionIncrement
          continue
        }
        const positionIncrement = token.positionIncrement + skipped
        tokens.push(skipped === 0 ? token : { ...token, positionIncrement })
        skipped = 0
      }
      return { ...input, tokens, trailingIncrement: input.trailingIncrement + skipped }
    },
  }
}

/** A stage that makes lower case. */
export function lowercaseStage(name: string): AnalysisStage {
  return {
    name,
    run: input => ({
      ...input,
      tokens: input.tokens.map(token => ({ ...token, term: lowerCaseText(token.term) })),
    }),
  }
}
