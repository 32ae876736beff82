import type { FailedShard } from '../../../engine/api/vectors.ts'
import { statusOf } from '../../../util/errors.ts'
import { errorJson } from '../../../util/json/error-json.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  NO_TARGET_PARAMS,
  shardsOf,
  targetOf,
} from '../../endpoint.ts'

/** `GET /_plugins/_knn/warmup/{index}`: vectors and their graphs are loaded ahead of searches. */
export const warmUp: Endpoint = defineEndpoint({
  routes: [['GET', '/_plugins/_knn/warmup/{index}']],
  action: 'cluster:admin/knn_warmup_action',
  params: {},
  body: 'none',
  async handle({ engine, part, context }): Promise<Answer> {
    const target = targetOf(part('index'), NO_TARGET_PARAMS, 'open')
    const { failures, ...counts } = await engine.vectors.warmUp(target, context)
    const printed = shardsOf(counts)
    if (failures.length === 0) return { json: { _shards: printed } }
    return { json: { _shards: { ...printed, failures: failures.map(printFailure) } } }
  },
})

function printFailure({ index, shard, error }: FailedShard): JsonRecord {
  const status = statusOf(error) === 429 ? 'TOO_MANY_REQUESTS' : 'INTERNAL_SERVER_ERROR'
  return { shard, index, status, reason: errorJson(error, null) }
}
