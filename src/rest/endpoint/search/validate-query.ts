import type { QueryExplanation } from '../../../engine/api/searches.ts'
import { EngineError, type ErrorRecord } from '../../../util/errors.ts'
import { type JsonNode, parseJsonTree } from '../../../util/json/json-tree.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { detailedMessage } from '../../detailed-message.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  shardsOf,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { flag } from '../../params.ts'
import { bodyOrUrlQuery, URL_QUERY_PARAMS } from './url-query.ts'

/** `GET|POST [/{index}]/_validate/query`. */
export const validateQuery: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_validate/query'],
    ['POST', '/_validate/query'],
    ['GET', '/{index}/_validate/query'],
    ['POST', '/{index}/_validate/query'],
  ],
  action: 'indices:admin/validate/query',
  params: {
    ...TARGET_PARAMS,
    ...URL_QUERY_PARAMS,
    explain: flag,
    rewrite: flag,
    all_shards: flag,
  },
  body: 'json-unread',
  async handle({ engine, params, part, bytes, context }): Promise<Answer> {
    const { explain = false, rewrite = false, all_shards: allShards = false } = params
    const target = targetOf(part('index'), params, 'open')
    const read = readBody(bytes)
    if ('error' in read) return { json: refused(read.error, explain) }
    const body = bodyOrUrlQuery(read.body, params)
    const call = { target, body, rewrite, allShards }
    const outcome = await engine.searches.validate(call, context)
    if ('refused' in outcome) return { json: refused(outcome.refused, explain) }
    const { shards, explanations } = outcome
    const isExplained = (explain || rewrite || allShards) && explanations.length > 0
    return {
      json: {
        valid: explanations.every(each => 'query' in each.outcome),
        _shards: shardsOf(shards),
        explanations: isExplained
          ? explanations.map(each => printExplanation(each, allShards))
          : undefined,
      },
    }
  },
})

/** A body that is no JSON is no error of the request: it is what is tried. */
function readBody(
  bytes: Uint8Array,
): { readonly body: JsonNode | null } | { readonly error: ErrorRecord } {
  try {
    return { body: bytes.length === 0 ? null : parseJsonTree(bytes) }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { error: error.record }
  }
}

function refused(record: ErrorRecord, explain: boolean): JsonRecord {
  return { valid: false, error: explain ? messageOf(record) : undefined }
}

function messageOf(record: ErrorRecord): string {
  return record.type === 'parsing_exception' ? detailedMessage(record) : record.reason
}

function printExplanation(
  { index, shard, outcome }: QueryExplanation,
  withShard: boolean,
): JsonRecord {
  return {
    index,
    shard: withShard ? shard : undefined,
    valid: 'query' in outcome,
    error: 'error' in outcome ? detailedMessage(outcome.error) : undefined,
    explanation: 'query' in outcome ? outcome.query : undefined,
  }
}
