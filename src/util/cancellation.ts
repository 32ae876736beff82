/** Cancellation of long-running work. */

/** Counts what threads do for some work. */
export interface ExecutionCounter {
  /**
   * A thread begins to run for the work; absent where nobody counts that.
   * @returns ends it, with the processor time that it took
   */
  beginExecution?(): (cpuInNanos: number) => void
}

/** A one-way cancellation signal. */
export interface Cancellation extends ExecutionCounter {
  readonly isCancelled: boolean
  /**
   * Registers a listener; not called if already cancelled.
   * @returns removes the listener; idempotent
   */
  onCancel(listener: () => void): () => void
  /**
   * A turn of the coordinating thread begins for the work; absent where nobody counts that.
   * @returns ends it, as `beginExecution`; null in the turn in which the work began, which is counted as a whole
   */
  beginTurn?(): ((cpuInNanos: number) => void) | null
}
