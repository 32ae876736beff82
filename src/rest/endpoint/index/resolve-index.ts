import type { ResolvedNames } from '../../../engine/api/indices.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'

/** `GET /_resolve/index/{name}`: which indices, aliases and data streams names are. */
export const resolveIndex: Endpoint = defineEndpoint({
  routes: [['GET', '/_resolve/index/{name}']],
  action: 'indices:admin/resolve/index',
  params: TARGET_PARAMS,
  body: 'none',
  handle: ({ engine, params, part, context }): Answer => ({
    json: print(engine.indices.resolve(targetOf(part('name'), params, 'open'), context)),
  }),
})

function print({ indices, aliases, dataStreams }: ResolvedNames): JsonRecord {
  return {
    indices: indices.map(
      index =>
        ({
          name: index.name,
          aliases: index.aliases.length === 0 ? undefined : index.aliases,
          attributes: [
            ...(index.isHidden ? ['hidden'] : []),
            index.isOpen ? 'open' : 'closed',
          ].sort(),
          data_stream: index.dataStream ?? undefined,
        }) as JsonRecord,
    ),
    aliases: aliases.map(alias => ({ name: alias.name, indices: alias.indices })),
    data_streams: dataStreams.map(stream => ({
      name: stream.name,
      backing_indices: stream.backingIndices,
      timestamp_field: stream.timestampField,
    })),
  }
}
