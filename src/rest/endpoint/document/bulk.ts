import { statusOf, toErrorRecord } from '../../../util/errors.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import { activeShards, defineEndpoint, type Endpoint, refreshPolicy } from '../../endpoint.ts'
import { errorObject } from '../../error-body.ts'
import { flag, integer, millis, text } from '../../params.ts'
import { pipeline, SOURCE_PARAMS, sourceFilter, writeBody, writeStatus } from './document.ts'
import { gotBody } from './update.ts'

/** `POST|PUT [/{index}]/_bulk`. */
export const bulk: Endpoint = defineEndpoint({
  routes: [
    ['POST', '/_bulk'],
    ['PUT', '/_bulk'],
    ['POST', '/{index}/_bulk'],
    ['PUT', '/{index}/_bulk'],
  ],
  action: 'indices:data/write/bulk',
  params: {
    ...SOURCE_PARAMS,
    batch_size: integer,
    refresh: refreshPolicy,
    routing: text,
    timeout: millis,
    wait_for_active_shards: activeShards,
    require_alias: flag,
    pipeline,
  },
  body: 'lines',
  async handle({ engine, params, part, bytes, hasErrorTrace, context }) {
    const index = part('index')
    const { tookInMillis, ingestTookInMillis, items } = await engine.documents.bulk(
      {
        body: bytes,
        index: index === '' ? null : index,
        refusesOwnIndices: !engine.cluster.allowsExplicitIndex,
        routing: params.routing ?? null,
        refresh: params.refresh ?? 'false',
        requireAlias: params.require_alias ?? false,
        pipeline: params.pipeline ?? null,
        source: sourceFilter(params),
        waitForActiveShards: params.wait_for_active_shards ?? null,
        timeoutInMillis: params.timeout ?? 60_000,
      },
      context,
    )
    let hasErrors = false
    const printed = items.map(item => {
      if ('outcome' in item) {
        const body = {
          ...writeBody(item.outcome),
          ...gotBody(item.get),
          status: writeStatus(item.outcome),
        }
        return { [item.action]: body }
      }
      hasErrors = true
      const record = toErrorRecord(item.error)
      const body: Record<string, JsonValue> = {
        _index: item.index,
        _id: item.id,
        status: statusOf(record),
        error: errorObject(item.error, hasErrorTrace),
      }
      return { [item.action]: body }
    })
    const ingestTook = ingestTookInMillis ?? undefined
    return {
      json: { took: tookInMillis, ingest_took: ingestTook, errors: hasErrors, items: printed },
    }
  },
})
