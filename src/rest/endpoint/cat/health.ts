import type { ClusterHealth } from '../../../engine/api/cluster.ts'
import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Column, column } from '../../cat/column.ts'
import { TIMESTAMP_COLUMNS, type Timed } from '../../cat/timestamp-columns.ts'
import { type Endpoint, TARGET_PARAMS, targetOf } from '../../endpoint.ts'
import { flag } from '../../params.ts'

interface HealthRow extends Timed {
  readonly cluster: string
  readonly health: ClusterHealth
}

const right = { isRight: true }

const COLUMNS: readonly Column<HealthRow>[] = [
  column('cluster', 'cl', 'name of the cluster', row => row.cluster),
  column('status', 'st', 'green, yellow or red', ({ health }) => health.status),
  column('node.total', 'nt,nodeTotal', 'number of nodes', () => 1, right),
  column('node.data', 'nd,nodeData', 'number of nodes that hold data', () => 1, right),
  column('discovered_cluster_manager', 'dcm', 'whether there is a cluster manager', () => true),
  column(
    'shards',
    't,sh,shards.total,shardsTotal',
    'number of active shards',
    ({ health }) => health.activeShards,
    right,
  ),
  column(
    'pri',
    'p,shards.primary,shardsPrimary',
    'number of active primary shards',
    ({ health }) => health.activePrimaryShards,
    right,
  ),
  column(
    'relo',
    'r,shards.relocating,shardsRelocating',
    'number of shards that move',
    ({ health }) => health.relocatingShards,
    right,
  ),
  column(
    'init',
    'i,shards.initializing,shardsInitializing',
    'number of shards that start',
    ({ health }) => health.initializingShards,
    right,
  ),
  column(
    'unassign',
    'u,shards.unassigned,shardsUnassigned',
    'number of shards without a node',
    ({ health }) => health.unassignedShards,
    right,
  ),
  column(
    'pending_tasks',
    'pt,pendingTasks',
    'number of metadata changes that wait',
    ({ health }) => health.pendingTaskCount,
    right,
  ),
  column(
    'max_task_wait_time',
    'mtwt,maxTaskWaitTime',
    'longest time that a metadata change has waited',
    ({ health }) =>
      health.longestPendingInMillis > 0 ? { nanos: health.longestPendingInMillis * 1e6 } : '-',
    right,
  ),
  column(
    'active_shards_percent',
    'asp,activeShardsPercent',
    'share of shards that are active',
    ({ health }) => `${activePercent(health).toFixed(1)}%`,
    right,
  ),
]

function activePercent(health: ClusterHealth): number {
  const all = health.activeShards + health.unassignedShards + health.initializingShards
  return all === 0 ? 100 : (health.activeShards * 100) / all
}

/** `GET /_cat/health`. */
export const catHealth: Endpoint = catEndpoint({
  routes: [['GET', '/_cat/health']],
  action: 'cluster:monitor/health',
  params: { ts: flag, ...TARGET_PARAMS },
  columns: ({ params }) => (params.ts === false ? COLUMNS : [...TIMESTAMP_COLUMNS, ...COLUMNS]),
  rows: ({ engine, params, context }) => [
    {
      at: new Date(),
      cluster: engine.cluster.identity.clusterName,
      health: engine.cluster.health(targetOf('', params, 'all'), context),
    },
  ],
})
