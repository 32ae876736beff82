/** Cancellation of long-running work. */

/** A one-way cancellation signal. */
export interface Cancellation {
  readonly isCancelled: boolean
  /**
   * Registers a listener; not called if already cancelled.
   * @returns removes the listener; idempotent
   */
  onCancel(listener: () => void): () => void
}
