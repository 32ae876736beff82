/**
 * Memory that pieces of files are copied through, lent from file to file: one of its own for each makes the collector
 * run again and again, since it is told of every megabyte outside of its heap.
 */
export class PieceBuffers {
  readonly #idle: Uint8Array[] = []

  /** A buffer of at least so many bytes, of any content. */
  take(bytes: number): Uint8Array {
    const at = this.#idle.findIndex(({ length }) => length >= bytes)
    if (at >= 0) return this.#idle.splice(at, 1)[0]!
    // One that was too small is not kept beside the larger one.
    this.#idle.pop()
    return new Uint8Array(bytes)
  }

  /** Takes back a buffer that nobody reads or fills. */
  give(buffer: Uint8Array): void {
    this.#idle.push(buffer)
  }
}
