import { MATCH_ALL } from '../../../search/query/query.ts'
import { unknownField } from '../parse-error.ts'
import { QUERY_OPTIONS, type QueryParser } from './query-parser.ts'

/** `match_all`: every document. */
export const matchAllParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    for (const entry of node.entries)
      if (!read.option(entry)) throw unknownField(entry, 'match_all', QUERY_OPTIONS)
    const query = MATCH_ALL
    return { field: null, build: () => query }
  },
}
