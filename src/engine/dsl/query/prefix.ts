import { termsOnField } from './pattern-on-field.ts'
import type { QueryParser } from './query-parser.ts'
import { type OpenTermOptions, readTermClause, readTermOption } from './term-clause.ts'

/** `prefix`: documents with a term that starts with a text. */
export const prefixParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const options: OpenTermOptions = { rewrite: null, ignoresCase: false }
    const { field, text } = readTermClause('prefix', null, node, read, entry =>
      readTermOption(options, entry),
    )
    return {
      field,
      build: context => termsOnField(field, { kind: 'prefix', text, options }, context),
    }
  },
}
