import { readInteger, readText } from '../json-scalars.ts'
import { termsOnField } from './pattern-on-field.ts'
import type { QueryParser } from './query-parser.ts'
import {
  ALL_FLAGS,
  checkRegexLength,
  DEFAULT_MAX_STATES,
  flagBits,
  flagsOf,
} from './regexp-limits.ts'
import { type OpenTermOptions, readTermClause, readTermOption } from './term-clause.ts'

/** `regexp`: documents with a term that a regular expression matches as a whole. */
export const regexpParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const options: OpenTermOptions = { rewrite: null, ignoresCase: false }
    let operators = ALL_FLAGS
    let maxStates = DEFAULT_MAX_STATES
    const { field, text } = readTermClause('regexp', null, node, read, entry => {
      if (readTermOption(options, entry)) return true
      const { key, value } = entry
      if (key === 'flags') operators = value.kind === 'null' ? ALL_FLAGS : flagsOf(readText(value))
      else if (key === 'flags_value') operators = flagBits(readInteger(value))
      else if (key === 'max_determinized_states') maxStates = readInteger(value)
      else return false
      return true
    })
    const pattern = { kind: 'regexp', text, operators, maxStates } as const
    return {
      field,
      build(context) {
        checkRegexLength(text, 'Regexp Query request', context)
        return termsOnField(field, { kind: 'pattern', pattern, options }, context)
      },
    }
  },
}
