import { readLooseOption, readWordsOption } from '../match-options.ts'
import type { QueryParser } from './query-parser.ts'
import { readTextOnField } from './text-on-field.ts'

/** `match`: the words of a text. */
export const matchParser: QueryParser = {
  mustBecomesFilter: 'onNumbers',
  parse: (node, read) =>
    readTextOnField(
      'match',
      'words',
      node,
      read,
      (match, entry) => readWordsOption(match, entry) || readLooseOption(match, entry),
    ),
}
