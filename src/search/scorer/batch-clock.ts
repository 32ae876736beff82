/**
 * Told by scorers that do the work of many documents in one call. A profile that measures some calls
 * and takes the others to be like them would miss these: it measures each.
 */
export interface BatchClock {
  begin(): void
  /** Not called when the batch is left by an exception, with which its slice ends. */
  end(): void
}
