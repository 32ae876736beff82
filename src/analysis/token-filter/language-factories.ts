/** Token filters of languages by type: stemmers, normalizations and the like. */
import type { TokenFilterFactory } from '../component.ts'
import { dictionaryDecompounder, hyphenationDecompounder } from './decompounder.ts'
import { hunspell } from './hunspell/filter.ts'
import { NORMALIZATION_FILTERS } from './normalization/factories.ts'
import { STEMMING_FILTERS } from './stemmer/factories.ts'

/** Type → factory. */
export const LANGUAGE_TOKEN_FILTERS: ReadonlyMap<string, TokenFilterFactory> = new Map<
  string,
  TokenFilterFactory
>([
  ...NORMALIZATION_FILTERS,
  ...STEMMING_FILTERS,
  ['dictionary_decompounder', dictionaryDecompounder],
  ['hunspell', hunspell],
  ['hyphenation_decompounder', hyphenationDecompounder],
])
