/** How the real server would pick the best buckets of a shard, which its profile tells. */

import type { Leaf } from '../../segment/leaf.ts'
import { GlobalOrdinals } from '../global-ordinals.ts'
import type { SlotTotals } from '../kernel/slot-counts.ts'
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

/** What a profile needs to know before slices run. */
export interface SelectionFacts {
  /** As `search.aggregation.bucket_selection_strategy_factor` says. */
  readonly factor: number
  /** Terms of the shard; of numbers 0. */
  readonly distinct: number
}

/** Terms of a leaf that were counted by their ords. */
interface OrdCounts {
  readonly leafOrd: number
  readonly counts: SlotTotals
}

/** Tells the strategy of one aggregation of terms. */
export class Selection {
  readonly #plan: CutBuckets
  readonly #facts: SelectionFacts

  constructor(plan: CutBuckets, facts: SelectionFacts) {
    this.#plan = plan
    this.#facts = facts
  }

  /** The strategy over numbers; an empty text without any. */
  ofNumbers({ owners, counts }: CollectedBuckets): string {
    if (owners.length === 0) return ''
    const last = lastOwner(owners)
    const own = counts.filter((_, bucket) => owners[bucket] === last)
    return this.#named(own.length, own.length, own)
  }

  /**
   * The strategy over terms; an empty text where the shard has none.
   * @param isPlain whether one owning bucket's terms are all counted, so that each has a bucket
   * @param leaves  those of the slice, by their ords in the shard
   */
  ofTerms(
    { owners, highs, lows, counts }: CollectedBuckets,
    dense: readonly OrdCounts[],
    isPlain: boolean,
    field: string,
    leaves: ReadonlyMap<number, Leaf>,
  ): string {
    const { distinct } = this.#facts
    if (distinct === 0) return ''
    const places = new Map([...leaves.keys()].map((leafOrd, place) => [leafOrd, place]))
    const ordinals = new GlobalOrdinals(field, [...leaves.values()], false)
    const { count } = ordinals
    const own = new Float64Array(count + 1)
    for (const { leafOrd, counts: from } of dense) ordinals.spread(places.get(leafOrd)!, from, own)
    const last = lastOwner(owners)
    for (let bucket = 0; bucket < owners.length; bucket++) {
      if (owners[bucket] !== last) continue
      const place = places.get(highs[bucket]!)
      const at = place === undefined ? count : ordinals.globalOf(place, lows[bucket]!)
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
    if (order[0]?.by === 'key' || size * this.#facts.factor < distinct) return 'priority_queue'
    const min = minDocCount === 0 ? 0 : Math.max(1, shardMinDocCount)
    const found = counts.reduce((sum, count) => sum + (count >= min ? 1 : 0), 0)
    return found > size ? 'quick_select' : 'select_all'
  }
}

function lastOwner(owners: Int32Array): number {
  return owners.reduce((last, owner) => Math.max(last, owner), 0)
}
