/** The tables of `_cat`. */
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { catAliases } from './aliases.ts'
import { catAllocation } from './allocation.ts'
import { catClusterManager } from './cluster-manager.ts'
import { catCount } from './count.ts'
import { catFielddata } from './fielddata.ts'
import { catHealth } from './health.ts'
import { catIndices, listIndices } from './indices.ts'
import { catNodeAttributes } from './node-attributes.ts'
import { catNodes } from './nodes.ts'
import { catPendingTasks } from './pending-tasks.ts'
import { catAllPitSegments, catPitSegments } from './pit-segments.ts'
import { catPlugins } from './plugins.ts'
import { catRecovery } from './recovery.ts'
import { catRepositories } from './repositories.ts'
import { catSegmentReplication } from './segment-replication.ts'
import { catSegments } from './segments.ts'
import { catShards, listShards } from './shards.ts'
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
  catPitSegments,
  catAllPitSegments,
  catPlugins,
  catRecovery,
  catRepositories,
  catSegmentReplication,
  catSegments,
  catShards,
  catTasks,
  catSnapshots,
  catTemplates,
  catThreadPool,
]

/** Those in pages. */
const LISTS: readonly Endpoint[] = [listIndices, listShards]

/** `GET /_cat`: the paths of the tables. */
const catPaths: Endpoint = pathsEndpoint('/_cat', '=^.^=', TABLES)

/** `GET /_list`: the paths of the tables in pages. */
const listPaths: Endpoint = pathsEndpoint('/_list', ':-|', LISTS)

function pathsEndpoint(path: string, title: string, tables: readonly Endpoint[]): Endpoint {
  return defineEndpoint({
    routes: [['GET', path]],
    action: 'cluster:monitor/main',
    params: {},
    body: 'none',
    handle(): Answer {
      const paths = tables.flatMap(({ routes }) => routes.map(([, path]) => path)).sort()
      return { text: `${title}\n${paths.map(path => `${path}\n`).join('')}` }
    },
  })
}

/** The tables, and the lists of their paths. */
export const CAT_ENDPOINTS: readonly Endpoint[] = [catPaths, ...TABLES, listPaths, ...LISTS]
