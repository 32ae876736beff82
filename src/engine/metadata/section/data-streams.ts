import { CorruptSegmentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { DataStream, DataStreams } from '../data-stream.ts'
import type { MetadataSection } from './metadata-section.ts'
import { numberAt, textAt, valueAt } from './stored-values.ts'

/**
 * The data streams: `{"⟨name⟩": {"timestamp_field": …, "generation": n, "indices": [{"name": …, "uuid": …}]}}`.
 * They stand in the node's own state beside the batch of indices that a change of them makes and removes, so
 * that both are decided at once.
 */
export const DATA_STREAMS: MetadataSection<DataStreams> = {
  name: 'data_streams',
  version: 1,
  isRequired: true,
  empty: () => new Map(),
  upgrade: content => content,
  parse(content) {
    if (content.kind !== 'object')
      throw new CorruptSegmentError('state', 32, 'data streams by name', content.kind)
    return new Map(content.entries.map(({ key, value }) => [key, readStream(key, value)]))
  },
  print: streams =>
    new Map(
      Array.from(streams.values(), ({ name, timestampField, generation, indices }) => [
        name,
        {
          timestamp_field: timestampField,
          generation,
          indices: indices.map(index => ({ name: index.name, uuid: index.uuid })),
        },
      ]),
    ),
}

function readStream(name: string, node: JsonNode): DataStream {
  const indices = valueAt(node, 'indices')
  const generation = numberAt(node, 'generation')
  if (indices.kind !== 'array' || indices.items.length === 0 || generation === null)
    throw new CorruptSegmentError('state', 32, 'indices and a generation', `none of [${name}]`)
  return {
    name,
    timestampField: textAt(node, 'timestamp_field'),
    generation,
    indices: indices.items.map(item => ({
      name: textAt(item, 'name'),
      uuid: textAt(item, 'uuid'),
    })),
  }
}
