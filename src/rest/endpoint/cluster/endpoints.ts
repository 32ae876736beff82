/** The endpoints of the cluster and its one node. */
import type { Endpoint } from '../../endpoint.ts'
import { clusterHealth } from './cluster-health.ts'
import { getClusterSettings, putClusterSettings } from './cluster-settings.ts'
import { nodes } from './nodes.ts'
import { pendingTasks } from './pending-tasks.ts'
import { root } from './root.ts'

/** Its name, health, settings, pending changes and node. */
export const CLUSTER_ENDPOINTS: readonly Endpoint[] = [
  root,
  clusterHealth,
  getClusterSettings,
  putClusterSettings,
  pendingTasks,
  nodes,
]
