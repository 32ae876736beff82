import { EngineError, IllegalArgumentError } from '../util/errors.ts'

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
    this.check(this.#taken)
  }

  /**
   * Refuses a number of buckets that units merged from up to `multiple` ones might exceed the max with.
   * @throws {IllegalArgumentError}
   */
  checkTarget(target: number, multiple: number): void {
    const ceiling = Math.floor(this.#max / multiple)
    if (target > ceiling) throw new IllegalArgumentError(`buckets must be less than ${ceiling}`)
  }

  /**
   * Refuses a number of buckets that some aggregation may have.
   * @throws {EngineError} `too_many_buckets_exception`
   */
  check(count: number): void {
    if (count <= this.#max) return
    throw new EngineError({
      type: 'too_many_buckets_exception',
      reason:
        `Trying to create too many buckets. Must be less than or equal to: [${this.#max}] but was ` +
        `[${count}]. This limit can be set by changing the [search.max_buckets] cluster level ` +
        'setting.',
      extra: { max_buckets: this.#max },
    })
  }
}
