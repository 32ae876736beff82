import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  shardsOf,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { flag, list } from '../../params.ts'

/**
 * `POST [/{index}]/_cache/clear`. Of the caches that can be named, those of filters (`query`), of field
 * data and of query phases (`request`) exist here; without any name all are cleared, with `fields` alone
 * their field data.
 */
export const clearCache: Endpoint = defineEndpoint({
  routes: [
    ['POST', '/_cache/clear'],
    ['POST', '/{index}/_cache/clear'],
  ],
  action: 'indices:admin/cache/clear',
  params: {
    ...TARGET_PARAMS,
    fielddata: flag,
    fields: list,
    file: flag,
    index: list,
    query: flag,
    request: flag,
  },
  body: 'none',
  async handle({ engine, params, part, context }): Promise<Answer> {
    const { query, fielddata, request, file, fields } = params
    const isNamed = [query, fielddata, request, file].includes(true) || fields !== undefined
    const names = part('index') || (params.index ?? []).join(',')
    const target = targetOf(names, params, 'open')
    const caches = {
      filters: query ?? !isNamed,
      fieldData: fielddata ?? (!isNamed || (fields !== undefined && query !== true)),
      requests: request ?? !isNamed,
      fields: fields ?? null,
    }
    const counts = await engine.shards.clearCaches(target, caches, context)
    return { json: { _shards: shardsOf(counts) } }
  },
})
