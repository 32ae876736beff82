/** Data streams: created, shown, deleted. */

import type { ShownDataStream } from '../../../engine/api/data-streams.ts'
import { validationFailed } from '../../../util/errors.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import { type Answer, defineEndpoint, type Endpoint, MASTER_PARAMS } from '../../endpoint.ts'
import { list } from '../../params.ts'

/** `PUT /_data_stream/{name}`; what a body says is not looked at, as in the real server. */
export const createDataStream: Endpoint = defineEndpoint({
  routes: [['PUT', '/_data_stream/{name}']],
  action: 'indices:admin/data_stream/create',
  params: MASTER_PARAMS,
  body: 'json',
  async handle({ engine, part, context }): Promise<Answer> {
    await engine.dataStreams.create(part('name'), context)
    return { json: { acknowledged: true } }
  },
})

/** `GET /_data_stream[/{name}]`. */
export const getDataStreams: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_data_stream'],
    ['GET', '/_data_stream/{name}'],
  ],
  action: 'indices:admin/data_stream/get',
  params: MASTER_PARAMS,
  body: 'none',
  handle: ({ engine, part, context }): Answer => ({
    json: { data_streams: engine.dataStreams.show(list(part('name')), context).map(print) },
  }),
})

/** `DELETE /_data_stream/{name}`. */
export const deleteDataStreams: Endpoint = defineEndpoint({
  routes: [['DELETE', '/_data_stream/{name}']],
  action: 'indices:admin/data_stream/delete',
  params: MASTER_PARAMS,
  body: 'none',
  async handle({ engine, part, context }): Promise<Answer> {
    await engine.dataStreams.delete(listed(part('name')), context)
    return { json: { acknowledged: true } }
  },
})

/** The names of a comma list, which must not be one of nothing: that would be all. */
function listed(names: string): readonly string[] {
  const found = list(names)
  if (found.length > 0) return found
  throw validationFailed(['name is missing'])
}

function print(stream: ShownDataStream): JsonValue {
  const printed = new Map<string, JsonValue>([
    ['name', stream.name],
    ['timestamp_field', { name: stream.timestampField }],
    ['indices', stream.indices.map(({ name, uuid }) => ({ index_name: name, index_uuid: uuid }))],
    ['generation', stream.generation],
    ['status', stream.status.toUpperCase()],
  ])
  if (stream.template !== null) printed.set('template', stream.template)
  return printed
}
