/** A compiled pattern at work on one text at a time. */
export interface Machine {
  /** Start and end of group i at 2 i and 2 i + 1 of the last match, −1 if it did not take part. */
  readonly groups: Int32Array
  /** Sets the text of the following searches, of which steps are counted anew. */
  reset(text: string): void
  /** Sets a further part of the same text, a token for example: steps are counted on. */
  resetPart(text: string): void
  /**
   * Finds the first match at or after `from`; `groups` then holds it.
   * @throws {IllegalArgumentError} the pattern took too many steps on this text
   */
  find(from: number): boolean
}
