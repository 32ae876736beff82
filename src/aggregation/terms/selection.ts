/** How the real server would pick the best buckets of a shard, which its profile tells. */
import type { Leaf } from '../../segment/leaf.ts'
import { GlobalOrdinals } from '../global-ordinals.ts'
import type { LeafCounts } from './ordinal-terms.ts'
import type { CutBuckets } from './terms-plan.ts'

/** Buckets as they were collected. */
export interface CollectedBuckets {
  readonly owners: Int32Array
  /** Ords of leaves, negative for a key that is no term of one, or upper halves of numbers. */
  readonly highs: Int32Array
  /** Ords of terms, or lower halves. */
  readonly lows: Int32Array
  readonly counts: Float64Array
}

/** Tells the strategy of one aggregation of terms. */
export class Selection {
  readonly #plan: CutBuckets
  readonly #factor: number

  /** @param factor as `search.aggregation.bucket_selection_strategy_factor` says */
  constructor(plan: CutBuckets, factor: number) {
    this.#plan = plan
    this.#factor = factor
  }

  /** The strategy over numbers; an empty text without any. */
  ofNumbers({ owners, counts }: CollectedBuckets): string {
    if (owners.length === 0) return ''
    const last = lastOwner(owners)
    const own = counts.filter((_, bucket) => owners[bucket] === last)
    return this.#named(own.length, own.length, own)
  }

  /**
   * The strategy over terms; an empty text where the field has none.
   * @param isPlain whether one owning bucket's terms are all counted, so that each has a bucket
   */
  ofTerms(
    { owners, highs, lows, counts }: CollectedBuckets,
    dense: readonly LeafCounts[],
    isPlain: boolean,
    { field, leaves }: { readonly field: string; readonly leaves: readonly Leaf[] },
  ): string {
    const ordinals = new GlobalOrdinals(field, leaves, true)
    const distinct = ordinals.count
    if (distinct === 0) return ''
    const own = new Float64Array(distinct + 1)
    for (const { leafOrd, counts: from } of dense) ordinals.spread(leafOrd, from, own)
    const last = lastOwner(owners)
    for (let bucket = 0; bucket < owners.length; bucket++) {
      if (owners[bucket] !== last) continue
      const leaf = highs[bucket]!
      const at = leaf < 0 ? distinct : ordinals.globalOf(leaf, lows[bucket]!)
      own[at] = own[at]! + counts[bucket]!
    }
    const isWhole = isPlain || this.#plan.minDocCount === 0
    return this.#named(distinct, isWhole ? distinct : owners.length, own)
  }

  /**
   * @param distinct values of the shard  @param buckets of all owning buckets
   * @param counts   of the last owning bucket, whose strategy is told
   */
  #named(distinct: number, buckets: number, counts: Float64Array): string {
    const { order, shardSize, shardMinDocCount, minDocCount } = this.#plan
    const size = Math.min(shardSize, buckets)
    if (order[0]?.by === 'key' || size * this.#factor < distinct) return 'priority_queue'
    const min = minDocCount === 0 ? 0 : Math.max(1, shardMinDocCount)
    const found = counts.reduce((sum, count) => sum + (count >= min ? 1 : 0), 0)
    return found > size ? 'quick_select' : 'select_all'
  }
}

function lastOwner(owners: Int32Array): number {
  return owners.reduce((last, owner) => Math.max(last, owner), 0)
}
