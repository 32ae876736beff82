import type { ClusterHealth, HealthCounts, HealthStatus } from '../../../engine/api/cluster.ts'
import type { EngineApi } from '../../../engine/api/engine-api.ts'
import type { Target } from '../../../engine/api/target.ts'
import type { CallContext } from '../../../task/call-context.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { Float64, type JsonMap, type JsonRecord } from '../../../util/json/json-value.ts'
import { durationText } from '../../../util/units.ts'
import {
  type Answer,
  activeShards,
  defineEndpoint,
  type Endpoint,
  MASTER_PARAMS,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { takes } from '../../param-form.ts'
import { choice, flag, type ParamReader, text } from '../../params.ts'
import { waitForState } from '../../state-wait.ts'
import { checkAwareness, printAwareness } from './awareness-health.ts'

const RANK: Record<HealthStatus, number> = { green: 0, yellow: 1, red: 2 }
const level: ParamReader<string> = choice('cluster', 'indices', 'shards', 'awareness_attributes')
const priority: ParamReader<string> = choice(
  'immediate',
  'urgent',
  'high',
  'normal',
  'low',
  'languid',
)
const healthStatus: ParamReader<HealthStatus> = choice('green', 'yellow', 'red')
const USUAL_TIMEOUT = 30_000

/** Conditions that a request may wait for. */
interface Wanted {
  readonly status: HealthStatus | null
  readonly nodes: ((count: number) => boolean) | null
  /** Of active shards; `all` is every copy. */
  readonly activeShards: number | 'all' | null
  readonly noInitializing: boolean
  /** That the queue of metadata changes is empty, whatever the priority asked for. */
  readonly noPending: boolean
}

/** `GET|HEAD /_cluster/health[/{index}]`, with its waits. */
export const clusterHealth: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_cluster/health'],
    ['HEAD', '/_cluster/health'],
    ['GET', '/_cluster/health/{index}'],
    ['HEAD', '/_cluster/health/{index}'],
  ],
  action: 'cluster:monitor/health',
  params: {
    ...TARGET_PARAMS,
    ...MASTER_PARAMS,
    level,
    local: flag,
    wait_for_status: healthStatus,
    wait_for_nodes: takes('`3`, `>=3`, `ge(3)`, …', nodeCount),
    wait_for_active_shards: activeShards,
    wait_for_events: priority,
    wait_for_no_relocating_shards: flag,
    wait_for_no_initializing_shards: flag,
    awareness_attribute: text,
    ensure_node_commissioned: flag,
    ensure_node_weighed_in: flag,
  },
  body: 'none',
  async handle({ engine, params, part, human, context }): Promise<Answer> {
    checkAwareness(part('index'), params)
    const target = targetOf(part('index'), params, 'all')
    const wanted: Wanted = {
      status: params.wait_for_status ?? null,
      nodes: params.wait_for_nodes ?? null,
      activeShards: params.wait_for_active_shards ?? null,
      noInitializing: params.wait_for_no_initializing_shards ?? false,
      noPending: params.wait_for_events !== undefined,
    }
    const timeout = Math.max(0, params.timeout ?? USUAL_TIMEOUT)
    const health = await waitForState(
      engine,
      timeout,
      context,
      () => now(engine, target, context),
      seen => seen !== null && holds(seen, wanted),
    )
    const timedOut = health === null || !holds(health, wanted)
    return {
      status: timedOut ? 408 : 200,
      json: {
        ...print(engine, health ?? nothing(), timedOut, params.level ?? 'cluster', human),
        ...(params.level === 'awareness_attributes'
          ? {
              awareness_attributes: printAwareness(
                engine,
                health ?? nothing(),
                params.awareness_attribute ?? null,
              ),
            }
          : {}),
      },
    }
  },
})

/** Null for a name that is missing. */
function now(engine: EngineApi, target: Target, context: CallContext): ClusterHealth | null {
  try {
    return engine.cluster.health(target, context)
  } catch (error) {
    if (error instanceof EngineError && error.type === 'index_not_found_exception') return null
    throw error
  }
}

function holds(health: ClusterHealth, wanted: Wanted): boolean {
  const { status, nodes, activeShards, noInitializing, noPending } = wanted
  if (status !== null && RANK[health.status] > RANK[status]) return false
  if (nodes !== null && !nodes(1)) return false
  if (noInitializing && health.initializingShards > 0) return false
  if (noPending && health.pendingTaskCount > 0) return false
  if (activeShards === 'all') return health.unassignedShards + health.initializingShards === 0
  return activeShards === null || health.activeShards >= activeShards
}

function nothing(): ClusterHealth {
  return {
    status: 'red',
    activePrimaryShards: 0,
    activeShards: 0,
    relocatingShards: 0,
    initializingShards: 0,
    unassignedShards: 0,
    pendingTaskCount: 0,
    longestPendingInMillis: 0,
    indices: [],
  }
}

function print(
  engine: EngineApi,
  health: ClusterHealth,
  timedOut: boolean,
  level: string,
  human: boolean,
): JsonRecord {
  const copiesInAll = health.activeShards + health.unassignedShards + health.initializingShards
  const percent = copiesInAll === 0 ? 100 : (health.activeShards * 100) / copiesInAll
  return {
    cluster_name: engine.cluster.identity.clusterName,
    status: health.status,
    timed_out: timedOut,
    number_of_nodes: 1,
    number_of_data_nodes: 1,
    discovered_master: true,
    discovered_cluster_manager: true,
    ...counts(health),
    delayed_unassigned_shards: 0,
    number_of_pending_tasks: health.pendingTaskCount,
    number_of_in_flight_fetch: 0,
    task_max_waiting_in_queue: human
      ? durationText(health.longestPendingInMillis * 1e6)
      : undefined,
    task_max_waiting_in_queue_millis: health.longestPendingInMillis,
    active_shards_percent: human ? `${percent.toFixed(1)}%` : undefined,
    active_shards_percent_as_number: new Float64(percent),
    indices: level === 'indices' || level === 'shards' ? printIndices(health, level) : undefined,
  } as JsonRecord
}

function printIndices(health: ClusterHealth, level: string): JsonMap {
  return new Map(
    health.indices.map((index): [string, JsonRecord] => [
      index.index,
      {
        status: index.status,
        number_of_shards: index.numberOfShards,
        number_of_replicas: index.numberOfReplicas,
        ...counts(index),
        shards:
          level === 'shards'
            ? new Map(
                index.shards.map((shard): [string, JsonRecord] => [
                  String(shard.shard),
                  {
                    status: shard.status,
                    primary_active: shard.primaryActive,
                    active_shards: shard.activeShards,
                    relocating_shards: shard.relocatingShards,
                    initializing_shards: shard.initializingShards,
                    unassigned_shards: shard.unassignedShards,
                  },
                ]),
              )
            : undefined,
      } as JsonRecord,
    ]),
  )
}

function counts(health: HealthCounts): Record<string, number> {
  return {
    active_primary_shards: health.activePrimaryShards,
    active_shards: health.activeShards,
    relocating_shards: health.relocatingShards,
    initializing_shards: health.initializingShards,
    unassigned_shards: health.unassignedShards,
  }
}

/** `1`, `>=1`, `ge(1)` and the like, as a test of the number of nodes. */
function nodeCount(value: string): (count: number) => boolean {
  const match = /^(?:(>=|<=|>|<)(\d{1,9})|(ge|le|gt|lt)\((\d{1,9})\)|(\d{1,9}))$/.exec(value)
  if (match === null) {
    throw new IllegalArgumentError(`failed to parse [wait_for_nodes] with value [${value}]`)
  }
  const bound = Number(match[2] ?? match[4] ?? match[5])
  switch (match[1] ?? match[3]) {
    case '>=':
    case 'ge':
      return count => count >= bound
    case '<=':
    case 'le':
      return count => count <= bound
    case '>':
    case 'gt':
      return count => count > bound
    case '<':
    case 'lt':
      return count => count < bound
    default:
      return count => count === bound
  }
}
