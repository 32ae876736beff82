import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { ShardStats } from '../../engine/api/stats.ts'
import { trusted } from '../../task/call-context.ts'
import { oneIndex } from './index-view.ts'

/** Statistics of an index. */
export interface IndexSizes {
  readonly docCount: number
  readonly sizeInBytes: number
  readonly shards: readonly ShardStats[]
}

/**
 * Documents and bytes of an index, of its primaries.
 * @throws {EngineError} there is no such index
 */
export async function sizesOf(engine: EngineApi, index: string): Promise<IndexSizes> {
  const [stats] = await engine.cluster.stats(
    oneIndex(index),
    false,
    trusted('indices:monitor/stats'),
  )
  const shards = stats?.shards ?? []
  return {
    docCount: shards.reduce((sum, shard) => sum + shard.docCount, 0),
    sizeInBytes: shards.reduce((sum, shard) => sum + shard.storeInBytes, 0),
    shards,
  }
}
