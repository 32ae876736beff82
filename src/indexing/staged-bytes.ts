import type { BufferMemory } from './buffer-memory.ts'

/** Bytes that kernels may read behind the staged ones. */
const PADDING = 64

/** A copy of bytes in the kernels' memory, valid until the next one. */
export class StagedBytes {
  readonly #memory: BufferMemory
  #at = 0
  #room = 0

  constructor(memory: BufferMemory) {
    this.#memory = memory
  }

  /**
   * Copies `bytes[start, end)`; returns its address.
   * @throws {EngineError} `circuit_breaking_exception`: the memory is full
   */
  put(bytes: Uint8Array, start = 0, end: number = bytes.length): number {
    const memory = this.#memory
    const needed = end - start + PADDING
    if (needed > this.#room) {
      this.release()
      this.#at = memory.allocate(needed)
      this.#room = memory.roomOf(needed)
    }
    memory.views.u8.set(
      start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end),
      this.#at,
    )
    return this.#at
  }

  /** Frees the memory. */
  release(): void {
    const room = this.#room
    this.#room = 0
    if (room > 0) this.#memory.release(this.#at, room)
  }
}
