import { readText } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import type { ParsedQuery } from '../query-context.ts'
import { unknownKey } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'
import { readSpan, spanOf, spanQuery } from './span-clause.ts'

/** `field_masking_span`: spans of a field, beside those of another one. */
export const spanMaskingParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let query: ParsedQuery | null = null
    let shown: string | null = null
    for (const entry of node.entries) {
      if (read.option(entry)) continue
      if (entry.key === 'query') query = readSpan('field_masking_span', 'query', entry.value, read)
      else if (entry.key === 'field') shown = readText(entry.value)
      else throw unknownKey('field_masking_span', entry)
    }
    if (query === null)
      throw parsingError(node, 'field_masking_span must have [query] span query clause')
    if (shown === null) throw parsingError(node, 'field_masking_span must have [field] set for it')
    const [inner, name] = [query, shown]
    return {
      field: name,
      build(context) {
        const { field, span } = spanOf(inner, context)
        const target = context.mapping.field(name)?.name ?? context.absentName(name)
        return spanQuery(target, { kind: 'masked', field, shown: target, span }, context)
      },
    }
  },
}
