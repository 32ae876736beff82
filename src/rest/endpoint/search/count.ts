import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { decimal, flag, integer, list, searchPreference } from '../../params.ts'
import { present } from './search.ts'
import { URL_QUERY_PARAMS, withUrlQuery } from './url-query.ts'

/** `GET|POST [/{index}]/_count`. */
export const count: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_count'],
    ['POST', '/_count'],
    ['GET', '/{index}/_count'],
    ['POST', '/{index}/_count'],
  ],
  action: 'indices:data/read/search',
  params: {
    ...TARGET_PARAMS,
    ...URL_QUERY_PARAMS,
    min_score: decimal,
    terminate_after: integer,
    routing: list,
    preference: searchPreference,
    ignore_throttled: flag,
  },
  body: 'json',
  async handle({ engine, params, part, body, context }): Promise<Answer> {
    const options = present({
      minScore: params.min_score,
      terminateAfter: params.terminate_after,
      routing: params.routing,
      preference: params.preference,
    })
    const outcome = await engine.searches.count(
      {
        target: targetOf(part('index'), params, 'open'),
        body: withUrlQuery(body, params),
        options,
      },
      context,
    )
    const { total, successful, skipped, failed } = outcome.shards
    return {
      json: {
        count: outcome.count,
        terminated_early: outcome.terminatedEarly ?? undefined,
        _shards: { total, successful, skipped, failed },
      },
    }
  },
})
