/** Mappings: shown and extended. */
import type { JsonRecord } from '../../../util/json/json-value.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { flag } from '../../params.ts'

/** `GET [/{index}]/_mapping`. */
export const getMapping: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_mapping'],
    ['GET', '/_mappings'],
    ['GET', '/{index}/_mapping'],
    ['GET', '/{index}/_mappings'],
  ],
  action: 'indices:admin/mappings/get',
  params: { ...TARGET_PARAMS, ...MASTER_PARAMS, local: flag },
  body: 'none',
  async handle({ engine, params, part, context }): Promise<Answer> {
    const views = await engine.indices.show(targetOf(part('index'), params, 'open'), context)
    return {
      json: new Map(views.map(({ name, mappings }): [string, JsonRecord] => [name, { mappings }])),
    }
  },
})

/** `PUT|POST /{index}/_mapping`. */
export const putMapping: Endpoint = defineEndpoint({
  routes: [
    ['PUT', '/{index}/_mapping'],
    ['POST', '/{index}/_mapping'],
    ['PUT', '/{index}/_mappings'],
    ['POST', '/{index}/_mappings'],
  ],
  action: 'indices:admin/mapping/put',
  params: { ...TARGET_PARAMS, ...MASTER_PARAMS, write_index_only: flag },
  body: 'json-required',
  async handle({ engine, params, part, body, context }): Promise<Answer> {
    const warnings = await engine.indices.putMapping(
      targetOf(part('index'), params, 'open,closed', false),
      body!,
      context,
    )
    return { json: { acknowledged: true }, warnings }
  },
})
