import { readWordsOption } from '../match-options.ts'
import type { QueryParser } from './query-parser.ts'
import { readTextOnField } from './text-on-field.ts'

/** `match_bool_prefix`: words of which the last is the start of one. */
export const matchBoolPrefixParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse: (node, read) =>
    readTextOnField('match_bool_prefix', 'wordsPrefix', node, read, readWordsOption),
}
