/** Tasks in wire form. */
import type { NodeInfo } from '../../../engine/api/cluster.ts'
import type { TaskListing } from '../../../engine/api/tasks.ts'
import { resourceStats } from '../../../engine/task/resource-stats.ts'
import type { Task } from '../../../task/task.ts'
import type { EngineError } from '../../../util/errors.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import { durationText } from '../../../util/units.ts'
import { errorObject } from '../../error-body.ts'
import { addressOf, attributesOf, NODE_ROLES } from '../../node-view.ts'

/** Which parts of a task are shown. */
export interface TaskStyle {
  readonly hasDescription: boolean
  /** Times as text beside the numbers. */
  readonly human: boolean
  /** As answers of cancellations print it; null leaves it out. */
  readonly status: string | null
}

/** One task, keys in the documented order. */
export function printTask(task: Task, style: TaskStyle): JsonRecord {
  const { nodeId, number, isCancellable, isCancelled, parent } = task
  const { hasDescription, human, status } = style
  return {
    node: nodeId,
    id: number,
    type: task.type,
    action: task.action,
    status: status ?? (hasDescription ? task.status?.() : undefined),
    description: hasDescription ? task.describe() : undefined,
    start_time: human ? new Date(task.startTimeInMillis).toISOString() : undefined,
    start_time_in_millis: task.startTimeInMillis,
    running_time: human ? durationText(task.runningTimeInNanos) : undefined,
    running_time_in_nanos: task.runningTimeInNanos,
    cancellable: isCancellable,
    cancelled: isCancellable ? isCancelled : undefined,
    cancellation_time_millis: task.cancelledAtInMillis ?? undefined,
    parent_task_id: parent?.id,
    headers: task.headers,
    resource_stats: hasDescription ? resourceStats(task) : undefined,
  } as JsonRecord
}

/** Tasks below the node that they run on; no node without tasks. */
export function printByNode(
  tasks: readonly Task[],
  style: TaskStyle,
  info: NodeInfo,
  httpAddress: string | null,
): JsonValue {
  if (tasks.length === 0) return {}
  const { name, transportAddress, host } = addressOf(info, httpAddress)
  const attributes = attributesOf(info)
  const node = {
    name,
    transport_address: transportAddress,
    host,
    ip: transportAddress,
    roles: [...NODE_ROLES],
    attributes: attributes.size > 0 ? attributes : undefined,
    tasks: new Map(tasks.map((task): [string, JsonValue] => [task.id, printTask(task, style)])),
  } as JsonRecord
  return new Map([[info.nodeId, node]])
}

/** `node_failures`. */
export function printFailures({ nodeFailures }: Pick<TaskListing, 'nodeFailures'>): JsonValue[] {
  return nodeFailures.map((failure: EngineError) => errorObject(failure, false))
}
