import type { ReducedChild, SliceReducer } from '../aggregation-type.ts'
import { areReached, compareBuckets, firstBuckets } from '../bucket-order.ts'
import { bucketsByOwner } from '../buckets-by-owner.ts'
import { Doubles } from '../columns.ts'
import type { TermKeys } from './term-keys.ts'
import type { CutBuckets } from './terms-plan.ts'

/** The buckets of a shard: those of each owning bucket lie together, best first. */
export interface ClosedTerms<K> {
  readonly owners: Int32Array
  readonly keys: readonly K[]
  readonly counts: Float64Array
  /** By owning bucket: documents of buckets that were cut. */
  readonly others: Float64Array
  /** By owning bucket: max count that a bucket which was cut may have; −1: unknown. */
  readonly errors: Float64Array
}

/** Merges the buckets of slices, and cuts them to the best of the shard. */
export class SliceTerms<K> implements SliceReducer {
  readonly #plan: CutBuckets
  readonly #keys: TermKeys<K>
  readonly #children: readonly ReducedChild[]
  readonly #counts = new Doubles()

  constructor(plan: CutBuckets, keys: TermKeys<K>, children: readonly ReducedChild[]) {
    this.#plan = plan
    this.#keys = keys
    this.#children = children
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const buckets = this.#keys.add(own, owners)
    const counts = this.#counts.ensure(this.#keys.size)
    const from = (own as { readonly counts: Float64Array }).counts
    buckets.forEach((bucket, i) => {
      counts[bucket] = counts[bucket]! + from[i]!
    })
    return buckets
  }

  close(owners: Int32Array): { own: ClosedTerms<K>; buckets: Int32Array } {
    const { minDocCount, shardMinDocCount, order } = this.#plan
    const isOrdered = areReached(order, this.#children)
    const shardSize = isOrdered ? this.#plan.shardSize : Number.POSITIVE_INFINITY
    const keys = this.#keys
    if (minDocCount === 0) for (const owner of owners) keys.addAll(owner)
    const counts = this.#counts.ensure(keys.size)
    const compare = compareBuckets(
      order,
      { count: bucket => counts[bucket]!, compareKeys: (a, b) => keys.compare(a, b) },
      this.#children,
    )
    const lists = bucketsByOwner(keys, owners)
    const others = new Float64Array(owners.length)
    const errors = new Float64Array(owners.length)
    const kept: number[] = []
    const keptOwners: number[] = []
    lists.forEach((list, i) => {
      const found = list.filter(bucket => counts[bucket]! >= shardMinDocCount)
      const best = firstBuckets(found, shardSize, compare)
      let total = 0
      for (const bucket of found) total += counts[bucket]!
      for (const bucket of best) {
        total -= counts[bucket]!
        kept.push(bucket)
        keptOwners.push(i)
      }
      others[i] = total
      errors[i] = best.length < shardSize ? 0 : this.#errorOf(counts[best.at(-1)!]!)
    })
    const buckets = Int32Array.from(kept)
    return {
      own: {
        owners: Int32Array.from(keptOwners),
        keys: kept.map(bucket => keys.key(bucket)),
        counts: Float64Array.from(kept, bucket => counts[bucket]!),
        others,
        errors,
      },
      buckets,
    }
  }

  #errorOf(smallest: number): number {
    const [first] = this.#plan.order
    if (first?.by === 'key') return 0
    return first?.by === 'count' && first.descending ? smallest : -1
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }
}
