import type { ClusterState, ShownBlock } from '../../../engine/api/cluster-state.ts'
import type { EngineApi } from '../../../engine/api/engine-api.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonMap, JsonValue } from '../../../util/json/json-value.ts'
import type { Long } from '../../../util/long.ts'
import {
  type Answer,
  type Call,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  NO_TARGET_PARAMS,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { addressOf, attributesOf } from '../../node-view.ts'
import { flag, list, long, millis, unrecognized } from '../../params.ts'
import { waitForState } from '../../state-wait.ts'
import { printMetadata } from './state-metadata.ts'
import { printRoutingNodes, printRoutingTable } from './state-routing.ts'

/** What the printers of metrics see. */
interface StateCall {
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

const PARAMS = {
  ...TARGET_PARAMS,
  master_timeout: MASTER_PARAMS.master_timeout,
  cluster_manager_timeout: MASTER_PARAMS.cluster_manager_timeout,
  local: flag,
  flat_settings: flag,
  wait_for_metadata_version: long,
  wait_for_timeout: millis,
}
const USUAL_WAIT = 60_000

/** `GET /_cluster/state[/{metric}[/{index}]]`. */
export const clusterState: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_cluster/state'],
    ['GET', '/_cluster/state/{metric}'],
    ['GET', '/_cluster/state/{metric}/{index}'],
  ],
  action: 'cluster:monitor/state',
  params: PARAMS,
  body: 'none',
  async handle(call): Promise<Answer> {
    const { engine, params, part, path, httpAddress } = call
    const asked = list(part('metric'))
    const known = Object.keys(METRICS)
    const unknown = asked.filter(metric => metric !== '_all' && !known.includes(metric))
    if (unknown.length > 0) throw unrecognized(path, 'metric', unknown, [...known, '_all'])
    const isAll = asked.length === 0 || asked.includes('_all')
    const metrics = isAll ? known : known.filter(metric => asked.includes(metric))
    const { clusterName, clusterUuid } = engine.cluster.identity
    const wanted = params.wait_for_metadata_version
    const body = new Map<string, JsonValue>()
    if (wanted !== undefined) {
      const isThere = await hasVersion(call, wanted)
      body.set('wait_for_timed_out', !isThere)
    }
    body.set('cluster_name', clusterName)
    if (body.get('wait_for_timed_out') === true) return { json: body }
    body.set('cluster_uuid', clusterUuid)
    const shown: StateCall = {
      engine,
      state: stateNow(call),
      isFlat: params.flat_settings ?? false,
      isOfIndices: part('index') !== '',
      httpAddress,
    }
    for (const metric of metrics)
      for (const [key, value] of Object.entries(METRICS[metric]!(shown))) body.set(key, value)
    return { json: body, warnings: asked.includes('master_node') ? [MASTER_WARNING] : [] }
  },
})

const MASTER_WARNING =
  'Assigning [master_node] to parameter [metric] is deprecated and will be removed in 3.0. To support ' +
  'inclusive language, please use [cluster_manager_node] instead.'

function stateNow({ engine, params, part, context }: Call<typeof PARAMS>): ClusterState {
  // Without names it is all of the state, whatever wildcards would expand to.
  if (part('index') === '')
    return engine.cluster.state(targetOf('', NO_TARGET_PARAMS, 'all'), context)
  const ignoreUnavailable = params.ignore_unavailable ?? true
  const target = targetOf(part('index'), params, 'open')
  return engine.cluster.state({ ...target, ignoreUnavailable }, context)
}

/** Waits until the state has a version. */
function hasVersion(
  { engine, params, context }: Call<typeof PARAMS>,
  wanted: Long,
): Promise<boolean> {
  if (wanted < 1)
    throw new IllegalArgumentError(
      `provided waitForMetadataVersion should be >= 1, but instead is [${wanted}]`,
    )
  const timeout = params.wait_for_timeout ?? USUAL_WAIT
  const look = (): boolean => engine.cluster.stateVersion >= wanted
  return waitForState(engine, Math.max(0, timeout), context, look, isThere => isThere)
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
