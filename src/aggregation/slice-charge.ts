import { EngineError } from '../util/errors.ts'

/** Counts the memory of a slice's buckets. */
export class SliceCharge {
  readonly #max: number
  #bytes = 0

  /** @param max bytes that a slice may take */
  constructor(max: number) {
    this.#max = max
  }

  /** @throws {EngineError} `circuit_breaking_exception`: there is no room for the bytes */
  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes <= this.#max) return
    throw new EngineError({
      type: 'circuit_breaking_exception',
      reason:
        `[request] Data too large, data for [<agg>] would be [${this.#bytes}], which is larger ` +
        `than the limit of [${this.#max}]`,
      extra: { bytes_wanted: this.#bytes, bytes_limit: this.#max, durability: 'TRANSIENT' },
    })
  }
}
