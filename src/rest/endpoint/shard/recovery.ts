import type { NodeInfo } from '../../../engine/api/cluster.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { withHumanTwins } from '../../human.ts'
import { addressOf } from '../../node-view.ts'
import { flag } from '../../params.ts'
import {
  RECOVERY_STAGES,
  RECOVERY_TYPES,
  type Recovery,
  recoveredFiles,
  replayedPercent,
} from '../../recovery-view.ts'

/** `GET [/{index}]/_recovery`: how shards were opened, or how far a restore is; indices without any are left out. */
export const recovery: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_recovery'],
    ['GET', '/{index}/_recovery'],
  ],
  action: 'indices:monitor/recovery',
  params: { ...TARGET_PARAMS, detailed: flag, active_only: flag },
  body: 'none',
  async handle({ engine, params, part, human, httpAddress, context }): Promise<Answer> {
    const target = targetOf(part('index'), params, 'open,closed')
    const indices = await engine.shards.recoveries(target, context)
    const node = printNode(engine.cluster.nodeInfo(), httpAddress)
    const json = new Map<string, JsonValue>()
    for (const { index, shards } of indices) {
      const shown = shards.filter(
        ({ recovery }) => params.active_only !== true || recovery.stage !== 'done',
      )
      if (shown.length === 0) continue
      json.set(index, {
        shards: shown.map(({ shard, recovery }) => {
          const printed = print(shard, recovery, node, params.detailed ?? false)
          return human ? withHumanTwins(printed) : printed
        }),
      })
    }
    return { json }
  },
})

function printNode(info: NodeInfo, httpAddress: string | null): JsonRecord {
  const { name, transportAddress, host } = addressOf(info, httpAddress)
  return { id: info.nodeId, host, transport_address: transportAddress, ip: host, name }
}

function print(
  shard: number,
  recovery: Recovery,
  node: JsonRecord,
  isDetailed: boolean,
): JsonRecord {
  const { startedAt, stoppedAt, files, copiedFiles } = recovery
  const { total, copied, reused, filesPercent, bytesPercent } = recoveredFiles(recovery)
  return {
    id: shard,
    type: RECOVERY_TYPES[recovery.type],
    stage: RECOVERY_STAGES[recovery.stage],
    primary: true,
    start_time_in_millis: startedAt,
    ...(recovery.stage === 'done' ? { stop_time_in_millis: stoppedAt } : {}),
    total_time_in_millis: Math.round(recovery.totalInMillis),
    source: sourceOf(recovery),
    target: node,
    index: {
      size: {
        total_in_bytes: total.bytes,
        reused_in_bytes: reused.bytes,
        recovered_in_bytes: copied.bytes,
        percent: bytesPercent,
      },
      files: {
        total: total.count,
        reused: reused.count,
        recovered: copied.count,
        percent: filesPercent,
        ...(isDetailed
          ? {
              details: files.map(({ name, length }, i) => ({
                name,
                length_in_bytes: length,
                reused: reused.count > 0,
                recovered_in_bytes: i < copiedFiles ? length : 0,
              })),
            }
          : {}),
      },
      total_time_in_millis: Math.round(recovery.indexInMillis),
      source_throttle_time_in_millis: 0,
      target_throttle_time_in_millis: 0,
    },
    translog: {
      recovered: recovery.replayedOperations,
      total: recovery.loggedOperations,
      percent: replayedPercent(recovery),
      total_on_start: recovery.loggedOperations,
      total_time_in_millis: Math.round(recovery.translogInMillis),
    },
    verify_index: {
      check_index_time_in_millis: Math.round(recovery.verifyInMillis),
      total_time_in_millis: Math.round(recovery.verifyInMillis),
    },
  }
}

function sourceOf({ type, source }: Recovery): JsonRecord {
  if (source !== null)
    return {
      repository: source.repository,
      snapshot: source.snapshot,
      version: source.version,
      index: source.index,
      restoreUUID: source.restoreUuid,
    }
  return type === 'emptyStore' ? {} : { bootstrap_new_history_uuid: false }
}
