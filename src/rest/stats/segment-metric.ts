import type { ShardStats } from '../../engine/api/stats.ts'
import type { JsonRecord, JsonValue } from '../../util/json/json-value.ts'
import { NO_REMOTE_SEGMENTS, NO_SEGMENT_REPLICATION } from './absent-features.ts'
import { sum } from './shard-sums.ts'

/** Contents of files, by their extension. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  seg: 'Terms, Postings, Doc Values and Points',
  sto: 'Stored Fields',
  liv: 'Live Documents',
}

/** How much of segments is printed. */
export interface SegmentMetricOptions {
  readonly hasFileSizes: boolean
  /** Whether those of closed indices count. */
  readonly hasUnloaded: boolean
}

/** The `segments` metric of some shards together. */
export function segmentMetric(
  all: readonly ShardStats[],
  { hasFileSizes, hasUnloaded }: SegmentMetricOptions,
): JsonRecord {
  const shards = hasUnloaded ? all : all.filter(({ isLoaded }) => isLoaded)
  return {
    count: sum(shards, s => s.segmentCount),
    memory_in_bytes: sum(shards, s => s.segmentMemoryInBytes),
    terms_memory_in_bytes: sum(shards, s => s.memory.terms),
    // Stored fields are read from disk.
    stored_fields_memory_in_bytes: 0,
    term_vectors_memory_in_bytes: sum(shards, s => s.memory.termVectors),
    norms_memory_in_bytes: sum(shards, s => s.memory.norms),
    points_memory_in_bytes: sum(shards, s => s.memory.points),
    doc_values_memory_in_bytes: sum(shards, s => s.memory.docValues),
    index_writer_memory_in_bytes: sum(shards, s => s.writerInBytes),
    version_map_memory_in_bytes: sum(shards, s => s.versionMapInBytes),
    fixed_bit_set_memory_in_bytes: sum(shards, s => s.memory.bitSets),
    // No write is taken for new without a look at its id.
    max_unsafe_auto_id_timestamp: -1,
    remote_store: NO_REMOTE_SEGMENTS,
    segment_replication: NO_SEGMENT_REPLICATION,
    file_sizes: hasFileSizes ? fileSizes(shards) : {},
  }
}

function fileSizes(shards: readonly ShardStats[]): JsonValue {
  const sizes = new Map<string, number>()
  for (const shard of shards)
    for (const [extension, bytes] of shard.fileSizes)
      sizes.set(extension, (sizes.get(extension) ?? 0) + bytes)
  return new Map(
    [...sizes]
      .sort()
      .map(([extension, bytes]): [string, JsonValue] => [
        extension,
        { size_in_bytes: bytes, description: DESCRIPTIONS[extension] ?? 'Others' },
      ]),
  )
}
