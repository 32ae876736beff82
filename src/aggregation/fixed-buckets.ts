/** Aggregations whose owning buckets all have the same number of buckets. */
import type { SliceReducer } from './aggregation-type.ts'
import { Doubles, ownerLimit } from './columns.ts'

/** Documents of bucket `owner · size + index`. */
export interface FixedPartial {
  readonly counts: Float64Array
}

/** Counts of buckets, merged from slices or shards. */
export class FixedCounts {
  readonly #size: number
  readonly #counts = new Doubles()

  /** @param size buckets of each owning bucket */
  constructor(size: number) {
    this.#size = size
  }

  /** Adds counts. @returns the bucket here by bucket there */
  add({ counts: from }: FixedPartial, owners: Int32Array): Int32Array {
    const size = this.#size
    const counts = this.#counts.ensure(size * ownerLimit(owners, owners.length))
    const buckets = new Int32Array(size * owners.length)
    for (let i = 0; i < buckets.length; i++) {
      const bucket = owners[Math.floor(i / size)]! * size + (i % size)
      buckets[i] = bucket
      counts[bucket] = counts[bucket]! + (from[i] ?? 0)
    }
    return buckets
  }

  /** Documents of a bucket of an owning bucket; of one that none has seen 0. */
  count(owner: number, index: number): number {
    return owner < 0 ? 0 : this.#counts.at(owner * this.#size + index)
  }
}

/** Merges the counts of slices. */
export class SliceFixed implements SliceReducer {
  readonly #size: number
  readonly #counts: FixedCounts

  /** @param size buckets of each owning bucket */
  constructor(size: number) {
    this.#size = size
    this.#counts = new FixedCounts(size)
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    return this.#counts.add(own as FixedPartial, owners)
  }

  close(owners: Int32Array): { own: FixedPartial; buckets: Int32Array } {
    const size = this.#size
    const buckets = new Int32Array(size * owners.length)
    const counts = new Float64Array(buckets.length)
    for (let i = 0; i < buckets.length; i++) {
      const owner = owners[Math.floor(i / size)]!
      buckets[i] = owner * size + (i % size)
      counts[i] = this.#counts.count(owner, i % size)
    }
    return { own: { counts }, buckets }
  }

  value(owner: number, metric: string | null): number {
    return this.#size === 1 ? countAs(metric, this.#counts.count(owner, 0)) : Number.NaN
  }

  bucketOf(owner: number): number {
    return this.#size === 1 ? owner : -1
  }
}

/** The document count of a single bucket, under the names that paths give it. */
export function countAs(metric: string | null, count: number): number {
  return metric === null || metric === 'doc_count' ? count : Number.NaN
}
