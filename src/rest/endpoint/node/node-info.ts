import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { withHumanTwins } from '../../human.ts'
import { addressOf, attributesOf, isNodeMeant, NODE_ROLES } from '../../node-view.ts'
import { flag, list, millis, unrecognized } from '../../params.ts'
import { VERSION_INFO } from '../../version.ts'
import { NODE_SECTIONS, type SectionSource } from './node-info-sections.ts'
import { nodesAnswer } from './nodes-answer.ts'

/** `modules` is printed with `plugins`, as the real server does. */
const METRICS = [...Object.keys(NODE_SECTIONS).filter(name => name !== 'modules'), 'indices']

/** `GET /_nodes[/{node_id}][/{metric}]`: the one node there is. */
export const nodeInfo: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_nodes'],
    ['GET', '/_nodes/{node_id}'],
    ['GET', '/_nodes/{node_id}/{metric}'],
    ['GET', '/_nodes/{node_id}/info'],
    ['GET', '/_nodes/{node_id}/info/{metric}'],
  ],
  action: 'cluster:monitor/nodes/info',
  params: { flat_settings: flag, timeout: millis },
  body: 'none',
  handle({ engine, params, part, path, human, httpAddress }): Answer {
    const info = engine.cluster.nodeInfo()
    let filters = list(part('node_id'))
    let metrics = list(part('metric'))
    // One part alone may be metrics: `_nodes/http,os`.
    if (metrics.length === 0 && filters.length > 0 && filters.every(isMetric)) {
      metrics = filters
      filters = []
    }
    const unknown = metrics.filter(metric => !isMetric(metric))
    if (unknown.length > 0) throw unrecognized(path, 'metric', unknown, METRICS)
    const isAll = metrics.length === 0 || metrics.includes('_all')
    if (!isNodeMeant(filters, info, httpAddress)) return nodesAnswer(info, null)
    const isFlat = params.flat_settings ?? false
    const { processors } = engine.pipelines
    const { processors: searchProcessors } = engine.searchPipelines
    const source = { info, processors, searchProcessors, isFlat, httpAddress }
    const printed = print(source, metric => isAll || metrics.includes(metric))
    return nodesAnswer(info, human ? withHumanTwins(printed) : printed)
  },
})

function isMetric(name: string): boolean {
  return name === '_all' || METRICS.includes(name)
}

function print(source: SectionSource, isShown: (metric: string) => boolean): JsonRecord {
  const { info, httpAddress } = source
  const { name, transportAddress, host } = addressOf(info, httpAddress)
  const sections = Object.entries(NODE_SECTIONS)
    .filter(([metric]) => isShown(metric === 'modules' ? 'plugins' : metric))
    .map(([metric, section]): [string, JsonValue] => [metric, section(source)])
  return {
    name,
    transport_address: transportAddress,
    host,
    ip: host,
    version: VERSION_INFO.number,
    build_type: VERSION_INFO.build_type,
    build_hash: VERSION_INFO.build_hash,
    total_indexing_buffer_in_bytes: info.totalIndexingBufferInBytes,
    roles: [...NODE_ROLES],
    attributes: attributesOf(info),
    ...Object.fromEntries(sections),
  }
}
