/**
 * Bump allocator of one thread in one arena, freed all at once. It lies in the kernels' memory,
 * since they decode into it.
 */
export class Scratch {
  #start: number
  #end: number
  #bytes: number
  readonly #kept = new Map<symbol, unknown>()
  #next: number
  /** Where `tryAllocate` ends. */
  #lent: number = Number.POSITIVE_INFINITY

  /** @param start address of the range, a multiple of 64 */
  constructor(start: number, bytes: number) {
    this.#start = start
    this.#end = start + bytes
    this.#bytes = bytes
    this.#next = start
  }

  /**
   * Allocates `bytes`; returns their address, a multiple of 64.
   * @throws {RangeError} when the range is exhausted: the planner sizes it by the number of clauses
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

  /** The same, but −1 when the range is exhausted, or what is lent of it. */
  tryAllocate(bytes: number): number {
    const end = Math.min(this.#end, this.#lent)
    return bytes <= end - this.#next - 64 ? this.allocate(bytes) : -1
  }

  /** Lets `tryAllocate` take no more than `bytes` from here on while a step runs: the rest is needed. */
  lend(bytes: number, step: () => void): void {
    this.#lent = this.#next + bytes
    try {
      step()
    } finally {
      this.#lent = Number.POSITIVE_INFINITY
    }
  }

  /** Size of the range, kept objects included. */
  get bytes(): number {
    return this.#bytes
  }

  /** The current end of allocations, for `release`. */
  mark(): number {
    return this.#next
  }

  /** Frees all allocations since `mark`; they must not be used any more. */
  release(mark: number): void {
    this.#next = mark
  }

  /** An object made by `keep`, while it exists. */
  kept<T>(key: symbol): T | undefined {
    return this.#kept.get(key) as T | undefined
  }

  /**
   * An object in this range that is made once and survives `release` until the scratch moves. Made
   * while other allocations are live, it lies behind them and is not kept.
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

  /** Frees everything; no allocation may be used any more. */
  reset(): void {
    this.#next = this.#start
  }

  /** Moves to another range; no allocation may be used any more. */
  moveTo(start: number, bytes: number): void {
    this.#start = start
    this.#end = start + bytes
    this.#bytes = bytes
    this.#next = start
    this.#kept.clear()
  }
}
