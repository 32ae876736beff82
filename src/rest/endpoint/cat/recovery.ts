import type { NodeInfo } from '../../../engine/api/cluster.ts'
import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Column, column } from '../../cat/column.ts'
import { type Endpoint, TARGET_PARAMS, targetOf } from '../../endpoint.ts'
import { addressOf } from '../../node-view.ts'
import { flag, list } from '../../params.ts'
import {
  RECOVERY_STAGES,
  RECOVERY_TYPES,
  type Recovery,
  recoveredFiles,
  replayedPercent,
} from '../../recovery-view.ts'

interface RecoveryRow {
  readonly index: string
  readonly shard: number
  readonly recovery: Recovery
  readonly node: NodeInfo
  readonly host: string
}

/** In the place of what there is none of: nothing is copied from a node. */
const NONE = 'n/a'

const COLUMNS: readonly Column<RecoveryRow>[] = [
  column('index', 'i,idx', 'name of the index', row => row.index),
  column('shard', 's,sh', 'number of the shard', row => row.shard),
  column('start_time', 'start', 'when it began', row => dateText(row.recovery.startedAt)),
  column('stop_time', 'stop', 'when it ended', ({ recovery }) =>
    recovery.stage === 'done' ? dateText(recovery.stoppedAt) : null,
  ),
  column('time', 't,ti', 'how long it took', row => ({
    nanos: Math.round(row.recovery.totalInMillis) * 1e6,
  })),
  column('type', 'ty', 'kind of recovery', row => RECOVERY_TYPES[row.recovery.type].toLowerCase()),
  column('stage', 'st', 'stage that it is in', row =>
    RECOVERY_STAGES[row.recovery.stage].toLowerCase(),
  ),
  column('source_host', 'shost', 'host that it copies from', () => NONE),
  column('source_node', 'snode', 'node that it copies from', () => NONE),
  column('target_host', 'thost', 'host of the shard', row => row.host),
  column('target_node', 'tnode', 'node of the shard', row => row.node.nodeName),
  column('repository', 'rep', 'repository that it copies from', ({ recovery }) =>
    recovery.source === null ? NONE : recovery.source.repository,
  ),
  column('snapshot', 'snap', 'snapshot that it copies from', ({ recovery }) =>
    recovery.source === null ? NONE : recovery.source.snapshot,
  ),
  column('files', 'f', 'files to copy', row => filesOf(row).toCopy.count),
  column('files_recovered', 'fr', 'files copied', row => filesOf(row).copied.count),
  column('files_percent', 'fp', 'share of the files', row => filesOf(row).filesPercent),
  column('files_total', 'tf', 'all files', row => filesOf(row).total.count),
  column('bytes', 'b', 'bytes to copy', row => ({ bytes: filesOf(row).toCopy.bytes })),
  column('bytes_recovered', 'br', 'bytes copied', row => ({ bytes: filesOf(row).copied.bytes })),
  column('bytes_percent', 'bp', 'share of the bytes', row => filesOf(row).bytesPercent),
  column('bytes_total', 'tb', 'all bytes', row => ({ bytes: filesOf(row).total.bytes })),
  column(
    'translog_ops',
    'to',
    'operations of the log to apply',
    row => row.recovery.loggedOperations,
  ),
  column(
    'translog_ops_recovered',
    'tor',
    'operations applied',
    row => row.recovery.replayedOperations,
  ),
  column('translog_ops_percent', 'top', 'share of the operations', row =>
    replayedPercent(row.recovery),
  ),
]

function filesOf({ recovery }: RecoveryRow): ReturnType<typeof recoveredFiles> {
  return recoveredFiles(recovery)
}

function dateText(millis: number): string {
  return new Date(millis).toISOString()
}

/** `GET /_cat/recovery[/{index}]`: how shards were opened, or how far a restore is. */
export const catRecovery: Endpoint = catEndpoint({
  routes: [
    ['GET', '/_cat/recovery'],
    ['GET', '/_cat/recovery/{index}'],
  ],
  action: 'indices:monitor/recovery',
  params: { ...TARGET_PARAMS, active_only: flag, detailed: flag, index: list },
  columns: () => COLUMNS,
  async rows({ engine, params, part, httpAddress, context }) {
    const names = part('index') || (params.index ?? []).join(',')
    const target = targetOf(names, params, 'open,closed')
    const node = engine.cluster.nodeInfo()
    const { host } = addressOf(node, httpAddress)
    const indices = await engine.shards.recoveries(target, context)
    return indices.flatMap(({ index, shards }) =>
      shards
        .filter(({ recovery }) => params.active_only !== true || recovery.stage !== 'done')
        .map(({ shard, recovery }) => ({ index, shard, recovery, node, host })),
    )
  },
})
