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
  const first = look()
  if (isWanted(first) || timeoutInMillis <= 0 || context.isCancelled) return first
  // A timer of our own: that of AbortSignal.timeout would let a process end which only waits.
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), Math.min(timeoutInMillis, 0x7fffffff))
  const unlisten = context.onCancel(() => stop.abort())
  try {
    for (;;) {
      await engine.cluster.stateChanged(stop.signal)
      const seen = look()
      if (isWanted(seen) || stop.signal.aborted) return seen
    }
  } finally {
    clearTimeout(timer)
    unlisten()
    // Ends what still waits for a change.
    stop.abort()
  }
}
