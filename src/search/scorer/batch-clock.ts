/**
 * Notified by scorers that process many documents in one call. A sampling profile assumes that
 * unmeasured calls cost the same as measured ones; such batches do not, so it measures each.
 */
export interface BatchClock {
  begin(): void
  /** Not called when an exception leaves the batch, since it also ends the slice. */
  end(): void
}
