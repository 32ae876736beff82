import { parsingError } from '../parse-error.ts'
import type { ParsedQuery } from '../query-context.ts'
import { unknownKey } from './field-clause.ts'
import type { QueryParser } from './query-parser.ts'

/** `constant_score`: the documents of a query, each with the same score. */
export const constantScoreParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let filter: ParsedQuery | null = null
    for (const entry of node.entries) {
      if (read.option(entry)) continue
      if (entry.key !== 'filter') throw unknownKey('constant_score', entry)
      if (filter !== null || entry.value.kind === 'array')
        throw parsingError(entry, "[constant_score] accepts only one 'filter' element.")
      filter = read.inner(entry.value)
    }
    if (filter === null) throw parsingError(node, "[constant_score] requires a 'filter' element")
    const inner = filter
    return {
      field: null,
      build: context => ({ kind: 'constantScore', query: inner.build(context) }),
    }
  },
}
