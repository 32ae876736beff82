/**
 * Memory of one thread inside one arena, handed out from front to back and taken back all at once.
 * The kernels decode into it, so it must lie in the memory that they see.
 */
export class Scratch {
  readonly start: number
  readonly end: number
  #next: number

  /** @param start address of the range, a multiple of 64 */
  constructor(start: number, bytes: number) {
    this.start = start
    this.end = start + bytes
    this.#next = start
  }

  /**
   * Takes `bytes` and returns their address, a multiple of 64.
   * @throws {RangeError} when the range is used up: it is sized by the planner from the clause count
   */
  allocate(bytes: number): number {
    const at = this.#next
    const next = at + Math.ceil(bytes / 64) * 64
    if (next > this.end)
      throw new RangeError(
        `scratch of ${this.end - this.start} bytes is used up, ${bytes} more asked`,
      )
    this.#next = next
    return at
  }

  /** Where the next range starts: for `release`. */
  mark(): number {
    return this.#next
  }

  /** Takes back what was handed out since `mark`. It must not be used any more. */
  release(mark: number): void {
    this.#next = mark
  }

  /** Takes everything back. What was handed out must not be used any more. */
  reset(): void {
    this.#next = this.start
  }
}
