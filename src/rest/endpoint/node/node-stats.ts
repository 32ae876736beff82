import type { IndexStats, ShardStats } from '../../../engine/api/stats.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  NO_TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { withHumanTwins } from '../../human.ts'
import { addressOf, attributesOf, isNodeMeant, NODE_ROLES } from '../../node-view.ts'
import { takes } from '../../param-form.ts'
import { flag, list, millis, type ParamReader, unrecognized } from '../../params.ts'
import { METRIC_NAMES, type MetricOptions, printMetrics } from '../../stats/metrics.ts'
import { printSearchPhases, printStatuses } from './load-sections.ts'
import { NODE_STAT_SECTIONS } from './node-stat-sections.ts'
import type { NodeStatSource } from './node-stat-source.ts'
import { nodesAnswer } from './nodes-answer.ts'

const METRICS: readonly string[] = ['indices', ...Object.keys(NODE_STAT_SECTIONS)]

/** Levels as they are asked for, and what is printed below `indices`; null: sums alone. */
const LEVELS: Readonly<Record<string, 'indices' | 'shards' | null>> = {
  node: null,
  tier: null,
  indices: 'indices',
  shards: 'shards',
  shard: 'shards',
}

const level: ParamReader<string> = takes(Object.keys(LEVELS).join(', '), value => {
  if (Object.hasOwn(LEVELS, value)) return value
  throw new IllegalArgumentError(
    `level parameter must be one of [indices] or [node] or [shards] but was [${value}]`,
  )
})

/** `GET /_nodes[/{node_id}]/stats[/{metric}[/{index_metric}]]`: the one node there is. */
export const nodeStats: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_nodes/stats'],
    ['GET', '/_nodes/stats/{metric}'],
    ['GET', '/_nodes/stats/{metric}/{index_metric}'],
    ['GET', '/_nodes/{node_id}/stats'],
    ['GET', '/_nodes/{node_id}/stats/{metric}'],
    ['GET', '/_nodes/{node_id}/stats/{metric}/{index_metric}'],
  ],
  action: 'cluster:monitor/nodes/stats',
  params: {
    level,
    groups: list,
    include_segment_file_sizes: flag,
    fields: list,
    fielddata_fields: list,
    completion_fields: list,
    // Of the pressure of shards, which is not measured.
    include_all: flag,
    top: flag,
    timeout: millis,
  },
  body: 'none',
  async handle({ engine, params, part, path, human, context, ...request }): Promise<Answer> {
    const metrics = chosenMetrics(path, list(part('metric')))
    const indexMetrics = chosenIndexMetrics(path, part('index_metric'), metrics)
    const info = engine.cluster.nodeInfo()
    const { httpAddress, connections, refusals } = request
    if (!isNodeMeant(list(part('node_id')), info, httpAddress)) return nodesAnswer(info, null)
    const level = LEVELS[params.level ?? 'node'] ?? null
    const wantsStats = metrics.includes('indices') || (metrics.includes('caches') && level !== null)
    const all = targetOf('', NO_TARGET_PARAMS, 'all')
    const stats = wantsStats ? await engine.cluster.stats(all, false, context) : []
    const source: NodeStatSource = {
      info,
      use: engine.cluster.nodeUse(),
      machine: once(() => engine.cluster.machineUse()),
      ingest: () => engine.pipelines.stats(),
      searchPipelines: () => engine.searchPipelines.stats(),
      connections,
      refusals,
      level,
      stats: stats.filter(({ isOpen }) => isOpen),
      now: Date.now(),
    }
    const options = {
      groups: params.groups ?? [],
      fielddataFields: params.fielddata_fields ?? params.fields ?? null,
      completionFields: params.completion_fields ?? params.fields ?? null,
      hasFileSizes: params.include_segment_file_sizes ?? false,
      hasUnloaded: false,
      human,
    }
    const printed = {
      ...head(source, httpAddress),
      ...(metrics.includes('indices') ? { indices: indices(indexMetrics, source, options) } : {}),
      ...sections(metrics, source),
    } as JsonRecord
    return nodesAnswer(info, human ? withHumanTwins(printed) : printed)
  },
})

/** A value that is made when it is asked for first. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}

function chosenMetrics(path: string, asked: readonly string[]): readonly string[] {
  if (asked.length === 0 || (asked.length === 1 && asked[0] === '_all')) return METRICS
  if (asked.includes('_all'))
    throw new IllegalArgumentError(
      `request [${path}] contains _all and individual metrics [${asked.join(',')}]`,
    )
  const unknown = asked.filter(metric => !METRICS.includes(metric))
  if (unknown.length > 0) throw unrecognized(path, 'metric', unknown, METRICS)
  return asked
}

function chosenIndexMetrics(
  path: string,
  given: string,
  metrics: readonly string[],
): readonly string[] {
  const asked = list(given)
  if (asked.length === 0 || (asked.length === 1 && asked[0] === '_all')) return METRIC_NAMES
  if (!metrics.includes('indices')) {
    if (!metrics.includes('caches'))
      throw new IllegalArgumentError(
        `request [${path}] contains index metrics [${given}] but indices stats not requested`,
      )
    const unknown = asked.filter(metric => metric !== 'request_cache')
    if (unknown.length > 0) throw unrecognized(path, 'cache type', unknown, ['request_cache'])
    return asked
  }
  const unknown = asked.filter(metric => !METRIC_NAMES.includes(metric))
  if (unknown.length > 0) throw unrecognized(path, 'index metric', unknown, METRIC_NAMES)
  return METRIC_NAMES.filter(metric => asked.includes(metric))
}

function head({ info, now }: NodeStatSource, httpAddress: string | null): JsonRecord {
  const { name, transportAddress, host } = addressOf(info, httpAddress)
  return {
    timestamp: now,
    name,
    transport_address: transportAddress,
    host,
    ip: transportAddress,
    roles: [...NODE_ROLES],
    attributes: attributesOf(info),
  }
}

function sections(metrics: readonly string[], source: NodeStatSource): JsonRecord {
  return Object.fromEntries(
    Object.entries(NODE_STAT_SECTIONS)
      .filter(([metric]) => metrics.includes(metric))
      .map(([metric, print]) => [metric === 'breaker' ? 'breakers' : metric, print(source)]),
  )
}

function indices(
  metrics: readonly string[],
  { stats, level, use }: NodeStatSource,
  options: MetricOptions,
): JsonRecord {
  const print = (shards: readonly ShardStats[]): JsonRecord =>
    printMetrics(metrics, shards, options)
  const total = print(stats.flatMap(({ shards }) => shards)) as Record<string, JsonValue>
  const { search } = total
  return {
    ...total,
    ...(search === undefined
      ? {}
      : { search: { ...(search as JsonRecord), request: printSearchPhases(use) } }),
    status_counter: {
      doc_status: printStatuses(use.documentStatuses),
      search_response_status: printStatuses(use.searchStatuses),
    },
    ...(level === null ? {} : { [level]: printBelow(stats, level, print) }),
  } as JsonRecord
}

function printBelow(
  indices: readonly IndexStats[],
  below: 'indices' | 'shards',
  print: (shards: readonly ShardStats[]) => JsonRecord,
): JsonValue {
  return new Map(
    indices.map(({ index, shards }): [string, JsonValue] => [
      index,
      below === 'indices'
        ? print(shards)
        : shards.map(shard => ({ [shard.shard]: print([shard]) })),
    ]),
  )
}
