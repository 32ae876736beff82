/** The refusals of requests that the node has no time or no connection for. */
import { EngineError } from '../util/errors.ts'
import { type Asked, errorResponse, type RestResponse } from './response.ts'

/** After how many seconds a client that found no place may come again. */
const CONNECTION_RETRY_IN_SECONDS = 1
/** The same of one that was refused for the load, at most. */
const MAX_RETRY_IN_SECONDS = 60
const OVERLOADED =
  'the node is overloaded: requests of this kind would wait for longer than [lamella.admission.deadline]'

/** 429: the request would wait for longer than it may. */
export function overloaded(asked: Asked, waitInMillis: number): RestResponse {
  return withRetry(
    errorResponse(
      asked,
      new EngineError({
        type: 'rejected_execution_exception',
        reason: OVERLOADED,
      }),
    ),
    Math.min(Math.max(1, Math.ceil(waitInMillis / 1000)), MAX_RETRY_IN_SECONDS),
  )
}

/** 503: every connection that is served is busy. */
export function noConnectionLeft(asked: Asked, limit: number): RestResponse {
  return withRetry(
    errorResponse(
      asked,
      new EngineError({
        type: 'rejected_execution_exception',
        reason: `all of the [${limit}] connections that [http.max_connections] allows are busy`,
        status: 503,
      }),
    ),
    CONNECTION_RETRY_IN_SECONDS,
  )
}

function withRetry(response: RestResponse, seconds: number): RestResponse {
  return { ...response, headers: { ...response.headers, 'retry-after': String(seconds) } }
}
