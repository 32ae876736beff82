import { shardProfile } from '../../profile/shard-profile.ts'
import { clusterSettings } from '../../schema/setting-registry.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import type { SearchRequest } from '../dsl/search-request.ts'
import type { Node } from '../node/node.ts'
import type { SearchedShard } from './shard-query.ts'

/**
 * The profiles of the shards that ran under one.
 * @param human adds a text twin to each duration
 */
export function profilePhase(
  node: Node,
  answers: readonly SearchedShard[],
  request: SearchRequest,
  human: boolean,
): JsonRecord[] {
  const { nodeId } = node.metadata.node
  const isNative =
    clusterSettings.text(node.effectiveSettings, 'lamella.profile.reasons') === 'native'
  const reasons = isNative ? 'native' : 'documented'
  return answers.flatMap(({ search, held, outcome, production, concurrent, fetchProfiler }) => {
    const { prepared } = outcome
    if (prepared === null) return []
    const profile = shardProfile(
      {
        nodeId,
        index: search.index.name,
        shard: held.shard.name.shard,
        nodes: prepared.weight.nodes,
        rewriteTime: prepared.rewriteTime,
        slices: outcome.profiles,
        spec: prepared.spec,
        reduceTime: outcome.reduceTime,
        production,
        fetch: fetchProfiler,
      },
      { concurrent, human, reasons, perSlice: request.profileSlices },
    )
    return [profile]
  })
}
