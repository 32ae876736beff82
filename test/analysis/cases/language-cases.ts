/** Stemmers, letters of languages and language analyzers. */
import { makeChain } from '../../support/analysis-chain.ts'
import type { AnalysisCase } from '../../support/analysis-vectors.ts'
import { languageStrings } from '../../support/language-words.ts'
import { variedStrings } from '../../support/varied-strings.ts'

const LUCENE_TOKENIZER = { name: 'whitespace', args: { maxTokenLen: '1000000' } }
const OUR_TOKENIZER = { type: 'whitespace', max_token_length: '1000000' }

const varied = variedStrings()
const made = new Map<string, readonly string[]>()

/** The varied strings, then those of a language. */
function textsOf(language: string): readonly string[] {
  const before = made.get(language)
  if (before !== undefined) return before
  const texts = [...varied, ...languageStrings(language)]
  made.set(language, texts)
  return texts
}

/** Our filter, Lucene's, language of the words. */
const NORMALIZATIONS = [
  ['arabic_normalization', 'arabicNormalization', 'arabic'],
  ['bengali_normalization', 'bengaliNormalization', 'bengali'],
  ['german_normalization', 'germanNormalization', 'german'],
  ['hindi_normalization', 'hindiNormalization', 'hindi'],
  ['indic_normalization', 'indicNormalization', 'indic'],
  ['persian_normalization', 'persianNormalization', 'persian'],
  ['scandinavian_folding', 'scandinavianFolding', 'scandinavian'],
  ['scandinavian_normalization', 'scandinavianNormalization', 'scandinavian'],
  ['serbian_normalization', 'serbianNormalization', 'serbian'],
  ['sorani_normalization', 'soraniNormalization', 'sorani'],
] as const

export function languageCases(): readonly AnalysisCase[] {
  return NORMALIZATIONS.map(([type, lucene, language]) => ({
    name: type,
    lucene: { chain: { tokenizer: LUCENE_TOKENIZER, filters: [{ name: lucene }] } },
    ours: () => makeChain({ tokenizer: OUR_TOKENIZER, filters: [type] }),
    texts: () => textsOf(language),
  }))
}
