import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Column, column } from '../../cat/column.ts'
import { type Endpoint, TARGET_PARAMS, targetOf } from '../../endpoint.ts'
import { flag, list, millis } from '../../params.ts'

const COLUMNS: readonly Column<never>[] = [
  column('shardId', 's', 'index and number of the shard', () => null),
  column('target_node', 'tnode', 'name of the node that copies', () => null),
  column('target_host', 'thost', 'host of the node that copies', () => null),
  column('checkpoints_behind', 'cpb', 'checkpoints that the copy lacks', () => null),
  column('bytes_behind', 'bb', 'bytes that the copy lacks', () => null),
  column('current_lag', 'clag', 'how long the copy has been behind', () => null),
  column('last_completed_lag', 'lcl', 'how long the last copying took', () => null),
  column('rejected_requests', 'rr', 'requests that were refused because of lag', () => null),
]

const DETAILS: readonly Column<never>[] = [
  column('stage', 'st', 'stage of the copying', () => null),
  column('time', 't,ti', 'how long the copying took', () => null),
  column('files_fetched', 'ff', 'files copied so far', () => null),
  column('files_percent', 'fp', 'share of the files copied so far', () => null),
  column('bytes_fetched', 'bf', 'bytes copied so far', () => null),
  column('bytes_percent', 'bp', 'share of the bytes copied so far', () => null),
  column('start_time', 'start', 'when the copying began', () => null),
  column('stop_time', 'stop', 'when the copying ended', () => null),
  column('files', 'f', 'files to copy', () => null),
  column('files_total', 'tf', 'files of the shard', () => null),
  column('bytes', 'b', 'bytes to copy', () => null),
  column('bytes_total', 'tb', 'bytes of the shard', () => null),
  column('replicating_stage_time_taken', 'rstt', 'time of that stage', () => null),
  column('get_checkpoint_info_stage_time_taken', 'gcistt', 'time of that stage', () => null),
  column('file_diff_stage_time_taken', 'fdstt', 'time of that stage', () => null),
  column('get_files_stage_time_taken', 'gfstt', 'time of that stage', () => null),
  column('finalize_replication_stage_time_taken', 'frstt', 'time of that stage', () => null),
]

/** `GET /_cat/segment_replication[/{index}]`: without rows, as one node has no copies that fetch segments. */
export const catSegmentReplication: Endpoint = catEndpoint({
  routes: [
    ['GET', '/_cat/segment_replication'],
    ['GET', '/_cat/segment_replication/{index}'],
  ],
  action: 'indices:monitor/segment_replication',
  params: {
    ...TARGET_PARAMS,
    active_only: flag,
    completed_only: flag,
    detailed: flag,
    ignore_throttled: flag,
    shards: list,
    timeout: millis,
  },
  columns: ({ params }) => (params.detailed === true ? [...COLUMNS, ...DETAILS] : COLUMNS),
  async rows({ engine, params, part, context }) {
    await engine.indices.show(targetOf(part('index'), params, 'open,closed'), context)
    return []
  },
})
