import { EngineError } from '../util/errors.ts'

/** Counts the buckets of a search's answer against `search.max_buckets`. */
export class BucketBudget {
  readonly #max: number
  #taken = 0

  constructor(max: number) {
    this.#max = max
  }

  /** @throws {EngineError} `too_many_buckets_exception` */
  take(count: number): void {
    this.#taken += count
    if (this.#taken <= this.#max) return
    throw new EngineError({
      type: 'too_many_buckets_exception',
      reason:
        `Trying to create too many buckets. Must be less than or equal to: [${this.#max}] but was ` +
        `[${this.#taken}]. This limit can be set by changing the [search.max_buckets] cluster level ` +
        'setting.',
      extra: { max_buckets: this.#max },
    })
  }
}
