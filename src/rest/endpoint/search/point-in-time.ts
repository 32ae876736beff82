import type { DeletedPointInTime } from '../../../engine/api/search-contexts.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { flag, list, millis, searchPreference } from '../../params.ts'
import { contextEntries, idsOf, unknownParameter } from './context-body.ts'

/** `POST /{index}/_search/point_in_time`. */
export const createPointInTime: Endpoint = defineEndpoint({
  routes: [['POST', '/{index}/_search/point_in_time']],
  action: 'indices:data/read/point_in_time/create',
  params: {
    ...TARGET_PARAMS,
    keep_alive: millis,
    allow_partial_pit_creation: flag,
    routing: list,
    preference: searchPreference,
  },
  body: 'none',
  async handle({ engine, params, part, context }): Promise<Answer> {
    const { id, createdAtInMillis, shards } = await engine.contexts.createPointInTime(
      {
        target: targetOf(part('index'), params, 'open'),
        keepAliveInMillis: params.keep_alive ?? null,
        allowsPartial: params.allow_partial_pit_creation ?? true,
        routing: params.routing,
        preference: params.preference,
      },
      context,
    )
    const { total, successful, failed } = shards
    return {
      json: {
        pit_id: id,
        _shards: { total, successful, skipped: 0, failed },
        creation_time: createdAtInMillis,
      },
    }
  },
})

/** `GET /_search/point_in_time/_all`. */
export const listPointsInTime: Endpoint = defineEndpoint({
  routes: [['GET', '/_search/point_in_time/_all']],
  action: 'indices:data/read/point_in_time/readall',
  params: {},
  body: 'none',
  async handle({ engine, context }): Promise<Answer> {
    const open = await engine.contexts.pointsInTime(context)
    const pits = open.map(({ id, createdAtInMillis, keepAliveInMillis }) => ({
      pit_id: id,
      creation_time: createdAtInMillis,
      keep_alive: Math.round(keepAliveInMillis),
    }))
    return { json: { pits } }
  },
})

/** `DELETE /_search/point_in_time`. */
export const deletePointsInTime: Endpoint = defineEndpoint({
  routes: [['DELETE', '/_search/point_in_time']],
  action: 'indices:data/read/point_in_time/delete',
  params: {},
  body: 'json',
  async handle({ engine, body, context }): Promise<Answer> {
    const ids = contextEntries(body).flatMap(entry => {
      if (entry.key !== 'pit_id') throw unknownParameter(entry)
      return idsOf(entry, 'pit identifier')
    })
    return answerDeleted(await engine.contexts.deletePointsInTime(ids, context))
  },
})

/** `DELETE /_search/point_in_time/_all`. */
export const deleteAllPointsInTime: Endpoint = defineEndpoint({
  routes: [['DELETE', '/_search/point_in_time/_all']],
  action: 'indices:data/read/point_in_time/delete',
  params: {},
  body: 'none',
  async handle({ engine, context }): Promise<Answer> {
    return answerDeleted(await engine.contexts.deletePointsInTime(null, context))
  },
})

function answerDeleted(deleted: readonly DeletedPointInTime[]): Answer {
  const pits = deleted.map(({ id, isSuccessful }) => ({ successful: isSuccessful, pit_id: id }))
  return { json: { pits } }
}
