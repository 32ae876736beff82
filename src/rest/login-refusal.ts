import type { Refusal } from '../service/security/security-service.ts'
import { EngineError } from '../util/errors.ts'
import type { Answer } from './endpoint.ts'
import { type Asked, errorResponse, type RestResponse, respond } from './response.ts'

/** Tells a client how to say who it is. */
const CHALLENGE = { 'www-authenticate': 'Basic realm="OpenSearch Security"' }

/** By refusal. */
const ANSWERS: Readonly<Record<Exclude<Refusal, 'impersonation'>, Answer>> = {
  unauthorized: { status: 401, text: 'Unauthorized', headers: CHALLENGE },
  'no-token': {
    status: 401,
    text: '',
    headers: { 'www-authenticate': 'Bearer realm="OpenSearch Security"' },
  },
  blocked: { status: 401, text: 'Authentication finally failed' },
  'not-initialized': { status: 503, text: 'OpenSearch Security not initialized.' },
}

const NOTHING_GIVEN: ReadonlyMap<string, string> = new Map()

/** The response to a request that is not let in; it says nothing of what was asked for. */
export function refusalOf(refusal: Refusal, asked: Asked): RestResponse {
  if (refusal !== 'impersonation') return respond(asked, ANSWERS[refusal], NOTHING_GIVEN)
  return errorResponse(
    asked,
    new EngineError({
      type: 'security_exception',
      reason: 'no user may act in the name of another',
    }),
  )
}
