/** Snapshot repositories: put, shown, deleted, verified, cleaned up. */
import { readText } from '../../../engine/dsl/json-scalars.ts'
import { flattenSettings, type SettingChanges } from '../../../schema/settings.ts'
import { IllegalArgumentError, validationFailed } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  objectBody,
  objectEntry,
  TURN_PARAMS,
} from '../../endpoint.ts'
import { flag, list } from '../../params.ts'

/** `PUT|POST /_snapshot/{repository}`. */
export const putRepository: Endpoint = defineEndpoint({
  routes: [
    ['PUT', '/_snapshot/{repository}'],
    ['POST', '/_snapshot/{repository}'],
  ],
  action: 'cluster:admin/repository/put',
  params: { ...MASTER_PARAMS, verify: flag },
  body: 'json-required',
  async handle({ services, params, part, body, context }): Promise<Answer> {
    const { type, settings } = readRepository(body!)
    const call = {
      name: part('repository'),
      type,
      settings,
      verifies: params.verify ?? true,
    }
    await services.snapshots.putRepository(call, context)
    return { json: { acknowledged: true } }
  },
})

function readRepository(body: JsonNode): {
  readonly type: string
  readonly settings: SettingChanges
} {
  let type: string | null = null
  let settings: SettingChanges = new Map()
  for (const entry of objectBody(body).entries) {
    if (entry.key === 'type') type = readText(entry.value)
    else if (entry.key === 'settings') settings = flattenSettings(objectEntry(entry), '')
    else throw new IllegalArgumentError(`Unknown parameter ${entry.key}`)
  }
  if (type === null) throw validationFailed(['type is missing'])
  return { type, settings }
}

/** `GET /_snapshot[/{repository}]`. */
export const getRepositories: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_snapshot'],
    ['GET', '/_snapshot/{repository}'],
  ],
  action: 'cluster:admin/repository/get',
  params: { ...TURN_PARAMS, local: flag },
  body: 'none',
  handle({ services, part }): Answer {
    const found = services.snapshots.repositories(list(part('repository')))
    const json = new Map<string, JsonValue>()
    for (const [name, { type, settings }] of found)
      json.set(name, { type, settings: new Map(settings.toMap()) })
    return { json }
  },
})

/** `DELETE /_snapshot/{repository}`. */
export const deleteRepositories: Endpoint = defineEndpoint({
  routes: [['DELETE', '/_snapshot/{repository}']],
  action: 'cluster:admin/repository/delete',
  params: MASTER_PARAMS,
  body: 'none',
  async handle({ services, part, context }): Promise<Answer> {
    await services.snapshots.deleteRepositories(list(part('repository')), context)
    return { json: { acknowledged: true } }
  },
})

/** `POST /_snapshot/{repository}/_verify`. */
export const verifyRepository: Endpoint = defineEndpoint({
  routes: [['POST', '/_snapshot/{repository}/_verify']],
  action: 'cluster:admin/repository/verify',
  params: MASTER_PARAMS,
  body: 'none',
  async handle({ engine, services, part, context }): Promise<Answer> {
    await services.snapshots.verify(part('repository'), context)
    const { nodeId, nodeName } = engine.cluster.nodeInfo()
    return { json: { nodes: new Map([[nodeId, { name: nodeName }]]) } }
  },
})

/** `POST /_snapshot/{repository}/_cleanup`. */
export const cleanUpRepository: Endpoint = defineEndpoint({
  routes: [['POST', '/_snapshot/{repository}/_cleanup']],
  action: 'cluster:admin/repository/_cleanup',
  params: MASTER_PARAMS,
  body: 'none',
  async handle({ services, part }): Promise<Answer> {
    const { count, bytes } = await services.snapshots.cleanUp(part('repository'))
    return { json: { results: { deleted_bytes: bytes, deleted_blobs: count } } }
  },
})
