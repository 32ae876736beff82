import type { Leaf } from '../../segment/leaf.ts'
import { compareBytes } from '../../util/bytes.ts'
import type { SliceReducer } from '../aggregation-type.ts'
import { compareBuckets, firstCounted } from '../bucket-order.ts'
import { NO_INTS } from '../columns.ts'
import { GlobalOrdinals } from '../global-ordinals.ts'
import type { SlotTotals } from '../kernel/slot-counts.ts'
import type { TermSource } from '../value-source.ts'
import { NO_LEAF, type OrdinalTermsPartial } from './ordinal-terms.ts'
import { type ClosedTerms, errorOf } from './slice-terms.ts'
import type { TermKey } from './term-keys.ts'
import type { CutBuckets } from './terms-plan.ts'

/**
 * Merges counts of terms by the shard's ord, in the one owning bucket of a node at the top without
 * others below it: buckets are made of those alone that the shard gives.
 */
export class DenseTerms implements SliceReducer {
  readonly #plan: CutBuckets
  readonly #ordinals: GlobalOrdinals
  readonly #missing: Uint8Array
  /** Counts of the only slice, by ord of the shard, while no other one has come. */
  #only: SlotTotals | null = null
  /** By ord of the shard; behind them those of a missing value that is no term of the shard. */
  #counts: Float64Array | null = null
  readonly #missingOrd: number
  /** Whether ords ascend by term; the missing value stands behind all where it is none. */
  readonly #ascends: boolean

  /** @param plan its buckets have documents */
  constructor(plan: CutBuckets, { field, missing }: TermSource, leaves: readonly Leaf[]) {
    this.#plan = plan
    this.#missing = missing ?? new Uint8Array(0)
    this.#ordinals = new GlobalOrdinals(field, leaves, true)
    const known = missing === null ? -1 : this.#ordinals.ordOf(missing)
    this.#missingOrd = known < 0 ? this.#ordinals.count : known
    this.#ascends = missing === null || known >= 0
  }

  add(own: unknown): Int32Array {
    const { highs, lows, counts: from, dense } = own as OrdinalTermsPartial
    const [first] = dense
    // The counts of one slice stand for those of the shard as they are: most searches have one.
    const isAlone = this.#counts === null && this.#only === null && highs.length === 0
    if (isAlone && dense.length === 1 && this.#ordinals.isOfOneLeaf) {
      this.#only = first!.counts
      return NO_INTS
    }
    const counts = this.#sums()
    for (const each of dense) this.#ordinals.spread(each.leafOrd, each.counts, counts)
    for (let i = 0; i < highs.length; i++) {
      const leafOrd = highs[i]!
      const ord =
        leafOrd === NO_LEAF ? this.#missingOrd : this.#ordinals.globalOf(leafOrd, lows[i]!)
      counts[ord] = counts[ord]! + from[i]!
    }
    return new Int32Array(highs.length)
  }

  /** Sums over slices. */
  #sums(): Float64Array {
    const counts = (this.#counts ??= new Float64Array(this.#ordinals.count + 1))
    if (this.#only !== null) counts.set(this.#only)
    this.#only = null
    return counts
  }

  close(owners: Int32Array): { own: ClosedTerms<TermKey>; buckets: Int32Array } {
    const { shardMinDocCount, shardSize, order } = this.#plan
    const counts = this.#only ?? this.#sums()
    const min = Math.max(1, shardMinDocCount)
    const compareKeys = (a: number, b: number): number => this.#compare(a, b)
    const compare = compareBuckets(order, { count: ord => counts[ord]!, compareKeys }, [])
    const { best, sum } = firstCounted(counts, min, shardSize, compare, order, this.#ascends)
    const keys: Uint8Array[] = []
    const kept = new Float64Array(best.length)
    let others = sum
    for (let i = 0; i < best.length; i++) {
      const ord = best[i]!
      keys.push(this.#term(ord))
      kept[i] = counts[ord]!
      others -= counts[ord]!
    }
    const error = best.length < shardSize ? 0 : errorOf(order, counts[best.at(-1)!]!)
    return {
      own: {
        owners: new Int32Array(best.length),
        keys,
        counts: kept,
        others: new Float64Array(owners.length).fill(others),
        errors: new Float64Array(owners.length).fill(error),
      },
      buckets: best,
    }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  #compare(a: number, b: number): number {
    const { count } = this.#ordinals
    return a === count || b === count ? compareBytes(this.#term(a), this.#term(b)) : a - b
  }

  #term(ord: number): Uint8Array {
    return ord === this.#ordinals.count ? this.#missing : this.#ordinals.term(ord)
  }
}
