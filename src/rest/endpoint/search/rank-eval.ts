import type { RankedQuery } from '../../../engine/api/searches.ts'
import { Float64, type JsonRecord } from '../../../util/json/json-value.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { wholeError } from '../../error-body.ts'
import { searchType } from '../../params.ts'

/** `GET|POST [/{index}]/_rank_eval`. */
export const rankEval: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_rank_eval'],
    ['POST', '/_rank_eval'],
    ['GET', '/{index}/_rank_eval'],
    ['POST', '/{index}/_rank_eval'],
  ],
  action: 'indices:data/read/rank_eval',
  params: { ...TARGET_PARAMS, search_type: searchType },
  body: 'json-required',
  async handle({ engine, params, part, body, hasErrorTrace, context }): Promise<Answer> {
    const target = targetOf(part('index'), params, 'open')
    const outcome = await engine.searches.rankEval(
      { target, body: body!, searchType: params.search_type ?? 'query_then_fetch' },
      context,
    )
    const { metric, score, queries, failures } = outcome
    return {
      json: {
        // Of no query that could be run there is no mean.
        metric_score: Number.isNaN(score) ? 'NaN' : new Float64(score),
        details: new Map(queries.map(query => [query.id, printQuery(query, metric)])),
        failures: new Map(
          failures.map(({ id, error }) => [id, { error: wholeError(error, hasErrorTrace) }]),
        ),
      },
    }
  },
})

function printQuery({ score, hits, details }: RankedQuery, metric: string): JsonRecord {
  const unrated = hits.filter(({ rating }) => rating === null)
  return {
    metric_score: new Float64(score),
    unrated_docs: unrated.map(({ hit }) => ({ _index: hit['_index'], _id: hit['_id'] })),
    hits: hits.map(({ hit, rating }) => ({ hit, rating })),
    metric_details: { [metric]: details },
  }
}
