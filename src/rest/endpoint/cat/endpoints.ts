/** The tables of `_cat`. */
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { catAliases } from './aliases.ts'
import { catAllocation } from './allocation.ts'
import { catClusterManager } from './cluster-manager.ts'
import { catCount } from './count.ts'
import { catFielddata } from './fielddata.ts'
import { catHealth } from './health.ts'
import { catIndices } from './indices.ts'
import { catNodeAttributes } from './node-attributes.ts'
import { catNodes } from './nodes.ts'
import { catPendingTasks } from './pending-tasks.ts'
import { catPlugins } from './plugins.ts'
import { catRecovery } from './recovery.ts'
import { catRepositories } from './repositories.ts'
import { catSegments } from './segments.ts'
import { catShards } from './shards.ts'
import { catSnapshots } from './snapshots.ts'
import { catTasks } from './tasks.ts'
import { catTemplates } from './templates.ts'
import { catThreadPool } from './thread-pool.ts'

const TABLES: readonly Endpoint[] = [
  catAliases,
  catAllocation,
  catClusterManager,
  catCount,
  catFielddata,
  catHealth,
  catIndices,
  catNodeAttributes,
  catNodes,
  catPendingTasks,
  catPlugins,
  catRecovery,
  catRepositories,
  catSegments,
  catShards,
  catTasks,
  catSnapshots,
  catTemplates,
  catThreadPool,
]

/** `GET /_cat`: the paths of the tables. */
const catPaths: Endpoint = defineEndpoint({
  routes: [['GET', '/_cat']],
  action: 'cluster:monitor/main',
  params: {},
  body: 'none',
  handle(): Answer {
    const paths = TABLES.flatMap(({ routes }) => routes.map(([, path]) => path)).sort()
    return { text: `=^.^=\n${paths.map(path => `${path}\n`).join('')}` }
  },
})

/** The tables, and the list of their paths. */
export const CAT_ENDPOINTS: readonly Endpoint[] = [catPaths, ...TABLES]
