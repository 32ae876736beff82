import { IllegalArgumentError } from '../../../util/errors.ts'
import type { ParsedQuery } from '../query-context.ts'
import { unknownKey } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'
import { readSpan, spanQuery, spansOf } from './span-clause.ts'

/** `span_containing`: big spans that contain a little one. */
export const spanContainingParser: QueryParser = containParser('span_containing', 'containing')

/** `span_within`: little spans within a big one. */
export const spanWithinParser: QueryParser = containParser('span_within', 'within')

function containParser(query: string, kind: 'containing' | 'within'): QueryParser {
  return {
    mustBecomesFilter: 'never',
    parse(node, read) {
      const spans: { big?: ParsedQuery; little?: ParsedQuery } = {}
      for (const entry of node.entries) {
        const { key, value } = entry
        if (read.option(entry)) continue
        if (key !== 'big' && key !== 'little') throw unknownKey(query, entry)
        spans[key] = readSpan(query, key, value, read)
      }
      const { big, little } = spans
      if (big === undefined) throw new IllegalArgumentError('inner clause [big] cannot be null.')
      if (little === undefined)
        throw new IllegalArgumentError('inner clause [little] cannot be null.')
      return {
        field: null,
        build(context) {
          const { field, spans: made } = spansOf(query, [big, little], context)
          return spanQuery(field, { kind, big: made[0]!, little: made[1]! }, context)
        },
      }
    },
  }
}
