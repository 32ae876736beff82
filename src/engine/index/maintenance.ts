/** Refresh, flush and forced merges of indices. */
import { indexSettings } from '../../schema/setting-registry.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { FlushCall, ForceMergeCall } from '../api/indices.ts'
import type { ClearedCaches } from '../api/shards.ts'
import type { ShardCounts, Target } from '../api/target.ts'
import { resolveOpen } from '../metadata/resolve-target.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'

/** Makes earlier writes searchable. */
export function refresh(node: Node, target: Target, context: CallContext): Promise<ShardCounts> {
  return onShards(node, target, context, async index => {
    await Promise.all(index.shards.map(shard => shard.refresh()))
  })
}

/** Commits earlier writes. */
export function flush(node: Node, call: FlushCall, context: CallContext): Promise<ShardCounts> {
  return onShards(node, call.target, context, async index => {
    await Promise.all(index.shards.map(shard => shard.flush(call.force)))
  })
}

/** Merges segments, whether the merge policy would or not. */
export async function forceMerge(
  node: Node,
  call: ForceMergeCall,
  context: CallContext,
): Promise<ShardCounts> {
  const counts = await onShards(node, call.target, context, async index => {
    for (const shard of index.shards) {
      await shard.forceMerge(call.maxSegmentCount, call.onlyExpungeDeletes, context)
      if (call.flush) await shard.flush()
      // Old segments go only when searches see the merged one.
      if (indexSettings.nanos(index.metadata.settings, 'index.refresh_interval') !== -1)
        await shard.refresh()
    }
  })
  // Replicas have no node to live on: those that succeed are the primaries.
  return call.primaryOnly ? { ...counts, total: counts.successful + counts.failed } : counts
}

/** Drops cached data of open indices, except what running searches use. */
export function clearCaches(
  node: Node,
  target: Target,
  { filters, fieldData, requests, fields }: ClearedCaches,
  context: CallContext,
): Promise<ShardCounts> {
  const names = fields === null ? null : new Set(fields)
  return onShards(node, target, context, async index => {
    for (const shard of index.shards) {
      if (requests) node.requests.clear(shard)
      for (const { segment } of shard.segments) {
        if (filters) node.memory.filters.clear(segment)
        if (fieldData) node.memory.fieldData.clear(segment, names)
      }
    }
  })
}

/** Runs a step on each index of a target; counts copies as the real server does. */
async function onShards(
  node: Node,
  target: Target,
  context: CallContext,
  step: (index: IndexService) => Promise<void>,
): Promise<ShardCounts> {
  node.ensureOpen()
  let total = 0
  let successful = 0
  const steps: Promise<void>[] = []
  for (const view of resolveOpen(node.metadata, target, context)) {
    const index = node.index(view.index.name)
    if (index === null) continue
    const { numberOfShards, numberOfReplicas } = index.metadata
    total += numberOfShards * (1 + numberOfReplicas)
    successful += index.shards.length
    steps.push(step(index))
  }
  await Promise.all(steps)
  return { total, successful, failed: 0 }
}
