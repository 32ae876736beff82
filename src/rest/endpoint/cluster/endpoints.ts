/** The endpoints of the cluster and its one node. */
import type { Endpoint } from '../../endpoint.ts'
import { allocationExplain } from './allocation-explain.ts'
import { clusterHealth } from './cluster-health.ts'
import { getClusterSettings, putClusterSettings } from './cluster-settings.ts'
import { clusterStats } from './cluster-stats.ts'
import { nodeStats } from './node-stats.ts'
import { nodes } from './nodes.ts'
import { pendingTasks } from './pending-tasks.ts'
import { reroute } from './reroute.ts'
import { root } from './root.ts'
import { clusterState } from './state.ts'

/** Its name, health, state, settings, pending changes, statistics, allocation and node. */
export const CLUSTER_ENDPOINTS: readonly Endpoint[] = [
  root,
  clusterHealth,
  clusterState,
  getClusterSettings,
  putClusterSettings,
  pendingTasks,
  nodes,
  nodeStats,
  clusterStats,
  reroute,
  allocationExplain,
]
