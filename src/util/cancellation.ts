/** Cancellation of work that takes long: its result is not wanted any more. */

/** Something that may be cancelled, once and for good. */
export interface Cancellation {
  readonly isCancelled: boolean
  /**
   * Calls a listener at the cancellation; never when that was before.
   * @returns takes the listener off again; idempotent
   */
  onCancel(listener: () => void): () => void
}
