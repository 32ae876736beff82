import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  NO_TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { shardsWithFailures } from '../../shard-failures.ts'

/** `GET /_plugins/_knn/warmup/{index}`: vectors and their graphs are loaded ahead of searches. */
export const warmUp: Endpoint = defineEndpoint({
  routes: [['GET', '/_plugins/_knn/warmup/{index}']],
  action: 'cluster:admin/knn_warmup_action',
  params: {},
  body: 'none',
  async handle({ engine, part, context }): Promise<Answer> {
    const target = targetOf(part('index'), NO_TARGET_PARAMS, 'open')
    const { failures, ...counts } = await engine.vectors.warmUp(target, context)
    return { json: { _shards: shardsWithFailures(counts, failures) } }
  },
})
