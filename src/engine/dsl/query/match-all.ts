import { MATCH_ALL } from '../../../search/query/query.ts'
import { contentError } from '../parse-error.ts'
import type { QueryParser } from './query-parser.ts'

/** `match_all`: every document. */
export const matchAllParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    for (const entry of node.entries)
      if (!read.option(entry)) throw contentError(entry, `[match_all] unknown field [${entry.key}]`)
    const query = MATCH_ALL
    return { field: null, build: () => query }
  },
}
