import type { EngineApi } from '../engine/api/engine-api.ts'
import type { CallContext } from '../task/call-context.ts'

/**
 * Looks at the cluster, again after each change of its state, until it is as wanted, time is up or the call is
 * cancelled.
 * @returns what was seen last
 */
export async function waitForState<T>(
  engine: EngineApi,
  timeoutInMillis: number,
  context: CallContext,
  look: () => T,
  isWanted: (seen: T) => boolean,
): Promise<T> {
  // A timer of our own: that of AbortSignal.timeout would let a process end which only waits.
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), Math.min(timeoutInMillis, 0x7fffffff))
  const unlisten = context.onCancel(() => stop.abort())
  if (context.isCancelled) stop.abort()
  try {
    for (;;) {
      const changed = timeoutInMillis > 0 ? engine.cluster.stateChanged(stop.signal) : null
      const seen = look()
      if (isWanted(seen) || changed === null || stop.signal.aborted) return seen
      await changed
    }
  } finally {
    clearTimeout(timer)
    unlisten()
    // Ends what still waits for a change.
    stop.abort()
  }
}
