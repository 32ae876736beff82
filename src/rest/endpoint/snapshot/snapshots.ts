/** Snapshots: taken, shown, cloned, deleted. */
import { IllegalArgumentError, validationFailed } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { jsonValueOf, writeJson } from '../../../util/json/json-writer.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  NO_TARGET_PARAMS,
  objectBody,
  TURN_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { flag, list } from '../../params.ts'
import {
  booleanOf,
  type IndexOptions,
  readIndexOption,
  unknownParameter,
  usualOptions,
} from './body-fields.ts'

/** Most bytes of what a caller may note in a snapshot. */
const MAX_METADATA_BYTES = 1024

/** `PUT|POST /_snapshot/{repository}/{snapshot}`. */
export const createSnapshot: Endpoint = defineEndpoint({
  routes: [
    ['PUT', '/_snapshot/{repository}/{snapshot}'],
    ['POST', '/_snapshot/{repository}/{snapshot}'],
  ],
  action: 'cluster:admin/snapshot/create',
  params: { ...TURN_PARAMS, wait_for_completion: flag },
  body: 'json',
  async handle({ services, params, part, body, context }): Promise<Answer> {
    const { options, ...rest } = readSnapshotBody(body)
    const target = targetOf('', NO_TARGET_PARAMS, 'all', options.allowsNoIndices)
    const { open, closed, hidden } = options.expansion ?? { open: true, closed: true, hidden: true }
    const call = {
      repository: part('repository'),
      snapshot: part('snapshot'),
      target: {
        ...target,
        names: options.indices,
        ignoreUnavailable: options.ignoresUnavailable,
        expandOpen: open,
        expandClosed: closed,
        expandHidden: hidden,
      },
      ...rest,
    }
    const { done } = await services.snapshots.create(call, context)
    if (params.wait_for_completion !== true) return { json: { accepted: true } }
    return { json: { snapshot: await done } }
  },
})

interface SnapshotBody {
  readonly options: IndexOptions
  readonly includesGlobalState: boolean
  readonly allowsPartial: boolean
  readonly metadata: JsonNode | null
}

function readSnapshotBody(body: JsonNode | null): SnapshotBody {
  const options = usualOptions()
  let includesGlobalState = true
  let allowsPartial = false
  let metadata: JsonNode | null = null
  for (const entry of body === null ? [] : objectBody(body).entries) {
    if (readIndexOption(entry, options)) continue
    if (entry.key === 'include_global_state') includesGlobalState = booleanOf(entry)
    else if (entry.key === 'partial') allowsPartial = booleanOf(entry)
    else if (entry.key === 'metadata') metadata = readMetadata(entry.value)
    else throw unknownParameter(entry.key)
  }
  return { options, includesGlobalState, allowsPartial, metadata }
}

function readMetadata(node: JsonNode): JsonNode | null {
  if (node.kind === 'null') return null
  if (node.kind !== 'object')
    throw new IllegalArgumentError('malformed metadata, should be an object')
  const { length } = writeJson(jsonValueOf(node))
  if (length > MAX_METADATA_BYTES)
    throw validationFailed([
      `metadata must be smaller than ${MAX_METADATA_BYTES} bytes, but was [${length}]`,
    ])
  return node
}

/** `GET /_snapshot/{repository}/{snapshot}`. */
export const getSnapshots: Endpoint = defineEndpoint({
  routes: [['GET', '/_snapshot/{repository}/{snapshot}']],
  action: 'cluster:admin/snapshot/get',
  params: { ...TURN_PARAMS, ignore_unavailable: flag, verbose: flag },
  body: 'none',
  async handle({ services, params, part }): Promise<Answer> {
    const snapshots = await services.snapshots.find({
      repository: part('repository'),
      snapshots: list(part('snapshot')),
      ignoresUnavailable: params.ignore_unavailable ?? false,
      isVerbose: params.verbose ?? true,
    })
    return { json: { snapshots } }
  },
})

/** `DELETE /_snapshot/{repository}/{snapshot}`. */
export const deleteSnapshots: Endpoint = defineEndpoint({
  routes: [['DELETE', '/_snapshot/{repository}/{snapshot}']],
  action: 'cluster:admin/snapshot/delete',
  params: TURN_PARAMS,
  body: 'none',
  async handle({ services, part }): Promise<Answer> {
    await services.snapshots.delete(part('repository'), list(part('snapshot')))
    return { json: { acknowledged: true } }
  },
})

/** `PUT /_snapshot/{repository}/{snapshot}/_clone/{target}`. */
export const cloneSnapshot: Endpoint = defineEndpoint({
  routes: [['PUT', '/_snapshot/{repository}/{snapshot}/_clone/{target_snapshot}']],
  action: 'cluster:admin/snapshot/clone',
  params: TURN_PARAMS,
  body: 'json-required',
  async handle({ services, part, body }): Promise<Answer> {
    const options = usualOptions()
    for (const entry of objectBody(body!).entries)
      if (!readIndexOption(entry, options)) throw unknownParameter(entry.key)
    if (options.indices.length === 0) throw validationFailed(['indices patterns are missing'])
    await services.snapshots.clone({
      repository: part('repository'),
      source: part('snapshot'),
      target: part('target_snapshot'),
      indices: options.indices,
      ignoresUnavailable: options.ignoresUnavailable,
    })
    return { json: { acknowledged: true } }
  },
})
