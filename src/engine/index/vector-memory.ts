/** Vectors in memory: loaded ahead of searches, dropped, told. */
import { clusterSettings, indexSettings } from '../../schema/setting-registry.ts'
import type { Snapshot } from '../../segment/snapshot.ts'
import type { Shard } from '../../shard/shard.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, toErrorRecord } from '../../util/errors.ts'
import { inTurns, type Turn } from '../../util/turns.ts'
import type { FailedShard, ShardCounts, Target } from '../api/target.ts'
import type { IndexVectors, VectorStats } from '../api/vectors.ts'
import { resolveOpen } from '../metadata/resolve-target.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'

/** A turn is over after each section, whose bytes are read from a file. */
const UNITS_OF_SECTION = 16

/**
 * Loads the vectors of indices, and their graphs.
 * @throws {EngineError} as `resolveOpen`; `k_n_n_invalid_indices_exception`
 */
export async function warmVectors(
  node: Node,
  target: Target,
  context: CallContext,
): Promise<ShardCounts & { readonly failures: readonly FailedShard[] }> {
  const indices = vectorIndices(node, target, context, 'Warm up')
  const failures: FailedShard[] = []
  for (const index of indices)
    for (const shard of index.shards)
      try {
        await warmShard(node, shard, context)
      } catch (error) {
        // A node that closes has no answer.
        node.ensureOpen()
        failures.push({
          index: index.name,
          shard: shard.name.shard,
          error: toErrorRecord(error),
        })
      }
  const counts = countsOf(indices)
  const failed = failures.length
  return { ...counts, successful: counts.successful - failed, failed, failures }
}

/**
 * Drops the vectors of indices from memory, and their graphs.
 * @throws {EngineError} as `warmVectors`
 */
export async function clearVectors(
  node: Node,
  target: Target,
  context: CallContext,
): Promise<ShardCounts> {
  const indices = vectorIndices(node, target, context, 'ClearCache')
  for (const { shards } of indices)
    for (const shard of shards)
      for (const { segment } of shard.segments) node.memory.clearVectors(segment)
  return countsOf(indices)
}

/** @param what is asked for, as the refusal calls it */
function vectorIndices(
  node: Node,
  target: Target,
  context: CallContext,
  what: string,
): readonly IndexService[] {
  node.ensureOpen()
  const found = resolveOpen(node.metadata, target, context)
  if (found.some(({ index }) => !indexSettings.boolean(index.settings, 'index.knn')))
    throw new EngineError({
      type: 'k_n_n_invalid_indices_exception',
      reason: `${what} request rejected. One or more indices have 'index.knn' set to false.`,
    })
  return found.flatMap(view => node.index(view.index.name) ?? [])
}

function countsOf(indices: readonly IndexService[]): ShardCounts {
  let total = 0
  let successful = 0
  for (const { metadata, shards } of indices) {
    total += metadata.numberOfShards * (1 + metadata.numberOfReplicas)
    successful += shards.length
  }
  return { total, successful, failed: 0 }
}

async function warmShard(node: Node, shard: Shard, context: CallContext): Promise<void> {
  const snapshot = shard.snapshot.acquire()
  try {
    await inTurns(
      turn => loadVectors(node, snapshot, turn),
      () => node.ensureOpen(),
      context,
    )
  } finally {
    snapshot.release()
  }
}

function* loadVectors(node: Node, { leaves }: Snapshot, turn: Turn): Generator<void, void, void> {
  for (const { segment } of leaves)
    for (const { kind, field } of segment.file.directory.sections) {
      if (kind !== 'denseVectors' && kind !== 'vectorGraph') continue
      const pins = node.memory.newPins()
      try {
        node.memory.pin(segment, kind, field, pins)
      } finally {
        pins.release()
      }
      if (turn.isOver(UNITS_OF_SECTION)) yield
    }
}

/** Vectors in memory, and what was asked about vectors. */
export function vectorStatsOf(node: Node): VectorStats {
  const { memory, vectorRequests: requests } = node
  const { vectors, limitInBytes, loadedBytes } = memory
  const percent =
    clusterSettings.number(node.effectiveSettings, 'knn.circuit_breaker.unset.percentage') ?? 75
  if (100 * loadedBytes < percent * limitInBytes) vectors.isFull = false
  const { hits, misses, loads, nanos: loadNanos, evictions, isFull } = vectors
  const indices = vectorsByIndex(node)
  return { requests, indices, limitInBytes, isFull, hits, misses, loads, loadNanos, evictions }
}

function vectorsByIndex(node: Node): readonly IndexVectors[] {
  const uses = node.memory.vectorUses()
  if (uses.size === 0) return []
  const found: IndexVectors[] = []
  for (const { name, settings } of node.metadata.indices()) {
    // Elsewhere vectors are values of documents, which scripts alone read.
    if (!indexSettings.boolean(settings, 'index.knn')) continue
    let count = 0
    let bytes = 0
    for (const shard of node.index(name)?.shards ?? [])
      for (const { segment } of shard.segments) {
        const use = uses.get(segment)
        count += use?.count ?? 0
        bytes += use?.bytes ?? 0
      }
    if (count > 0) found.push({ index: name, count, bytes })
  }
  return found
}
