import { EngineError } from '../../util/errors.ts'

/** The weight of an operation beside its document. */
const OPERATION_BYTES = 64

/**
 * Bounds the bytes of operations that are under way, from their arrival to their acknowledgement:
 * what comes faster than it can be written is refused, not queued without end.
 */
export class IndexingPressure {
  readonly limitInBytes: number
  #current = 0
  #total = 0
  #rejections = 0

  constructor(limitInBytes: number) {
    this.limitInBytes = limitInBytes
  }

  /** Bytes of the operations under way. */
  get currentInBytes(): number {
    return this.#current
  }

  /** Bytes of all operations that began. */
  get totalInBytes(): number {
    return this.#total
  }

  /** Requests that were refused. */
  get rejections(): number {
    return this.#rejections
  }

  /**
   * Runs a write that holds so many bytes.
   * @throws {EngineError} 429 `rejected_execution_exception` before it begins when they do not fit
   */
  async during<T>(documentBytes: number, count: number, write: () => Promise<T>): Promise<T> {
    const bytes = documentBytes + count * OPERATION_BYTES
    if (this.#current + bytes > this.limitInBytes) {
      this.#rejections++
      throw new EngineError({
        type: 'rejected_execution_exception',
        reason:
          'rejected execution of coordinating operation [' +
          `coordinating_and_primary_bytes=${this.#current}, replica_bytes=0, ` +
          `all_bytes=${this.#current}, coordinating_operation_bytes=${bytes}, ` +
          `max_coordinating_and_primary_bytes=${this.limitInBytes}]`,
      })
    }
    this.#current += bytes
    this.#total += bytes
    try {
      return await write()
    } finally {
      this.#current -= bytes
    }
  }
}
