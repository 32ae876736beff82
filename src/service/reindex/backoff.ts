import { setTimeout as delay } from 'node:timers/promises'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError } from '../../util/errors.ts'

/** How often a refused request is sent again. */
export const MAX_RETRIES = 11

const FIRST_DELAY_IN_MILLIS = 500

/** Whether a request was refused because too much was under way, here or on another server. */
export function isRejected(error: unknown): boolean {
  if (!(error instanceof EngineError)) return false
  const { type, status } = error.record
  return type === 'rejected_execution_exception' || (type === 'status_exception' && status === 429)
}

/**
 * Waits before a retry, the longer the more there have been, as the real server does: about 0.5 s to 66 s.
 * @param retry counts from 0
 */
export async function backOff(retry: number, context: CallContext): Promise<void> {
  const millis = FIRST_DELAY_IN_MILLIS + 10 * (Math.trunc(Math.exp(0.8 * retry)) - 1)
  // A cancellation ends the wait; the caller looks for itself.
  await delay(millis, undefined, { signal: context.abortSignal() }).catch(() => {})
}

/** Runs a request, and again while it is refused. */
export async function withBackoff<T>(
  request: () => Promise<T>,
  onRetry: () => void,
  context: CallContext,
): Promise<T> {
  for (let retry = 0; ; retry++)
    try {
      return await request()
    } catch (error) {
      if (!isRejected(error) || retry === MAX_RETRIES || context.isCancelled) throw error
      onRetry()
      await backOff(retry, context)
    }
}
