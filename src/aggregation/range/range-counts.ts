import type { Aggregator } from '../aggregation-type.ts'
import { type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { Doubles, ownerLimit } from '../columns.ts'
import type { FixedPartial } from '../fixed-buckets.ts'

/** Numbers from `from` on and below `to`. */
export interface NumberRange {
  /** −∞: open. */
  readonly from: number
  /** ∞: open. */
  readonly to: number
  /** Null: made of its ends. */
  readonly key: string | null
}

/** Counts documents by the ranges that hold one of their numbers. */
export class RangeCounts {
  readonly #ranges: readonly NumberRange[]
  readonly #counts = new Doubles()
  readonly #below: ChildBatch | null
  /** By range, one more than the index of the last document that was in it. */
  readonly #seen: Int32Array

  /** @param ranges by `from`, then `to` */
  constructor(ranges: readonly NumberRange[], children: readonly Aggregator[]) {
    this.#ranges = ranges
    this.#seen = new Int32Array(ranges.length)
    this.#below = children.length === 0 ? null : new ChildBatch(children)
  }

  /**
   * Adds the numbers of a batch's documents.
   * @param index the index in the batch of each number's document, ascending
   * @param count how many numbers there are
   */
  add(batch: BucketBatch, values: Float64Array, index: Int32Array, count: number): void {
    const { owners, weights } = batch
    const ranges = this.#ranges
    const size = ranges.length
    const counts = this.#counts.ensure(size * ownerLimit(owners, batch.count))
    this.#seen.fill(0)
    this.#below?.begin(batch)
    for (let i = 0; i < count; i++) {
      const at = index[i]!
      const value = values[i]!
      for (let r = 0; r < size; r++) {
        const { from, to } = ranges[r]!
        if (value < from) break
        // An open end takes infinity in.
        if (!(value < to) && to !== Number.POSITIVE_INFINITY) continue
        if (this.#seen[r] === at + 1) continue
        this.#seen[r] = at + 1
        const bucket = (owners === null ? 0 : owners[at]! * size) + r
        counts[bucket] = counts[bucket]! + (weights === null ? 1 : weights[at]!)
        this.#below?.add(at, bucket)
      }
    }
    this.#below?.flush()
  }

  /** Adds documents of a range that were counted elsewhere. */
  addCount(owner: number, range: number, count: number): void {
    const bucket = owner * this.#ranges.length + range
    const counts = this.#counts.ensure(this.#ranges.length * (owner + 1))
    counts[bucket] = counts[bucket]! + count
  }

  partial(): FixedPartial {
    return { counts: this.#counts.values }
  }
}
