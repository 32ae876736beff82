/** Tasks and their results as documents of `.tasks`. */
import type { Task } from '../../task/task.ts'
import type { TaskOutcome } from '../../task/task-registry.ts'
import { errorJson } from '../../util/json/error-json.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import { resourceStats } from './resource-stats.ts'

/** The document of a task that has ended, keys in the documented order. */
export function taskDocument(task: Task, outcome: TaskOutcome): JsonRecord {
  const { isCancellable } = task
  return {
    completed: true,
    task: {
      node: task.nodeId,
      id: task.number,
      type: task.type,
      action: task.action,
      status: task.status?.() ?? undefined,
      description: task.describe(),
      start_time_in_millis: task.startTimeInMillis,
      running_time_in_nanos: Math.round(task.runningTimeInNanos),
      cancellable: isCancellable,
      cancelled: isCancellable ? task.isCancelled : undefined,
      cancellation_time_millis: task.cancelledAtInMillis ?? undefined,
      parent_task_id: task.parent?.id,
      headers: task.headers,
      resource_stats: resourceStats(task),
    },
    ...('response' in outcome
      ? { response: outcome.response }
      : { error: errorJson(outcome.error, null) }),
  } as JsonRecord
}
