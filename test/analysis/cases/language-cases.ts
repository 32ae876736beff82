/** Stemmers, letters of languages and language analyzers. */
import { normalizeArabic } from '../../../src/analysis/token-filter/normalization/arabic.ts'
import { TermFilter, type TermFunction } from '../../../src/analysis/token-filter/term-filter.ts'
import { type AnalysisCase, plainChain } from '../../support/analysis-vectors.ts'
import { LUCENE_SPACE_TOKENIZER, SpaceTokenizer } from '../../support/space-tokenizer.ts'
import { variedStrings } from '../../support/varied-strings.ts'

const texts = variedStrings()

export function languageCases(): readonly AnalysisCase[] {
  return [normalization('arabic_normalization', 'arabicNormalization', normalizeArabic)]
}

function normalization(name: string, lucene: string, change: TermFunction): AnalysisCase {
  return {
    name,
    lucene: { chain: { tokenizer: LUCENE_SPACE_TOKENIZER, filters: [{ name: lucene }] } },
    ours: () => {
      const tokenizer = new SpaceTokenizer()
      return plainChain(tokenizer, new TermFilter(tokenizer, change))
    },
    texts: () => texts,
  }
}
