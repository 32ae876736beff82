import { IllegalArgumentError } from '../../../util/errors.ts'
import { readInteger } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import type { ParsedQuery } from '../query-context.ts'
import { unknownKey } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'
import { readSpan, spanQuery, spansOf } from './span-clause.ts'

/** `span_not`: spans that no other one is near. */
export const spanNotParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const spans: { include?: ParsedQuery; exclude?: ParsedQuery } = {}
    const numbers: { dist?: number; pre?: number; post?: number } = {}
    for (const entry of node.entries) {
      const { key, value } = entry
      if (read.option(entry)) continue
      if (key === 'include' || key === 'exclude')
        spans[key] = readSpan('span_not', key, value, read)
      else if (key === 'dist' || key === 'pre' || key === 'post') numbers[key] = readInteger(value)
      else throw unknownKey('span_not', entry)
    }
    const { include, exclude } = spans
    if (include === undefined)
      throw parsingError(node, 'span_not must have [include] span query clause')
    if (exclude === undefined)
      throw parsingError(node, 'span_not must have [exclude] span query clause')
    if (numbers.dist !== undefined && (numbers.pre !== undefined || numbers.post !== undefined))
      throw new IllegalArgumentError('span_not can either use [dist] or [pre] & [post] (or none)')
    const pre = Math.max(0, numbers.dist ?? numbers.pre ?? 0)
    const post = Math.max(0, numbers.dist ?? numbers.post ?? 0)
    return {
      field: null,
      build(context) {
        const { field, spans: made } = spansOf('span_not', [include, exclude], context)
        return spanQuery(
          field,
          {
            kind: 'not',
            include: made[0]!,
            exclude: made[1]!,
            pre,
            post,
          },
          context,
        )
      },
    }
  },
}
