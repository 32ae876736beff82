import type { JsonValue } from '../../../util/json/json-value.ts'
import { sizeText } from '../../../util/units.ts'
import { type Answer, defineEndpoint, type Endpoint, shardsOf } from '../../endpoint.ts'
import { list } from '../../params.ts'

/** `GET /_data_stream[/{name}]/_stats`. */
export const dataStreamStats: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_data_stream/_stats'],
    ['GET', '/_data_stream/{name}/_stats'],
  ],
  action: 'indices:monitor/data_stream/stats',
  params: {},
  body: 'none',
  async handle({ engine, part, human, context }): Promise<Answer> {
    const { shards, streams } = await engine.dataStreams.stats(list(part('name')), context)
    const sum = (of: (stream: (typeof streams)[number]) => number): number =>
      streams.reduce((total, stream) => total + of(stream), 0)
    const size = (name: string, bytes: number): Record<string, JsonValue> => ({
      ...(human ? { [name]: sizeText(bytes) } : {}),
      [`${name}_bytes`]: bytes,
    })
    return {
      json: {
        _shards: shardsOf(shards),
        data_stream_count: streams.length,
        backing_indices: sum(({ backingIndices }) => backingIndices),
        ...size(
          'total_store_size',
          sum(({ storeInBytes }) => storeInBytes),
        ),
        data_streams: streams.map(stream => ({
          data_stream: stream.name,
          backing_indices: stream.backingIndices,
          ...size('store_size', stream.storeInBytes),
          maximum_timestamp: stream.maximumTimestamp,
        })),
      },
    }
  },
})
