import { matchNone } from '../../../search/query/query.ts'
import { unknownField } from '../parse-error.ts'
import { QUERY_OPTIONS, type QueryParser } from './query-parser.ts'

/** `match_none`: no document. */
export const matchNoneParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    for (const entry of node.entries)
      if (!read.option(entry)) throw unknownField(entry, 'match_none', QUERY_OPTIONS)
    const query = matchNone('User requested "match_none" query.')
    return { field: null, build: () => query }
  },
}
