import type { StreamAction } from '../../../engine/api/data-streams.ts'
import { unknownField } from '../../../engine/dsl/parse-error.ts'
import { IllegalArgumentError, validationFailed } from '../../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { batchActions, parseField, wrongKind } from '../../declared-body.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  objectBody,
} from '../../endpoint.ts'

/** `POST /_data_stream/_modify`: a batch of indices that join or leave data streams, all or none. */
export const modifyDataStreams: Endpoint = defineEndpoint({
  routes: [['POST', '/_data_stream/_modify']],
  action: 'indices:admin/data_stream/modify',
  params: MASTER_PARAMS,
  body: 'json-required',
  async handle({ engine, body, context }): Promise<Answer> {
    const actions = batchActions(body!, 'data_stream_actions', actionOf)
    if (actions.length === 0)
      throw validationFailed(['must specify at least one data stream modification action'])
    await engine.dataStreams.modify(actions, context)
    return { json: { acknowledged: true } }
  },
})

const KINDS: ReadonlyMap<string, StreamAction['kind']> = new Map([
  ['add_backing_index', 'add'],
  ['remove_backing_index', 'remove'],
])

function actionOf(node: JsonNode): StreamAction {
  const [entry, second] = objectBody(node).entries
  if (second !== undefined)
    throw new IllegalArgumentError('Too many data stream operations declared on operation entry')
  if (entry === undefined)
    throw new IllegalArgumentError('No data stream operation declared on operation entry')
  const kind = KINDS.get(entry.key)
  if (kind === undefined) throw unknownField(entry, 'data_stream_action', [...KINDS.keys()])
  const { key, value } = entry
  if (value.kind !== 'object') throw wrongKind(entry, 'data_stream_action')
  const names = parseField(entry, 'data_stream_action', () => readNames(key, value))
  const [stream, index] = [names.get('data_stream'), names.get('index')]
  if (!stream) throw new IllegalArgumentError('[data_stream] is required')
  if (!index) throw new IllegalArgumentError('[index] is required')
  return { kind, stream, index }
}

function readNames(kind: string, node: JsonObjectNode): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const entry of node.entries) {
    const { key, value } = entry
    if (key !== 'data_stream' && key !== 'index')
      throw unknownField(entry, kind, ['data_stream', 'index'])
    if (value.kind !== 'string') throw wrongKind(entry, kind)
    names.set(key, value.value)
  }
  return names
}
