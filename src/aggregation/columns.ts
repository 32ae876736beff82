/** Growing columns with one number for each bucket. */

/** Stands for arrays that are made at first use: one of 16 KB costs a small search more than its matches. */
export const NO_INTS: Int32Array = new Int32Array(0)

/** Doubles by bucket. */
export class Doubles {
  values: Float64Array
  readonly #initial: number

  /** @param initial of buckets that were never set */
  constructor(initial = 0, capacity = 8) {
    this.#initial = initial
    this.values = new Float64Array(capacity)
    if (initial !== 0) this.values.fill(initial)
  }

  /** Makes room for buckets below `count`. */
  ensure(count: number): Float64Array {
    if (count > this.values.length) this.#grow(count)
    return this.values
  }

  /** The number of a bucket, which may lie beyond those that were set. */
  at(bucket: number): number {
    return this.values[bucket] ?? this.#initial
  }

  #grow(count: number): void {
    const next = new Float64Array(Math.max(count, 2 * this.values.length))
    next.set(this.values)
    if (this.#initial !== 0) next.fill(this.#initial, this.values.length)
    this.values = next
  }
}

/** Integers of 32 bits by bucket. */
export class Ints {
  values: Int32Array
  length = 0

  constructor(capacity = 8) {
    this.values = new Int32Array(capacity)
  }

  push(value: number): void {
    const at = this.length
    if (at === this.values.length) {
      const next = new Int32Array(2 * at)
      next.set(this.values)
      this.values = next
    }
    this.values[at] = value
    this.length = at + 1
  }

  /** A copy without the spare room. */
  packed(): Int32Array {
    return this.values.slice(0, this.length)
  }
}

/** One more than the highest owning bucket of a batch. */
export function ownerLimit(owners: Int32Array | null, count: number): number {
  if (owners === null) return 1
  let max = 0
  for (let i = 0; i < count; i++) if (owners[i]! > max) max = owners[i]!
  return max + 1
}
