import type { EngineApi } from '../../../engine/api/engine-api.ts'
import type { CallContext } from '../../../task/call-context.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonMap, JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import { type CommandPlace, printParameters, refusalOf } from '../../allocation/explain-command.ts'
import { readCommands } from '../../allocation/reroute-command.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  NO_TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { printNode } from '../../node-view.ts'
import { flag, list, unrecognized } from '../../params.ts'
import { printBlocks } from '../../state/blocks.ts'
import { routingNodes, routingTable } from '../../state/routing.ts'

const METRICS = [
  'version',
  'master_node',
  'cluster_manager_node',
  'blocks',
  'nodes',
  'metadata',
  'routing_table',
  'routing_nodes',
]

/** `POST /_cluster/reroute`: explains or refuses commands; the answer has the state of the cluster. */
export const reroute: Endpoint = defineEndpoint({
  routes: [['POST', '/_cluster/reroute']],
  action: 'cluster:admin/reroute',
  params: { ...MASTER_PARAMS, dry_run: flag, explain: flag, retry_failed: flag, metric: list },
  body: 'json',
  async handle({ engine, params, path, body, httpAddress, context }): Promise<Answer> {
    const commands = readCommands(body)
    const asked = params.metric ?? []
    const unknown = asked.filter(metric => metric !== '_all' && !METRICS.includes(metric))
    if (unknown.length > 0) throw unrecognized(path, 'metric', unknown, METRICS)
    const isShown = (metric: string): boolean =>
      asked.length === 0 ? metric !== 'metadata' : asked.includes('_all') || asked.includes(metric)
    const all = targetOf('', NO_TARGET_PARAMS, 'all')
    const info = engine.cluster.nodeInfo()
    const copies = engine.shards.copies(all, context)
    const { persistent, transient } = engine.cluster.settings()
    const settings = persistent.with(transient.toMap())
    const place: CommandPlace = { copies, info, httpAddress, settings }
    const explanations = commands.map((command): JsonRecord => {
      const { decisions, reason } = refusalOf(command, place)
      if (params.explain !== true) throw new IllegalArgumentError(reason)
      return { command: command.name, parameters: printParameters(command), decisions }
    })
    const state = await printState(engine, place, isShown, context)
    return {
      json: {
        acknowledged: true,
        state,
        ...(params.explain === true ? { explanations } : {}),
      },
      warnings: asked.includes('master_node') ? [MASTER_NODE_WARNING] : [],
    }
  },
})

const MASTER_NODE_WARNING =
  'Assigning [master_node] to parameter [metric] is deprecated and will be removed in 3.0. ' +
  'To support inclusive language, please use [cluster_manager_node] instead.'

async function printState(
  engine: EngineApi,
  { copies, info, httpAddress }: CommandPlace,
  isShown: (metric: string) => boolean,
  context: CallContext,
): Promise<JsonMap> {
  const { nodeId } = info
  const all = targetOf('', NO_TARGET_PARAMS, 'all')
  const parts: readonly (readonly [metric: string, print: () => JsonValue | Promise<JsonValue>])[] =
    [
      ['master_node', () => nodeId],
      ['cluster_manager_node', () => nodeId],
      ['blocks', async () => printBlocks(await engine.indices.show(all, context))],
      ['nodes', () => ({ [nodeId]: printNode(info, httpAddress) })],
      ['metadata', async () => printMetadata(engine, all, context)],
      ['routing_table', () => routingTable(copies, nodeId)],
      ['routing_nodes', () => routingNodes(copies, nodeId)],
    ]
  const state = new Map<string, JsonValue>([['cluster_uuid', info.clusterUuid]])
  for (const [metric, print] of parts) if (isShown(metric)) state.set(metric, await print())
  return state
}

async function printMetadata(
  engine: EngineApi,
  all: ReturnType<typeof targetOf>,
  context: CallContext,
): Promise<JsonValue> {
  const indices = await engine.indices.show(all, context)
  return {
    cluster_uuid: engine.cluster.identity.clusterUuid,
    cluster_uuid_committed: true,
    indices: new Map(
      indices.map((index): [string, JsonValue] => [
        index.name,
        {
          state: index.isOpen ? 'open' : 'close',
          settings: index.settings.toJson(false),
          mappings: { _doc: index.mappings },
          aliases: [...index.aliases.keys()],
        },
      ]),
    ),
  }
}
