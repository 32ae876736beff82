import { readExpansions } from '../match-options.ts'
import type { QueryParser } from './query-parser.ts'
import { readPhraseOption, readTextOnField } from './text-on-field.ts'

/** `match_phrase_prefix`: a phrase whose last word is the start of one. */
export const matchPhrasePrefixParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse: (node, read) =>
    readTextOnField('match_phrase_prefix', 'phrasePrefix', node, read, (match, entry) => {
      if (entry.key !== 'max_expansions') return readPhraseOption(match, entry)
      match.maxExpansions = readExpansions(entry.value)
      return true
    }),
}
