import type { GotSource } from '../../../engine/api/documents.ts'
import { validationFailed } from '../../../util/errors.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { RawJson } from '../../../util/json/json-value.ts'
import {
  type Answer,
  activeShards,
  defineEndpoint,
  type Endpoint,
  refreshPolicy,
} from '../../endpoint.ts'
import { flag, integer, long, millis, text } from '../../params.ts'
import { SOURCE_PARAMS, sourceFilter, writeAnswer, writeBody } from './document.ts'

/** `POST /{index}/_update/{id}`. */
export const updateDocument: Endpoint = defineEndpoint({
  routes: [['POST', '/{index}/_update/{id}']],
  action: 'indices:data/write/update',
  params: {
    ...SOURCE_PARAMS,
    if_seq_no: long,
    if_primary_term: long,
    lang: text,
    refresh: refreshPolicy,
    require_alias: flag,
    retry_on_conflict: integer,
    routing: text,
    timeout: millis,
    wait_for_active_shards: activeShards,
    version: long,
    version_type: text,
  },
  body: 'json-required',
  async handle({ engine, params, part, body, bytes, context }): Promise<Answer> {
    const retries = params.retry_on_conflict ?? 0
    if (params.version !== undefined || params.version_type !== undefined)
      throw validationFailed([
        'internal versioning can not be used for optimistic concurrency control. ' +
          'Please use `if_seq_no` and `if_primary_term` instead',
      ])
    const { write, get } = await engine.documents.update(
      {
        index: part('index'),
        id: part('id'),
        routing: params.routing ?? null,
        refresh: params.refresh ?? 'false',
        ifSeqNo: params.if_seq_no ?? null,
        ifPrimaryTerm: params.if_primary_term ?? null,
        requireAlias: params.require_alias ?? false,
        waitForActiveShards: params.wait_for_active_shards ?? null,
        timeoutInMillis: params.timeout ?? 60_000,
        body: body!,
        bodyInBytes: bytes.length,
        retryOnConflict: retries,
        source: sourceFilter(params),
      },
      context,
    )
    const answer = writeAnswer(write, params.routing)
    return { ...answer, json: { ...writeBody(write), ...gotBody(get) } }
  },
})

/** The part of an update's answer that carries the source; nothing where none was asked for. */
export function gotBody(get: GotSource | null): JsonRecord {
  if (get === null) return {}
  return {
    get: {
      _seq_no: get.seqNo,
      _primary_term: get.primaryTerm,
      found: true,
      _source: get.source === null ? undefined : new RawJson(get.source),
    } as JsonRecord,
  }
}
