import { matchNone } from '../../../search/query/query.ts'
import { contentError } from '../parse-error.ts'
import type { QueryParser } from './query-parser.ts'

/** `match_none`: no document. */
export const matchNoneParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    for (const entry of node.entries)
      if (!read.option(entry))
        throw contentError(entry, `[match_none] unknown field [${entry.key}]`)
    const query = matchNone('User requested "match_none" query.')
    return { field: null, build: () => query }
  },
}
