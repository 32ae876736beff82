import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  NO_TARGET_PARAMS,
  shardsOf,
  targetOf,
} from '../../endpoint.ts'

/** `POST /_plugins/_knn/clear_cache/{index}`: vectors and their graphs leave memory. */
export const clearVectorCache: Endpoint = defineEndpoint({
  routes: [['POST', '/_plugins/_knn/clear_cache/{index}']],
  action: 'cluster:admin/clear_cache_action',
  params: {},
  body: 'none',
  async handle({ engine, part, context }): Promise<Answer> {
    const target = targetOf(part('index'), NO_TARGET_PARAMS, 'open')
    return { json: { _shards: shardsOf(await engine.vectors.clear(target, context)) } }
  },
})
