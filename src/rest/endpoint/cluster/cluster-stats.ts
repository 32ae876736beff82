import type { EngineApi } from '../../../engine/api/engine-api.ts'
import type { CallContext } from '../../../task/call-context.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  NO_TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { withHumanTwins } from '../../human.ts'
import { isNodeMeant } from '../../node-view.ts'
import { flag, list, millis, unrecognized } from '../../params.ts'
import { indexSections } from './cluster-index-sections.ts'
import { clusterNodeSections } from './cluster-node-sections.ts'

const NODE_METRICS = [
  'os',
  'process',
  'jvm',
  'fs',
  'plugins',
  'network_types',
  'discovery_types',
  'packaging_types',
  'ingest',
]
const METRICS = [...NODE_METRICS, 'indices']
const INDEX_METRICS = [
  'shards',
  'docs',
  'store',
  'fielddata',
  'query_cache',
  'completion',
  'segments',
  'mappings',
  'analysis',
]

/** `GET /_cluster/stats[[/{metric}[/{index_metric}]]/nodes/{node_id}]`. */
export const clusterStats: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_cluster/stats'],
    ['GET', '/_cluster/stats/nodes/{node_id}'],
    ['GET', '/_cluster/stats/{metric}/nodes/{node_id}'],
    ['GET', '/_cluster/stats/{metric}/{index_metric}/nodes/{node_id}'],
  ],
  action: 'cluster:monitor/stats',
  params: { flat_settings: flag, timeout: millis },
  body: 'none',
  async handle({ engine, part, path, human, httpAddress, context }): Promise<Answer> {
    const metrics = chosen(path, part('metric'), 'metric', METRICS)
    const indexMetrics = chosen(path, part('index_metric'), 'index metric', INDEX_METRICS)
    const info = engine.cluster.nodeInfo()
    const isMeant = isNodeMeant(list(part('node_id')), info, httpAddress)
    const count = isMeant ? 1 : 0
    const json: JsonRecord = {
      _nodes: { total: count, successful: count, failed: 0 },
      cluster_name: info.clusterName,
      cluster_uuid: info.clusterUuid,
      timestamp: Date.now(),
      ...(isMeant ? await printCluster(engine, metrics, indexMetrics, context) : {}),
    }
    return { json: human ? withHumanTwins(json) : json }
  },
})

async function printCluster(
  engine: EngineApi,
  metrics: ReadonlySet<string>,
  indexMetrics: ReadonlySet<string>,
  context: CallContext,
): Promise<JsonRecord> {
  const all = targetOf('', NO_TARGET_PARAMS, 'all')
  const { status } = engine.cluster.health(all, context)
  const shown: Record<string, JsonValue> = { status }
  if (metrics.has('indices')) {
    const stats = await engine.cluster.stats(all, false, context)
    shown['indices'] = only(
      indexSections(stats, engine.cluster.usage()),
      INDEX_METRICS,
      indexMetrics,
    )
  }
  shown['nodes'] = only(
    clusterNodeSections(
      engine.cluster.nodeInfo(),
      engine.cluster.nodeUse(),
      engine.pipelines.stats(),
      engine.cluster.machineUse(),
    ),
    NODE_METRICS,
    metrics,
  )
  return shown
}

/** The sections that are chosen, and those that no metric is for. */
function only(
  sections: JsonRecord,
  metrics: readonly string[],
  shown: ReadonlySet<string>,
): JsonRecord {
  const kept = Object.entries(sections).filter(
    ([name]) => !metrics.includes(name) || shown.has(name),
  )
  return Object.fromEntries(kept)
}

function chosen(
  path: string,
  names: string,
  what: string,
  known: readonly string[],
): ReadonlySet<string> {
  const asked = list(names)
  const unknown = asked.filter(name => name !== '_all' && !known.includes(name))
  if (unknown.length > 0) throw unrecognized(path, what, unknown, known)
  return new Set(asked.length === 0 || asked.includes('_all') ? known : asked)
}
