import type { CallContext } from '../../task/call-context.ts'
import { toErrorRecord } from '../../util/errors.ts'
import type { ReloadedAnalyzers } from '../api/analysis.ts'
import type { FailedShard, Target } from '../api/target.ts'
import { resolveOpen } from '../metadata/resolve-target.ts'
import type { Node } from '../node/node.ts'

/**
 * Reads the files of analyzers that may change again, index by index.
 * @throws {EngineError} as `resolveOpen`
 */
export function reloadAnalyzers(
  node: Node,
  target: Target,
  context: CallContext,
): ReloadedAnalyzers {
  node.ensureOpen()
  const failures: FailedShard[] = []
  const indices: { index: string; analyzers: readonly string[] }[] = []
  let total = 0
  let successful = 0
  for (const { index: metadata } of resolveOpen(node.metadata, target, context)) {
    const { name, numberOfShards, numberOfReplicas, analysis } = metadata
    const shards = node.index(name)?.shards ?? []
    total += numberOfShards * (1 + numberOfReplicas)
    try {
      indices.push({ index: name, analyzers: analysis.reloadSearchAnalyzers() })
      node.analyzeCache.forget(metadata)
      successful += shards.length
    } catch (thrown) {
      const error = toErrorRecord(thrown)
      for (const shard of shards) failures.push({ index: name, shard: shard.name.shard, error })
    }
  }
  return { counts: { total, successful, failed: failures.length }, failures, indices }
}
