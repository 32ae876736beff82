/** Refresh, flush and forced merges. */

import { plainEnd } from '../../../service/lron/operation.ts'
import { validationFailed } from '../../../util/errors.ts'
import {
  type Answer,
  answerOrDetach,
  defineEndpoint,
  type Endpoint,
  type Route,
  shardsOf,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { flag, integer } from '../../params.ts'

/** `GET|POST [/{index}]/_refresh`. */
export const refresh: Endpoint = defineEndpoint({
  routes: routesOf('_refresh'),
  action: 'indices:admin/refresh',
  params: TARGET_PARAMS,
  body: 'none',
  async handle({ engine, params, part, context }): Promise<Answer> {
    const counts = await engine.indices.refresh(targetOf(part('index'), params, 'open'), context)
    return { json: { _shards: shardsOf(counts) } }
  },
})

/** `GET|POST [/{index}]/_flush`. */
export const flush: Endpoint = defineEndpoint({
  routes: routesOf('_flush'),
  action: 'indices:admin/flush',
  params: { ...TARGET_PARAMS, force: flag, wait_if_ongoing: flag },
  body: 'none',
  async handle({ engine, params, part, context }): Promise<Answer> {
    const force = params.force ?? false
    const waitIfOngoing = params.wait_if_ongoing ?? true
    if (force && !waitIfOngoing) {
      throw validationFailed(['wait_if_ongoing must be true for a force flush'])
    }
    const target = targetOf(part('index'), params, 'open')
    const counts = await engine.indices.flush({ target, force, waitIfOngoing }, context)
    return { json: { _shards: shardsOf(counts) } }
  },
})

/** `POST [/{index}]/_forcemerge`. */
export const forceMerge: Endpoint = defineEndpoint({
  routes: [
    ['POST', '/_forcemerge'],
    ['POST', '/{index}/_forcemerge'],
  ],
  action: 'indices:admin/forcemerge',
  params: {
    ...TARGET_PARAMS,
    max_num_segments: integer,
    only_expunge_deletes: flag,
    flush: flag,
    primary_only: flag,
    wait_for_completion: flag,
  },
  body: 'none',
  async handle({ engine, services, params, part, context }): Promise<Answer> {
    const most = params.max_num_segments ?? -1
    const onlyExpungeDeletes = params.only_expunge_deletes ?? false
    const call = {
      target: targetOf(part('index'), params, 'open'),
      maxSegmentCount: most > 0 ? most : null,
      onlyExpungeDeletes,
      flush: params.flush ?? true,
      primaryOnly: params.primary_only ?? false,
    }
    const waits = params.wait_for_completion ?? true
    const operation = {
      kind: 'force_merge' as const,
      sources: call.target.names.length === 0 ? ['_all'] : call.target.names,
      remoteHost: null,
      target: null,
      limitInMillis: null,
    }
    const merge = services.lron.watched(operation, !waits, async under => {
      const shards = await engine.indices.forceMerge(call, under)
      return {
        answer: { _shards: shardsOf(shards) },
        end: plainEnd(shards.failed === 0 ? 'complete' : 'failed'),
      }
    })
    const json = await answerOrDetach({ engine, context }, waits, merge)
    const warnings =
      onlyExpungeDeletes && most > 0
        ? [
            'setting only_expunge_deletes and max_num_segments at the same time is deprecated ' +
              'and will be rejected in a future version',
          ]
        : []
    return { json, warnings }
  },
})

function routesOf(name: string): Route[] {
  return [
    ['GET', `/${name}`],
    ['POST', `/${name}`],
    ['GET', `/{index}/${name}`],
    ['POST', `/{index}/${name}`],
  ]
}
