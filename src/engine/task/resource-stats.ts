import type { Task } from '../../task/task.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'

/** `resource_stats` of a task: processor time of what threads ran for it; memory is not measured. */
export function resourceStats({ resources }: Task): JsonRecord {
  const { count, active, totalInNanos, minInNanos, maxInNanos } = resources
  const use = (cpu: number): JsonRecord => ({ cpu_time_in_nanos: cpu, memory_in_bytes: 0 })
  return {
    average: use(count === 0 ? 0 : Math.floor(totalInNanos / count)),
    total: use(totalInNanos),
    min: use(minInNanos),
    max: use(maxInNanos),
    thread_info: { thread_executions: count, active_threads: active },
  }
}
