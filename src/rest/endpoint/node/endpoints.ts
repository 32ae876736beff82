/** The endpoints of nodes. */
import type { Endpoint } from '../../endpoint.ts'
import { hotThreads } from './hot-threads.ts'
import { nodeInfo } from './node-info.ts'
import { nodeStats } from './node-stats.ts'
import { nodeUsage } from './node-usage.ts'
import { reloadSecureSettings } from './reload-secure-settings.ts'

/** Facts, statistics and use of the one node there is. */
export const NODE_ENDPOINTS: readonly Endpoint[] = [
  nodeInfo,
  nodeStats,
  nodeUsage,
  hotThreads,
  reloadSecureSettings,
]
