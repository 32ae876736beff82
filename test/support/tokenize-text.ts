import type { AnalyzedText } from '../../src/analysis/analyzer/chain.ts'
import { Chain } from '../../src/analysis/analyzer/chain.ts'
import type { Tokenizer } from '../../src/analysis/token-stream.ts'

/** All tokens that a tokenizer cuts a text into. */
export function tokenizeText(tokenizer: Tokenizer, text: string): AnalyzedText {
  const component = { name: 'tokenizer', make: () => tokenizer }
  return new Chain({ charFilters: [], tokenizer: component, filters: [] }).tokens(text)
}
