/**
 * A call that its signal aborted. `cause` is the signal's own reason, whatever that is: what
 * `controller.abort(reason)` was given, or the `TimeoutError` of `AbortSignal.timeout`. Name and code
 * are those of Node's own calls that take a signal.
 */
export class AbortError extends Error {
  /** As of Node’s own `AbortError`. */
  readonly code = 'ABORT_ERR'

  /** @param reason the signal's reason, which becomes the cause */
  constructor(reason: unknown) {
    super('the call was aborted by its signal', { cause: reason })
    this.name = 'AbortError'
  }
}

/**
 * Ends a call whose signal aborted.
 * @throws {AbortError} once the signal has aborted
 */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new AbortError(signal.reason)
}

/**
 * Runs a call under a signal. Once the signal has aborted, the call rejects with an `AbortError`,
 * also where it had its result already, as of a search that ends in the turn it was called in: a
 * program that aborts and then awaits never gets a result.
 *
 * @throws {AbortError} the signal aborted before the call, or before it resolved
 */
export async function underSignal<R>(
  signal: AbortSignal | undefined,
  call: () => Promise<R>,
): Promise<R> {
  throwIfAborted(signal)
  try {
    return await call()
  } finally {
    // The abort goes before any error: that of a call which was cut short says nothing more.
    throwIfAborted(signal)
  }
}
