import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import { type Answer, type Call, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { isNodeMeant } from '../../node-view.ts'
import { list, millis, type ParamTable, unrecognized } from '../../params.ts'
import { nodesAnswer } from './nodes-answer.ts'

/** By the name of the metric, in print order. */
const SECTIONS: Readonly<Record<string, (call: Call<ParamTable>) => JsonValue>> = {
  rest_actions: ({ usage }) => new Map(usage.counts()),
  aggregations: ({ engine }) =>
    new Map([...engine.searches.aggregationUse()].map(([name, types]) => [name, new Map(types)])),
}
const METRICS = Object.keys(SECTIONS)

/** `GET /_nodes[/{node_id}]/usage[/{metric}]`: requests and aggregations since the start, counted. */
export const nodeUsage: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_nodes/usage'],
    ['GET', '/_nodes/usage/{metric}'],
    ['GET', '/_nodes/{node_id}/usage'],
    ['GET', '/_nodes/{node_id}/usage/{metric}'],
  ],
  action: 'cluster:monitor/nodes/usage',
  params: { timeout: millis },
  body: 'none',
  handle(call): Answer {
    const metrics = chosenMetrics(call.path, call.part('metric'))
    const info = call.engine.cluster.nodeInfo()
    if (!isNodeMeant(list(call.part('node_id')), info, call.httpAddress))
      return nodesAnswer(info, null)
    const sections = METRICS.filter(metric => metrics.includes(metric)).map(
      (metric): [string, JsonValue] => [metric, SECTIONS[metric]!(call)],
    )
    const shown = {
      timestamp: Date.now(),
      since: call.usage.since,
      ...Object.fromEntries(sections),
    }
    return nodesAnswer(info, shown as JsonRecord)
  },
})

function chosenMetrics(path: string, given: string): readonly string[] {
  const asked = list(given)
  if (asked.length === 0 || (asked.length === 1 && asked[0] === '_all')) return METRICS
  if (asked.includes('_all'))
    throw new IllegalArgumentError(
      `request [${path}] contains _all and individual metrics [${given}]`,
    )
  const unknown = asked.filter(metric => !METRICS.includes(metric))
  if (unknown.length > 0) throw unrecognized(path, 'metric', unknown, METRICS)
  return asked
}
