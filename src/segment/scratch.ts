/**
 * Memory of one thread inside one arena, handed out from front to back and taken back all at once.
 * The kernels decode into it, so it must lie in the memory that they see.
 */
export class Scratch {
  #start: number
  #end: number
  #bytes: number
  readonly #kept = new Map<symbol, unknown>()
  #next: number

  /** @param start address of the range, a multiple of 64 */
  constructor(start: number, bytes: number) {
    this.#start = start
    this.#end = start + bytes
    this.#bytes = bytes
    this.#next = start
  }

  /**
   * Takes `bytes` and returns their address, a multiple of 64.
   * @throws {RangeError} when the range is used up: it is sized by the planner from the clause count
   */
  allocate(bytes: number): number {
    const at = this.#next
    const next = at + Math.ceil(bytes / 64) * 64
    if (next > this.#end)
      throw new RangeError(
        `scratch of ${this.#end - this.#start} bytes is used up, ${bytes} more asked`,
      )
    this.#next = next
    return at
  }

  /** The same, but −1 where the range is used up. */
  tryAllocate(bytes: number): number {
    return bytes <= this.#end - this.#next - 64 ? this.allocate(bytes) : -1
  }

  /** How large the range is, with what is kept in it. */
  get bytes(): number {
    return this.#bytes
  }

  /** Where the next range starts: for `release`. */
  mark(): number {
    return this.#next
  }

  /** Takes back what was handed out since `mark`. It must not be used any more. */
  release(mark: number): void {
    this.#next = mark
  }

  /** What `keep` made, as long as it stays. */
  kept<T>(key: symbol): T | undefined {
    return this.#kept.get(key) as T | undefined
  }

  /**
   * Something in this range that is made once and stays, whatever is released, until the scratch
   * moves. Where ranges are handed out already it is made in front of the next ones and not kept.
   */
  keep<T>(key: symbol, make: () => T): T {
    const found = this.kept<T>(key)
    if (found !== undefined) return found
    const isFree = this.#next === this.#start
    const made = make()
    if (isFree) {
      this.#start = this.#next
      this.#kept.set(key, made)
    }
    return made
  }

  /** Takes everything back. What was handed out must not be used any more. */
  reset(): void {
    this.#next = this.#start
  }

  /** Goes on in another range; nothing that was handed out may be used any more. */
  moveTo(start: number, bytes: number): void {
    this.#start = start
    this.#end = start + bytes
    this.#bytes = bytes
    this.#next = start
    this.#kept.clear()
  }
}
