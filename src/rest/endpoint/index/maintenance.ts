/** Refresh, flush and forced merges. */
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  type Route,
  shardsOf,
  TARGET_PARAMS,
  targetOf,
  validationFailed,
} from '../../endpoint.ts'
import { flag, integer, waits } from '../../params.ts'

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
    wait_for_completion: waits,
  },
  body: 'none',
  async handle({ engine, params, part, context }): Promise<Answer> {
    const most = params.max_num_segments ?? -1
    const onlyExpungeDeletes = params.only_expunge_deletes ?? false
    const counts = await engine.indices.forceMerge(
      {
        target: targetOf(part('index'), params, 'open'),
        maxSegmentCount: most > 0 ? most : null,
        onlyExpungeDeletes,
        flush: params.flush ?? true,
      },
      context,
    )
    const warnings =
      onlyExpungeDeletes && most > 0
        ? [
            'setting only_expunge_deletes and max_num_segments at the same time is deprecated ' +
              'and will be rejected in a future version',
          ]
        : []
    return { json: { _shards: shardsOf(counts) }, warnings }
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
