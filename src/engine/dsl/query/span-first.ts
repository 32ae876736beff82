import { readInteger } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import type { ParsedQuery } from '../query-context.ts'
import { unknownKey } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'
import { readSpan, spanQuery, spansOf } from './span-clause.ts'

/** `span_first`: spans that end at or before a position. */
export const spanFirstParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let match: ParsedQuery | null = null
    let end: number | null = null
    for (const entry of node.entries) {
      if (read.option(entry)) continue
      if (entry.key === 'match') match = readSpan('span_first', 'match', entry.value, read)
      else if (entry.key === 'end') end = readInteger(entry.value)
      else throw unknownKey('span_first', entry)
    }
    if (match === null) throw parsingError(node, 'span_first must have [match] span query clause')
    if (end === null) throw parsingError(node, 'span_first must have [end] set for it')
    const [inner, limit] = [match, end]
    return {
      field: null,
      build(context) {
        const { field, spans } = spansOf('span_first', [inner], context)
        return spanQuery(field, { kind: 'first', span: spans[0]!, end: limit }, context)
      },
    }
  },
}
