import type { ClusterState } from '../../../engine/api/cluster-state.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import type { Long } from '../../../util/long.ts'
import {
  type Answer,
  type Call,
  defineEndpoint,
  type Endpoint,
  NO_TARGET_PARAMS,
  TARGET_PARAMS,
  TURN_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { flag, list, long, millis } from '../../params.ts'
import { waitForState } from '../../state-wait.ts'
import { MASTER_WARNING, metricsAsked, printState } from './state-metrics.ts'

const PARAMS = {
  ...TARGET_PARAMS,
  ...TURN_PARAMS,
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
    const metrics = metricsAsked(asked, path, () => true)
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
    const shown = {
      engine,
      state: stateNow(call),
      isFlat: params.flat_settings ?? false,
      isOfIndices: part('index') !== '',
      httpAddress,
    }
    printState(shown, metrics, body)
    return { json: body, warnings: asked.includes('master_node') ? [MASTER_WARNING] : [] }
  },
})

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
