/** A small state of a service, replaced as a whole and read when the service starts. */
export interface KeptState {
  /** As it was when this was opened; null without one. */
  readonly body: Uint8Array | null
  /**
   * Replaces the state, durable when this returns, readable by the owner of the folder alone. After a
   * failure the old one still holds.
   */
  write(body: Uint8Array): void
}
