import type { ClusterUsage, UsedAnalysis, UsedType } from '../../../engine/api/cluster.ts'
import type { IndexStats } from '../../../engine/api/stats.ts'
import { Float64, type JsonRecord, type JsonValue } from '../../../util/json/json-value.ts'
import { printMetrics, USUAL_METRICS } from '../../stats/metrics.ts'

const SHARD_METRICS = ['docs', 'store', 'fielddata', 'query_cache', 'completion', 'segments']

/** `indices` of `_cluster/stats`. */
export function indexSections(stats: readonly IndexStats[], usage: ClusterUsage): JsonRecord {
  const shards = stats.flatMap(index => index.shards)
  return {
    count: stats.length,
    shards: shards.length === 0 ? {} : shardCounts(stats),
    ...(printMetrics(SHARD_METRICS, shards, USUAL_METRICS) as Record<string, JsonValue>),
    mappings: { field_types: usage.fieldTypes.map(printType) },
    analysis: { ...printAnalysis(usage.own, '_types'), ...printAnalysis(usage.builtIn, 's') },
  }
}

/** Of copies that are active: primaries, all of them. */
function shardCounts(stats: readonly IndexStats[]): JsonRecord {
  const counts = stats.map(({ shards }) => shards.length)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const spread = {
    min: Math.min(...counts),
    max: Math.max(...counts),
    avg: new Float64(total / counts.length),
  }
  const none = new Float64(0)
  return {
    total,
    primaries: total,
    replication: none,
    index: {
      shards: spread,
      primaries: spread,
      replication: { min: none, max: none, avg: none },
    },
  }
}

function printType({ name, count, indexCount }: UsedType): JsonRecord {
  return { name, count, index_count: indexCount }
}

/** @param ending `_types` of types that indices define, `s` of built-in components */
function printAnalysis(analysis: UsedAnalysis, ending: '_types' | 's'): Record<string, JsonValue> {
  const prefix = ending === 's' ? 'built_in_' : ''
  return Object.fromEntries(
    Object.entries(analysis).map(([kind, types]): [string, JsonValue] => [
      `${prefix}${kind}${ending}`,
      (types as readonly UsedType[]).map(printType),
    ]),
  )
}
