import type { QueryParser } from './query-parser.ts'
import { readPhraseOption, readTextOnField } from './text-on-field.ts'

/** `match_phrase`: the words of a text side by side. */
export const matchPhraseParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse: (node, read) => readTextOnField('match_phrase', 'phrase', node, read, readPhraseOption),
}
