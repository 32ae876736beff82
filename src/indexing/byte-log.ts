import type { BufferMemory } from './buffer-memory.ts'

const FIRST_BYTES = 4096

/** Append-only bytes in the memory of a thread's buffers. */
export class ByteLog {
  readonly #memory: BufferMemory
  #at: number
  #capacity = FIRST_BYTES
  #length = 0

  constructor(memory: BufferMemory) {
    this.#memory = memory
    this.#at = memory.allocate(FIRST_BYTES)
  }

  get length(): number {
    return this.#length
  }

  /**
   * Appends `source[start, end)`.
   * @throws {EngineError} `circuit_breaking_exception`: the memory is full; nothing was appended
   */
  append(source: Uint8Array, start: number, end: number): void {
    const memory = this.#memory
    const needed = this.#length + end - start
    if (needed > this.#capacity) {
      this.#at = memory.enlarge(this.#at, this.#length, this.#capacity, needed)
      this.#capacity = memory.roomOf(needed)
    }
    const { u8 } = memory.views
    const at = this.#at + this.#length
    if (source === u8) u8.copyWithin(at, start, end)
    else u8.set(source.subarray(start, end), at)
    this.#length = needed
  }

  /** Drops all but the first `length` bytes. */
  truncate(length: number): void {
    this.#length = length
  }

  /** All bytes, as a view that the next append may invalidate. */
  view(): Uint8Array {
    return this.#memory.views.u8.subarray(this.#at, this.#at + this.#length)
  }

  /** Frees the memory, once; the log must not be used any more. */
  release(): void {
    this.#memory.release(this.#at, this.#capacity)
  }
}
