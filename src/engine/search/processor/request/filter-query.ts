import { jsonOfValue } from '../../../../script/value/write-value.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import { jsonValueOf } from '../../../../util/json/json-writer.ts'
import { parseQuery } from '../../../dsl/query/parse-query.ts'
import type { RequestProcessorType } from '../search-processor.ts'
import { nodeOf, sourceKey, withSourceKey } from '../search-source.ts'

/** `filter_query`: the matches of the search's query that meet another one. */
export const FILTER_QUERY: RequestProcessorType = {
  name: 'filter_query',
  parse(config) {
    const given = config.optionalMap('query')
    if (given === null)
      throw new IllegalArgumentError(
        'Did not specify the query property in processor of type filter_query',
      )
    const filter = jsonOfValue(given)
    parseQuery(nodeOf(filter))
    return call => {
      const query = sourceKey(call, 'query')
      const must = query === null ? {} : { must: [jsonValueOf(query)] }
      return withSourceKey(call, 'query', { bool: { ...must, filter: [filter] } })
    }
  },
}
