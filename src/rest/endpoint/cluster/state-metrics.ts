/** The state of the cluster, metric by metric. */
import type { ClusterState, ShownBlock } from '../../../engine/api/cluster-state.ts'
import type { EngineApi } from '../../../engine/api/engine-api.ts'
import type { JsonMap, JsonValue } from '../../../util/json/json-value.ts'
import { addressOf, attributesOf } from '../../node-view.ts'
import { unrecognized } from '../../params.ts'
import { printMetadata } from './state-metadata.ts'
import { printRoutingNodes, printRoutingTable } from './state-routing.ts'

/** The state to print, and its layout. */
export interface StateCall {
  readonly engine: EngineApi
  readonly state: ClusterState
  readonly isFlat: boolean
  /** Whether the path has a part for indices. */
  readonly isOfIndices: boolean
  readonly httpAddress: string | null
}

/** The metrics in the order in which they print, each with its keys. */
const METRICS: Readonly<Record<string, (call: StateCall) => Readonly<Record<string, JsonValue>>>> =
  {
    version: ({ state }) => ({ version: state.version, state_uuid: state.stateUuid }),
    master_node: ({ engine }) => ({ master_node: engine.cluster.identity.nodeId }),
    cluster_manager_node: ({ engine }) => ({
      cluster_manager_node: engine.cluster.identity.nodeId,
    }),
    blocks: ({ state }) => ({ blocks: printBlocks(state) }),
    nodes: call => ({ nodes: printNodes(call) }),
    metadata: ({ engine, state, ...layout }) => ({
      metadata: printMetadata(engine, state, layout),
    }),
    routing_table: ({ engine, state }) => ({
      routing_table: printRoutingTable(state, engine.cluster.identity.nodeId),
    }),
    routing_nodes: ({ engine, state }) => ({
      routing_nodes: printRoutingNodes(state, engine.cluster.identity.nodeId),
    }),
  }

/** The deprecation of the metric `master_node`. */
export const MASTER_WARNING: string =
  'Assigning [master_node] to parameter [metric] is deprecated and will be removed in 3.0. To support ' +
  'inclusive language, please use [cluster_manager_node] instead.'

/**
 * The metrics that a request names, in the order in which they print.
 * @param usual those without names
 * @throws {EngineError} `illegal_argument_exception`: one is none
 */
export function metricsAsked(
  asked: readonly string[],
  path: string,
  usual: (metric: string) => boolean,
): readonly string[] {
  const known = Object.keys(METRICS)
  const unknown = asked.filter(metric => metric !== '_all' && !known.includes(metric))
  if (unknown.length > 0) throw unrecognized(path, 'metric', unknown, [...known, '_all'])
  if (asked.includes('_all')) return known
  return known.filter(metric => (asked.length === 0 ? usual(metric) : asked.includes(metric)))
}

/** Adds the keys of metrics. */
export function printState(
  call: StateCall,
  metrics: readonly string[],
  to: Map<string, JsonValue>,
): void {
  for (const metric of metrics)
    for (const [key, value] of Object.entries(METRICS[metric]!(call))) to.set(key, value)
}

function printBlocks({ globalBlocks, indexBlocks }: ClusterState): JsonMap {
  const printed = new Map<string, JsonValue>()
  if (globalBlocks.length > 0) printed.set('global', byId(globalBlocks))
  if (indexBlocks.length > 0)
    printed.set('indices', new Map(indexBlocks.map(({ index, blocks }) => [index, byId(blocks)])))
  return printed
}

function byId(blocks: readonly ShownBlock[]): JsonMap {
  return new Map(
    blocks.map(({ id, description, levels }) => [
      String(id),
      { description, retryable: false, levels },
    ]),
  )
}

function printNodes({ engine, httpAddress }: StateCall): JsonMap {
  const info = engine.cluster.nodeInfo()
  const { name, transportAddress } = addressOf(info, httpAddress)
  const node = {
    name,
    ephemeral_id: info.ephemeralId,
    transport_address: transportAddress,
    attributes: attributesOf(info),
  }
  return new Map([[info.nodeId, node]])
}
