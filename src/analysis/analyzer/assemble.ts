/** Puts the stages of an analyzer together: over bytes where they allow it. */
import { ByteSet } from '../byte-set.ts'
import type { Analyzer } from './analyzer.ts'
import { ByteAnalyzer } from './byte-analyzer.ts'
import { bindFilters } from './chain.ts'
import { ChainAnalyzer, type ChainAnalyzerOptions } from './chain-analyzer.ts'

/**
 * Makes an analyzer.
 * @throws {IllegalArgumentError} a filter that cannot stand where it does
 */
export function assemble(options: ChainAnalyzerOptions): Analyzer {
  const { charFilters, tokenizer } = options.parts
  const makeTokenizer = () => tokenizer.make()
  const before = { charFilters, makeTokenizer, filters: [] }
  const filters = bindFilters(options.parts.filters, before)
  const bound = { ...options, parts: { charFilters, tokenizer, filters } }
  let lowercase = tokenizer.lowercases ?? false
  let words: readonly string[] | null = null
  for (const { fast } of filters) {
    // Stop words before lower case, or two lists, keep their order in the slow chain.
    if (fast === undefined || words !== null) return new ChainAnalyzer(bound)
    if (fast.kind === 'lowercase') lowercase = true
    else words = fast.words
  }
  if (tokenizer.bytes === undefined || charFilters.length > 0) return new ChainAnalyzer(bound)
  const stopwords = words === null || words.length === 0 ? null : new ByteSet(words)
  return new ByteAnalyzer({ ...bound, tokenizer: tokenizer.bytes(), lowercase, stopwords })
}
