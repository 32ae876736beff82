/** The endpoints of the cluster. */
import type { Endpoint } from '../../endpoint.ts'
import { allocationExplain } from './allocation-explain.ts'
import { clusterHealth } from './cluster-health.ts'
import { getClusterSettings, putClusterSettings } from './cluster-settings.ts'
import { clusterStats } from './cluster-stats.ts'
import { pendingTasks } from './pending-tasks.ts'
import { remoteInfo } from './remote-info.ts'
import { reroute } from './reroute.ts'
import { root } from './root.ts'
import { clusterState } from './state.ts'

/** Its name, health, state, settings, pending changes, statistics, allocation and remote clusters. */
export const CLUSTER_ENDPOINTS: readonly Endpoint[] = [
  root,
  clusterHealth,
  clusterState,
  getClusterSettings,
  putClusterSettings,
  pendingTasks,
  clusterStats,
  reroute,
  allocationExplain,
  remoteInfo,
]
