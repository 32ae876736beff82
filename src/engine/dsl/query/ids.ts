import { IllegalArgumentError } from '../../../util/errors.ts'
import { idsQuery } from '../field/metadata/ids-query.ts'
import { readTexts } from '../json-scalars.ts'
import { unknownField } from '../parse-error.ts'
import { QUERY_OPTIONS, type QueryParser } from './query-parser.ts'

/** `ids`: documents by `_id`. */
export const idsParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let ids: readonly string[] | null = null
    for (const entry of node.entries) {
      if (read.option(entry)) continue
      if (entry.key === 'values') ids = readTexts(entry.value)
      else throw unknownField(entry, 'ids', ['values', ...QUERY_OPTIONS])
    }
    if (ids === null) throw new IllegalArgumentError('Required [values]')
    const query = idsQuery(ids)
    return { field: null, build: () => query }
  },
}
