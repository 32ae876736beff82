import type { ParsedAggregations } from '../../dsl/aggregation/aggregation-parser.ts'
import { NO_AGGREGATIONS, parseAggregations } from '../../dsl/aggregation/parse-aggregations.ts'
import type { SearchPart } from '../search-part.ts'
import { checkTopHits } from '../top-hits-plans.ts'

/** `aggs`: buckets and metrics of all matches. The query phase asks the shards. */
export const aggregationsPart: SearchPart<ParsedAggregations> = {
  unasked: NO_AGGREGATIONS,
  keys: { aggs: parseAggregations, aggregations: parseAggregations },
  check: checkTopHits,
  print(_asked, { aggregations }, to) {
    if (aggregations !== null) to['aggregations'] = aggregations
  },
}
