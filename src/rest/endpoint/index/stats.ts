import type { NodeInfo } from '../../../engine/api/cluster.ts'
import type { IndexStats, ShardStats } from '../../../engine/api/stats.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { withHumanTwins } from '../../human.ts'
import { choice, flag, list, type ParamReader, unrecognized } from '../../params.ts'
import { METRIC_NAMES, printMetrics } from '../../stats/metrics.ts'

const level: ParamReader<string> = choice('cluster', 'indices', 'shards', 'shard')

/** `GET [/{index}]/_stats[/{metric}]`. */
export const stats: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_stats'],
    ['GET', '/_stats/{metric}'],
    ['GET', '/{index}/_stats'],
    ['GET', '/{index}/_stats/{metric}'],
  ],
  action: 'indices:monitor/stats',
  params: {
    ...TARGET_PARAMS,
    level,
    groups: list,
    include_segment_file_sizes: flag,
    fields: list,
    fielddata_fields: list,
    completion_fields: list,
    forbid_closed_indices: flag,
    include_unloaded_segments: flag,
  },
  body: 'none',
  async handle({ engine, params, part, path, human, context }): Promise<Answer> {
    const asked = list(part('metric'))
    const unknown = asked.filter(metric => metric !== '_all' && !METRIC_NAMES.includes(metric))
    if (unknown.length > 0) throw unrecognized(path, 'metric', unknown, METRIC_NAMES)
    const isAll = asked.length === 0 || asked.includes('_all')
    const metrics = METRIC_NAMES.filter(metric => isAll || asked.includes(metric))
    const print = (shards: readonly ShardStats[]): JsonRecord =>
      printMetrics(metrics, shards, {
        groups: params.groups ?? [],
        fielddataFields: params.fielddata_fields ?? params.fields ?? null,
        completionFields: params.completion_fields ?? params.fields ?? null,
        hasFileSizes: params.include_segment_file_sizes ?? false,
        hasUnloaded: params.include_unloaded_segments ?? false,
        human,
      })
    const target = targetOf(part('index'), params, 'open')
    const indices = await engine.cluster.stats(
      target,
      params.forbid_closed_indices ?? true,
      context,
    )
    const shards = indices.flatMap(index => index.shards)
    const total = sumOf(indices.map(index => index.numberOfShards * (1 + index.numberOfReplicas)))
    const printed = new Map(
      indices.map((index): [string, JsonValue] => [
        index.index,
        {
          uuid: index.uuid,
          ...both(print(index.shards)),
          shards: params.level?.startsWith('shard')
            ? printShards(print, index, engine.cluster.nodeInfo())
            : undefined,
        } as JsonRecord,
      ]),
    )
    const body = {
      _shards: { total, successful: shards.length, failed: 0 },
      _all: both(print(shards)),
      indices: params.level === 'cluster' ? undefined : printed,
    } as JsonRecord
    return { json: human ? withHumanTwins(body) : body }
  },
})

/** Primaries and all copies: on one node the same. */
function both(printed: JsonRecord): Record<string, JsonValue> {
  return { primaries: printed, total: printed }
}

function printShards(
  print: (shards: readonly ShardStats[]) => JsonRecord,
  index: IndexStats,
  { nodeId, folder }: NodeInfo,
): JsonValue {
  // Of what lies in memory there is no path.
  const path = folder ?? ''
  return new Map(
    index.shards.map((shard): [string, JsonValue] => [
      String(shard.shard),
      [
        {
          routing: { state: 'STARTED', primary: true, node: nodeId, relocating_node: null },
          ...(print([shard]) as Record<string, JsonValue>),
          commit: printCommit(shard.commit),
          seq_no: {
            max_seq_no: shard.maxSeqNo,
            local_checkpoint: shard.maxSeqNo,
            global_checkpoint: shard.maxSeqNo,
          },
          // Leases hold operations back for other copies, and there are none.
          retention_leases: { primary_term: shard.primaryTerm, version: 0, leases: [] },
          shard_path: { state_path: path, data_path: path, is_custom_data_path: false },
        },
      ],
    ]),
  )
}

function printCommit({ id, generation, docCount, ...data }: ShardStats['commit']): JsonRecord {
  const { maxSeqNo, localCheckpoint, logId } = data
  const userData = {
    local_checkpoint: String(localCheckpoint),
    max_seq_no: String(maxSeqNo),
    translog_uuid: logId ?? undefined,
  } as JsonRecord
  return { id, generation, user_data: userData, num_docs: docCount }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
