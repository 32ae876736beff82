import { termsOnField } from './pattern-on-field.ts'
import type { QueryParser } from './query-parser.ts'
import { type OpenTermOptions, readTermClause, readTermOption } from './term-clause.ts'

/** `wildcard`: documents with a term that a pattern of `*` and `?` matches. */
export const wildcardParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const options: OpenTermOptions = { rewrite: null, ignoresCase: false }
    const { field, text } = readTermClause('wildcard', 'wildcard', node, read, entry =>
      readTermOption(options, entry),
    )
    const pattern = { kind: 'wildcard', text } as const
    return {
      field,
      build: context => termsOnField(field, { kind: 'pattern', pattern, options }, context),
    }
  },
}
