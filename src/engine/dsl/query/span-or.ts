import { IllegalArgumentError } from '../../../util/errors.ts'
import { parsingError } from '../parse-error.ts'
import type { ParsedQuery } from '../query-context.ts'
import { unknownKey } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'
import { readSpans, spanQuery, spansOf } from './span-clause.ts'

/** `span_or`: the spans of several queries. */
export const spanOrParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let clauses: readonly ParsedQuery[] | null = null
    for (const entry of node.entries) {
      if (read.option(entry)) continue
      if (entry.key !== 'clauses') throw unknownKey('span_or', entry)
      clauses = readSpans('span_or', entry, read)
    }
    if (clauses === null) throw parsingError(node, 'span_or must include [clauses]')
    if (clauses.length === 0)
      throw new IllegalArgumentError('[span_or] must include at least one clause')
    const parsed = clauses
    return {
      field: null,
      build(context) {
        const { field, spans } = spansOf('span_or', parsed, context)
        return spanQuery(field, { kind: 'or', spans }, context)
      },
    }
  },
}
