import type { ShardsApi } from '../../../engine/api/shards.ts'
import type { CallContext } from '../../../task/call-context.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import {
  type CommandPlace,
  type NewPrimary,
  outcomeOf,
  printParameters,
} from '../../allocation/explain-command.ts'
import { type RerouteCommand, readCommands } from '../../allocation/reroute-command.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  NO_TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { flag, list } from '../../params.ts'
import { MASTER_WARNING, metricsAsked, printState } from './state-metrics.ts'

/**
 * `POST /_cluster/reroute`: opens damaged and cancelled primaries once more, explains or refuses other
 * commands; the answer has the state of the cluster after that.
 */
export const reroute: Endpoint = defineEndpoint({
  routes: [['POST', '/_cluster/reroute']],
  action: 'cluster:admin/reroute',
  params: { ...MASTER_PARAMS, dry_run: flag, explain: flag, retry_failed: flag, metric: list },
  body: 'json',
  async handle({ engine, params, path, body, httpAddress, context }): Promise<Answer> {
    const commands = readCommands(body)
    const asked = params.metric ?? []
    const metrics = metricsAsked(asked, path, metric => metric !== 'metadata')
    const all = targetOf('', NO_TARGET_PARAMS, 'all')
    const info = engine.cluster.nodeInfo()
    const copies = engine.shards.copies(all, context)
    const { persistent, transient } = engine.cluster.settings()
    const settings = persistent.with(transient.toMap())
    const place: CommandPlace = { copies, info, httpAddress, settings }
    const outcomes = commands.map(command => ({ command, outcome: outcomeOf(command, place) }))
    for (const { outcome } of outcomes)
      if ('reason' in outcome && params.explain !== true)
        throw new IllegalArgumentError(outcome.reason)
    if (params.dry_run !== true)
      for (const { command, outcome } of outcomes)
        if ('from' in outcome) await openAgain(engine.shards, command, outcome.from, context)
    const explanations = outcomes.map(
      ({ command, outcome }): JsonRecord => ({
        command: command.name,
        parameters: printParameters(command),
        decisions: outcome.decisions,
      }),
    )
    const state = new Map<string, JsonValue>([['cluster_uuid', info.clusterUuid]])
    const shown = { engine, state: engine.cluster.state(all, context), httpAddress }
    printState({ ...shown, isFlat: false, isOfIndices: false }, metrics, state)
    return {
      json: {
        acknowledged: true,
        state,
        ...(params.explain === true ? { explanations } : {}),
      },
      warnings: asked.includes('master_node') ? [MASTER_WARNING] : [],
    }
  },
})

function openAgain(
  shards: ShardsApi,
  { index, shard }: RerouteCommand,
  from: NewPrimary['from'],
  context: CallContext,
): Promise<void> {
  return from === 'itself'
    ? shards.restartPrimary(index, shard, context)
    : shards.allocatePrimary(index, shard, from, context)
}
