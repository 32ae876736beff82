import type { IndexSegments, SegmentView } from '../../../engine/api/shards.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { withHumanTwins } from '../../human.ts'
import { flag } from '../../params.ts'
import { VERSION_INFO } from '../../version.ts'

/** `GET [/{index}]/_segments`: the segments of open indices, shard by shard. */
export const segments: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_segments'],
    ['GET', '/{index}/_segments'],
  ],
  action: 'indices:monitor/segments',
  // `verbose` asked for more where segments told more of themselves.
  params: { ...TARGET_PARAMS, verbose: flag },
  body: 'none',
  async handle({ engine, params, part, human, context }): Promise<Answer> {
    const target = targetOf(part('index'), params, 'open')
    const indices = await engine.shards.segments(target, context)
    const { nodeId } = engine.cluster.identity
    // Only copies that are active are asked.
    const total = indices.reduce((sum, { shards }) => sum + shards.length, 0)
    const json: JsonRecord = {
      _shards: { total, successful: total, failed: 0 },
      indices: new Map(
        indices.map((index): [string, JsonValue] => [
          index.index,
          { shards: printShards(index, nodeId) },
        ]),
      ),
    }
    return { json: human ? withHumanTwins(json) : json }
  },
})

function printShards({ shards }: IndexSegments, nodeId: string): JsonValue {
  return new Map(
    shards.map(({ shard, segments }): [string, JsonValue] => [
      String(shard),
      [
        {
          routing: { state: 'STARTED', primary: true, node: nodeId },
          num_committed_segments: segments.filter(({ isCommitted }) => isCommitted).length,
          num_search_segments: segments.filter(({ isSearchable }) => isSearchable).length,
          segments: new Map(
            segments.map((segment): [string, JsonValue] => [segment.name, print(segment)]),
          ),
        },
      ],
    ]),
  )
}

function print(segment: SegmentView): JsonRecord {
  return {
    generation: segment.generation,
    num_docs: segment.docCount,
    deleted_docs: segment.deletedDocCount,
    size_in_bytes: segment.sizeInBytes,
    memory_in_bytes: segment.memoryInBytes,
    committed: segment.isCommitted,
    search: segment.isSearchable,
    version: VERSION_INFO.lucene_version,
    // All but stored documents lies in one file.
    compound: true,
  }
}
