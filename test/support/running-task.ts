import { setImmediate as nextTurn } from 'node:timers/promises'
import type { okOf } from './rest-calls.ts'

/** Waits for a task of an action on which a thread works. */
// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
export async function runningTask(ok: ReturnType<typeof okOf>, action: string): Promise<any> {
  for (;;) {
    const { tasks } = await ok(`GET /_tasks?group_by=none&detailed&actions=${action}`)
    const [task] = tasks
    if (task?.resource_stats.thread_info.active_threads > 0) return task
    await nextTurn()
  }
}
