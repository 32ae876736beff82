/** Indices: closed, and opened again. */

import { plainEnd } from '../../../service/lron/operation.ts'
import { validationFailed } from '../../../util/errors.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { refuseWildcards } from '../../destructive.ts'
import {
  type Answer,
  activeShards,
  answerOrDetach,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { flag, millis } from '../../params.ts'

/** `POST /{index}/_close`. */
export const closeIndex: Endpoint = defineEndpoint({
  routes: [
    ['POST', '/_close'],
    ['POST', '/{index}/_close'],
  ],
  action: 'indices:admin/close',
  params: { ...TARGET_PARAMS, ...MASTER_PARAMS, wait_for_active_shards: activeShards },
  body: 'none',
  async handle({ engine, params, part, context }): Promise<Answer> {
    const target = targetOf(namesOf(part('index')), params, 'open')
    refuseWildcards(engine, target)
    const closed = await engine.indices.close(target, context)
    return {
      json: {
        acknowledged: true,
        // As the real server: with nothing to close there was nothing to wait for.
        shards_acknowledged: closed.length > 0,
        indices: new Map(closed.map((name): [string, JsonRecord] => [name, { closed: true }])),
      },
    }
  },
})

/** `POST /{index}/_open`. */
export const openIndex: Endpoint = defineEndpoint({
  routes: [
    ['POST', '/_open'],
    ['POST', '/{index}/_open'],
  ],
  action: 'indices:admin/open',
  params: {
    ...TARGET_PARAMS,
    ...MASTER_PARAMS,
    wait_for_active_shards: activeShards,
    wait_for_completion: flag,
    // Without effect: nothing of the opening waits for another node.
    task_execution_timeout: millis,
  },
  body: 'none',
  async handle({ engine, services, params, part, context }): Promise<Answer> {
    const target = targetOf(namesOf(part('index')), params, 'closed')
    refuseWildcards(engine, target)
    const call = { target, waitForActiveShards: params.wait_for_active_shards ?? null }
    const waits = params.wait_for_completion ?? true
    const operation = {
      kind: 'open' as const,
      sources: target.names,
      remoteHost: null,
      target: null,
      limitInMillis: null,
    }
    const open = services.lron.watched(operation, !waits, async under => {
      const { shardsAcknowledged } = await engine.indices.open(call, under)
      return {
        answer: { acknowledged: true, shards_acknowledged: shardsAcknowledged },
        end: plainEnd(shardsAcknowledged ? 'complete' : 'timed_out'),
      }
    })
    return { json: await answerOrDetach({ engine, context }, waits, open) }
  },
})

function namesOf(part: string): string {
  if (part === '') throw validationFailed(['index is missing'])
  return part
}
