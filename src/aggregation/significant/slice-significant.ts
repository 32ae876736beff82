import type { SliceReducer } from '../aggregation-type.ts'
import { firstBuckets } from '../bucket-order.ts'
import { bucketsByOwner } from '../buckets-by-owner.ts'
import { Doubles, ownerLimit } from '../columns.ts'
import type { TermKey, TermKeys } from '../terms/term-keys.ts'
import { type Heuristic, scoreOf } from './heuristic.ts'
import type { SignificantPartial } from './significant-collector.ts'

/** How buckets are scored and cut. */
export interface CutBySignificance {
  readonly name: string
  readonly heuristic: Heuristic
  readonly size: number
  /** Buckets that a shard gives. */
  readonly shardSize: number
  readonly minDocCount: number
  readonly shardMinDocCount: number
}

/** The buckets of a shard: those of each owning bucket lie together, best first. */
export interface ClosedSignificant {
  readonly owners: Int32Array
  readonly keys: readonly TermKey[]
  readonly counts: Float64Array
  /** Documents of the background with the key. */
  readonly backgrounds: Float64Array
  /** By owning bucket: its documents. */
  readonly sizes: Float64Array
  /** Documents of the background. */
  readonly backgroundSize: number
}

/** The documents that those of a bucket are compared with. */
export interface ShardBackground {
  readonly size: number
  /** Those with the key of a bucket. */
  count(bucket: number): number
}

/** Merges the buckets of slices, and cuts them to the most significant of the shard. */
export class SliceSignificant implements SliceReducer {
  readonly #plan: CutBySignificance
  readonly #keys: TermKeys<TermKey>
  readonly #background: ShardBackground
  readonly #counts = new Doubles()
  readonly #sizes = new Doubles()

  constructor(plan: CutBySignificance, keys: TermKeys<TermKey>, background: ShardBackground) {
    this.#plan = plan
    this.#keys = keys
    this.#background = background
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const from = own as SignificantPartial
    const buckets = this.#keys.add(own, owners)
    const counts = this.#counts.ensure(this.#keys.size)
    buckets.forEach((bucket, i) => {
      counts[bucket] = counts[bucket]! + from.counts[i]!
    })
    const sizes = this.#sizes.ensure(ownerLimit(owners, owners.length))
    from.sizes.forEach((size, i) => {
      sizes[owners[i]!] = sizes[owners[i]!]! + size
    })
    return buckets
  }

  /** @throws {IllegalArgumentError} a background that ought to contain the foreground does not */
  close(owners: Int32Array): { own: ClosedSignificant; buckets: Int32Array } {
    const { shardMinDocCount, shardSize, heuristic } = this.#plan
    const keys = this.#keys
    const background = this.#background
    const counts = this.#counts.ensure(keys.size)
    const backgrounds = new Float64Array(keys.size)
    const scores = new Float64Array(keys.size)
    const sizes = Float64Array.from(owners, owner => this.#sizes.at(owner))
    const kept: number[] = []
    const keptOwners: number[] = []
    bucketsByOwner(keys, owners).forEach((list, i) => {
      const found = list.filter(bucket => counts[bucket]! >= shardMinDocCount)
      for (const bucket of found) {
        backgrounds[bucket] = background.count(bucket)
        scores[bucket] = comparable(
          scoreOf(heuristic, {
            found: counts[bucket]!,
            foundOf: sizes[i]!,
            background: backgrounds[bucket]!,
            backgroundOf: background.size,
          }),
        )
      }
      const best = firstBuckets(
        found,
        shardSize,
        (a, b) => compareScores(scores[a]!, scores[b]!) || keys.compare(a, b),
      )
      for (const bucket of best) {
        kept.push(bucket)
        keptOwners.push(i)
      }
    })
    return {
      own: {
        owners: Int32Array.from(keptOwners),
        keys: kept.map(bucket => keys.key(bucket)),
        counts: Float64Array.from(kept, bucket => counts[bucket]!),
        backgrounds: Float64Array.from(kept, bucket => backgrounds[bucket]!),
        sizes,
        backgroundSize: background.size,
      },
      buckets: Int32Array.from(kept),
    }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }
}

/** A score that orders: none is below all. */
export function comparable(score: number): number {
  return Number.isNaN(score) ? Number.NEGATIVE_INFINITY : score
}

/** Compares scores, the highest first. */
export function compareScores(a: number, b: number): number {
  return a === b ? 0 : b - a
}
