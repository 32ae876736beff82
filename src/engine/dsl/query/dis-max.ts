import { readNumber } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import type { ParsedQuery } from '../query-context.ts'
import { unknownKey } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'

/** `dis_max`: the best of several queries' scores. */
export const disMaxParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let queries: readonly ParsedQuery[] = []
    let tieBreaker = 0
    for (const entry of node.entries) {
      const { key, value } = entry
      if (read.option(entry)) continue
      if (key === 'queries')
        queries = value.kind === 'array' ? value.items.map(read.inner) : [read.inner(value)]
      else if (key === 'tie_breaker') tieBreaker = Math.fround(readNumber(value))
      else throw unknownKey('dis_max', entry)
    }
    if (queries.length === 0)
      throw parsingError(node, "[dis_max] requires 'queries' field with at least one clause")
    return {
      field: null,
      build: context => ({
        kind: 'disMax',
        queries: queries.map(query => query.build(context)),
        tieBreaker,
      }),
    }
  },
}
