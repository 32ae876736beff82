/** Token filters by type, but those of languages; a new one is a line in the table of its kind. */
import type { TokenFilterFactory } from '../component.ts'
import { COMPOSED_FILTERS } from './composed-factories.ts'
import { GRAM_FILTERS } from './gram-factories.ts'
import { lowercaseFilter } from './lowercase-filter.ts'
import { PATTERN_FILTERS } from './pattern-factories.ts'
import { SCRIPTED_FILTERS } from './scripted-factories.ts'
import { SELECTION_FILTERS } from './selection-factories.ts'
import { stopFilter } from './stop-filter.ts'
import { SYNONYM_FILTERS } from './synonym-factories.ts'
import { TERM_FILTERS } from './term-factories.ts'
import { WORD_DELIMITER_FILTERS } from './word-delimiter-factories.ts'

/** Type → factory. */
export const TOKEN_FILTERS: ReadonlyMap<string, TokenFilterFactory> = new Map([
  ['lowercase', lowercaseFilter],
  ['stop', stopFilter],
  ...TERM_FILTERS,
  ...SELECTION_FILTERS,
  ...GRAM_FILTERS,
  ...PATTERN_FILTERS,
  ...WORD_DELIMITER_FILTERS,
  ...SYNONYM_FILTERS,
  ...COMPOSED_FILTERS,
  ...SCRIPTED_FILTERS,
])
