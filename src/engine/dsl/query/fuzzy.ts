import { AUTO_FUZZINESS, readFuzziness } from '../fuzziness.ts'
import { readBoolean, readInteger, readText } from '../json-scalars.ts'
import { termsOnField } from './pattern-on-field.ts'
import type { QueryParser } from './query-parser.ts'
import { readTermClause } from './term-clause.ts'

/** `fuzzy`: documents with a term that differs from a text by a few edits. */
export const fuzzyParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let fuzziness = AUTO_FUZZINESS
    let prefixLength = 0
    let maxExpansions = 50
    let transpositions = true
    let rewrite: string | null = null
    const { field, text } = readTermClause('fuzzy', 'term', node, read, ({ key, value }) => {
      if (key === 'fuzziness') fuzziness = readFuzziness(value)
      else if (key === 'prefix_length') prefixLength = readInteger(value)
      else if (key === 'max_expansions') maxExpansions = readInteger(value)
      else if (key === 'transpositions') transpositions = readBoolean(value)
      else if (key === 'rewrite') rewrite = value.kind === 'null' ? null : readText(value)
      else return false
      return true
    })
    const fuzzy = { text, fuzziness, prefixLength, maxExpansions, transpositions, rewrite }
    return { field, build: context => termsOnField(field, { kind: 'fuzzy', fuzzy }, context) }
  },
}
