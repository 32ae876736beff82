import type { JsonNode } from '../../../util/json/json-tree.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  objectBody,
  TURN_PARAMS,
} from '../../endpoint.ts'
import { flag, list } from '../../params.ts'
import { booleanOf, unknownParameter } from './body-fields.ts'

/** `GET /_snapshot[/{repository}[/{snapshot}[/{index}]]]/_status`. */
export const snapshotStatus: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_snapshot/_status'],
    ['GET', '/_snapshot/{repository}/_status'],
    ['GET', '/_snapshot/{repository}/{snapshot}/_status'],
    ['GET', '/_snapshot/{repository}/{snapshot}/{index}/_status'],
  ],
  action: 'cluster:admin/snapshot/status',
  params: {
    ...TURN_PARAMS,
    ignore_unavailable: flag,
  },
  body: 'json',
  async handle({ services, params, part, body }): Promise<Answer> {
    const snapshots = await services.snapshots.status({
      repository: part('repository'),
      snapshots: list(part('snapshot')),
      indices: list(part('index')),
      ignoresUnavailable: params.ignore_unavailable ?? readIgnores(body),
    })
    return { json: { snapshots } }
  },
})

function readIgnores(body: JsonNode | null): boolean {
  let ignores = false
  for (const entry of body === null ? [] : objectBody(body).entries) {
    if (entry.key !== 'ignore_unavailable') throw unknownParameter(entry.key)
    ignores = booleanOf(entry)
  }
  return ignores
}
