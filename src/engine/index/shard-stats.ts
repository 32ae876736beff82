import { noSegmentUse, type SegmentUse } from '../../segment/segment-use.ts'
import type { ClosedShard } from '../../shard/closed-shard.ts'
import type { LiveSegment } from '../../shard/live-segment.ts'
import type { Shard } from '../../shard/shard.ts'
import type { ShardTallies, Tally } from '../../shard/tally.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { GroupStats, IndexStats, OperationStats, ShardStats } from '../api/stats.ts'
import type { Target } from '../api/target.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import type { IndexView } from '../metadata/index-view.ts'
import { resolveOpen, resolveTarget } from '../metadata/resolve-target.ts'
import { DamagedShard } from '../node/damaged-shard.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'

/** Bytes in memory by segment. */
type SegmentUses = ReturnType<Node['memory']['uses']>

const NEVER: OperationStats = { count: 0, timeInMillis: 0, current: 0 }

/**
 * Statistics of indices, closed ones included.
 * @param forbidsClosed whether a closed index is an error
 * @throws {EngineError} as `resolveTarget` and `resolveOpen`
 */
export async function statsOf(
  node: Node,
  target: Target,
  forbidsClosed: boolean,
  context: CallContext,
): Promise<IndexStats[]> {
  const resolve = forbidsClosed ? resolveOpen : resolveTarget
  const found = resolve(node.metadata, target, context)
  const uses = node.memory.uses()
  // Counters of all open indices are read in one turn, so that they fit together.
  const stats = found.map(view => {
    const index = node.index(view.index.name)
    return index === null ? closedStats(node, view) : openStats(node, index, view, uses)
  })
  return await Promise.all(stats)
}

function openStats(
  node: Node,
  index: IndexService,
  { mapping }: Pick<IndexView, 'mapping'>,
  uses: SegmentUses,
): IndexStats {
  const completions = mapping.leaves
    .filter(field => field.type === 'completion')
    .map(field => field.name)
  return {
    ...headOf(index.metadata),
    isOpen: true,
    shards: index.shards.map(shard => shardStats(node, shard, completions, uses)),
  }
}

async function closedStats(node: Node, view: IndexView): Promise<IndexStats> {
  const metadata = view.index
  const shards = await node.closedShards(metadata)
  // It may have been opened meanwhile.
  const index = node.index(metadata.name)
  if (index !== null) return openStats(node, index, view, node.memory.uses())
  return {
    ...headOf(metadata),
    isOpen: false,
    shards: shards.flatMap((shard, number) =>
      shard instanceof DamagedShard ? [] : [closedShardStats(shard, number)],
    ),
  }
}

function headOf(
  metadata: IndexMetadata,
): Pick<IndexStats, 'index' | 'uuid' | 'numberOfShards' | 'numberOfReplicas'> {
  const { name, uuid, numberOfShards, numberOfReplicas } = metadata
  return { index: name, uuid, numberOfShards, numberOfReplicas }
}

function shardStats(
  node: Node,
  shard: Shard,
  completions: readonly string[],
  uses: SegmentUses,
): ShardStats {
  const { stats, snapshot, log, segments } = shard
  const memory = noSegmentUse()
  for (const { segment } of segments) addUse(memory, uses.get(segment))
  const translog = log.stats()
  const docs = docCounts(snapshot, segments)
  const counts = counted(stats, shard.refreshWaiterCount)
  return {
    shard: shard.name.shard,
    docCount: docs.docCount,
    deletedDocCount: docs.deletedDocCount,
    storeInBytes: shard.storeBytes,
    segmentCount: segments.length,
    isLoaded: true,
    segmentMemoryInBytes: bytesOf(memory),
    memory,
    writerInBytes: shard.bufferBytes,
    versionMapInBytes: shard.versionMapBytes,
    fileSizes: sizesOf(segments),
    completions:
      completions.length === 0
        ? NO_COMPLETIONS
        : new Map(completions.map(name => [name, completionBytes(segments, name)])),
    translogOperations: translog.operations,
    translogInBytes: translog.bytes,
    translogAgeInMillis: Math.max(0, Date.now() - translog.oldestWriteAt),
    filterCache: { ...node.memory.filters.useOf(shard.directory) },
    fieldData: node.memory.fieldData.useOf(shard.directory),
    requestCache: node.requests.useOf(shard, snapshot),
    indexing: counts.indexing,
    deletes: counts.deletes,
    get: counts.get,
    openContexts: counts.openContexts,
    scroll: counts.scroll,
    pointInTime: counts.pointInTime,
    query: counts.query,
    concurrentQuery: counts.concurrentQuery,
    fetch: counts.fetch,
    suggest: counts.suggest,
    groups: counts.groups,
    merge: counts.merge,
    refresh: counts.refresh,
    flush: counts.flush,
    maxSeqNo: shard.maxSeqNo,
    primaryTerm: shard.primaryTerm,
    commit: shard.lastCommit,
  }
}

function bytesOf(use: Readonly<SegmentUse>): number {
  let sum = 0
  for (const part of USE_PARTS) sum += use[part]
  return sum
}

const USE_PARTS = Object.keys(noSegmentUse()) as readonly (keyof SegmentUse)[]

/**
 * Documents as the last refresh or flush has left them: a flush seals segments that searches do not see
 * before the next refresh.
 */
function docCounts(
  snapshot: Shard['snapshot'],
  segments: readonly LiveSegment[],
): Pick<ShardStats, 'docCount' | 'deletedDocCount'> {
  const seen = new Set(snapshot.leaves.map(({ segment }) => segment))
  if (segments.every(({ segment }) => seen.has(segment)))
    return { docCount: snapshot.keptDocs, deletedDocCount: snapshot.maxDoc - snapshot.keptDocs }
  let docCount = 0
  let deletedDocCount = 0
  for (const segment of segments) {
    docCount += segment.liveCount
    deletedDocCount += segment.deletedCount
  }
  return { docCount, deletedDocCount }
}

type Counted = Pick<
  ShardStats,
  | 'indexing'
  | 'deletes'
  | 'get'
  | 'openContexts'
  | 'scroll'
  | 'pointInTime'
  | 'query'
  | 'concurrentQuery'
  | 'fetch'
  | 'suggest'
  | 'groups'
  | 'merge'
  | 'refresh'
  | 'flush'
>

// Written out: spreading a record costs ten times as much as making one, and a node may have thousands.
function counted(stats: ShardTallies, listeners: number): Counted {
  const { index, query, concurrentQuery, merge, refresh, flush } = stats
  return {
    indexing: {
      count: index.count,
      timeInMillis: Math.floor(index.timeInMillis),
      current: index.current,
      failed: stats.indexFailed,
      noop: stats.noopUpdates,
      lastAt: stats.lastIndexedAt,
    },
    deletes: operation(stats.delete),
    get: { exists: operation(stats.getExists), missing: operation(stats.getMissing) },
    openContexts: stats.openContexts,
    scroll: operation(stats.scroll),
    pointInTime: operation(stats.pointInTime),
    query: {
      count: query.count,
      timeInMillis: Math.floor(query.timeInMillis),
      current: query.current,
      failed: stats.queryFailed,
    },
    concurrentQuery: {
      count: concurrentQuery.count,
      timeInMillis: Math.floor(concurrentQuery.timeInMillis),
      current: concurrentQuery.current,
      slices: stats.concurrentSlices,
    },
    fetch: operation(stats.fetch),
    suggest: operation(stats.suggest),
    groups: stats.groups === null ? NO_GROUPS : groupsOf(stats.groups),
    merge: {
      count: merge.count,
      timeInMillis: Math.floor(merge.timeInMillis),
      current: merge.current,
      docs: stats.mergedDocs,
      sizeInBytes: stats.mergedBytes,
      currentDocs: stats.mergingDocs,
      currentSizeInBytes: stats.mergingBytes,
    },
    refresh: {
      count: refresh.count,
      timeInMillis: Math.floor(refresh.timeInMillis),
      current: refresh.current,
      listeners,
    },
    flush: {
      count: flush.count,
      timeInMillis: Math.floor(flush.timeInMillis),
      current: flush.current,
      periodic: stats.periodicFlushes,
    },
  }
}

const NO_GROUPS: ReadonlyMap<string, GroupStats> = new Map()
const NO_COMPLETIONS: ReadonlyMap<string, number> = new Map()

function groupsOf(groups: NonNullable<ShardTallies['groups']>): Map<string, GroupStats> {
  return new Map(
    [...groups].map(([name, { query, fetch }]): [string, GroupStats] => [
      name,
      { query: operation(query), fetch: operation(fetch) },
    ]),
  )
}

function closedShardStats(shard: ClosedShard, number: number): ShardStats {
  const { docCount, deletedDocCount, storeInBytes, segments, commit, primaryTerm } = shard
  return {
    shard: number,
    docCount,
    deletedDocCount,
    storeInBytes,
    segmentCount: segments.length,
    isLoaded: false,
    segmentMemoryInBytes: 0,
    memory: noSegmentUse(),
    writerInBytes: 0,
    versionMapInBytes: 0,
    fileSizes: segments.reduce((sizes, { files }) => addSizes(sizes, files), new Map()),
    completions: new Map(),
    indexing: { ...NEVER, failed: 0, noop: 0, lastAt: 0 },
    deletes: NEVER,
    get: { exists: NEVER, missing: NEVER },
    openContexts: 0,
    scroll: NEVER,
    pointInTime: NEVER,
    query: { ...NEVER, failed: 0 },
    concurrentQuery: { ...NEVER, slices: 0 },
    filterCache: { hits: 0, misses: 0, made: 0, kept: 0, bytes: 0 },
    fieldData: { fields: new Map(), evictions: 0 },
    requestCache: { hits: 0, misses: 0, evictions: 0, bytes: 0, count: 0 },
    fetch: NEVER,
    suggest: NEVER,
    groups: new Map(),
    merge: { ...NEVER, docs: 0, sizeInBytes: 0, currentDocs: 0, currentSizeInBytes: 0 },
    refresh: { ...NEVER, listeners: 0 },
    flush: { ...NEVER, periodic: 0 },
    translogOperations: 0,
    translogInBytes: 0,
    translogAgeInMillis: 0,
    maxSeqNo: commit.maxSeqNo,
    primaryTerm,
    commit,
  }
}

function addUse(to: SegmentUse, use: Readonly<SegmentUse> | undefined): void {
  if (use === undefined) return
  for (const part of USE_PARTS) to[part] += use[part]
}

function filesOf({ files, liveFile }: LiveSegment): LiveSegment['files'] {
  return liveFile === null ? files : [...files, liveFile]
}

function sizesOf(segments: readonly LiveSegment[]): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const segment of segments) addSizes(sizes, filesOf(segment))
  return sizes
}

/** Adds bytes by the extension of the name. */
function addSizes(sizes: Map<string, number>, files: LiveSegment['files']): Map<string, number> {
  for (const { name, length } of files) {
    const extension = name.slice(name.lastIndexOf('.') + 1)
    sizes.set(extension, (sizes.get(extension) ?? 0) + length)
  }
  return sizes
}

/** Bytes of a field's sections in the files of segments. */
function completionBytes(segments: readonly LiveSegment[], field: string): number {
  return segments.reduce((sum, { segment }) => sum + segment.fieldBytes(field), 0)
}

function operation({ count, timeInMillis, current }: Tally): OperationStats {
  return { count, timeInMillis: Math.floor(timeInMillis), current }
}
