import { clusterSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import type { CallContext } from '../../task/call-context.ts'

/**
 * Cancels a search after a time.
 * @param asked   the request's, in milliseconds; undefined leaves it to the cluster's default, −1 is never
 * @returns to be called when the search has ended
 */
export function cancelAfter(
  asked: number | undefined,
  cluster: Settings,
  { task }: CallContext,
): () => void {
  const byDefault = clusterSettings.nanos(cluster, 'search.cancel_after_time_interval') ?? -1
  const millis = asked ?? (byDefault < 0 ? -1 : byDefault / 1e6)
  if (millis < 0) return () => {}
  const timer = setTimeout(() => task.cancel(), Math.min(Math.ceil(millis), 2 ** 31 - 1))
  // The search itself keeps the process alive for as long as it runs.
  timer.unref()
  return () => clearTimeout(timer)
}
