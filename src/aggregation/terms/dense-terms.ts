import type { Leaf } from '../../segment/leaf.ts'
import { compareBytes } from '../../util/bytes.ts'
import type { SliceReducer } from '../aggregation-type.ts'
import { compareBuckets, firstBuckets, isByCount } from '../bucket-order.ts'
import { GlobalOrdinals } from '../global-ordinals.ts'
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
  /** By ord of the shard; behind them those of a missing value that is no term of the shard. */
  readonly #counts: Float64Array
  readonly #missingOrd: number

  /** @param plan its buckets have documents */
  constructor(plan: CutBuckets, { field, missing }: TermSource, leaves: readonly Leaf[]) {
    this.#plan = plan
    this.#missing = missing ?? new Uint8Array(0)
    this.#ordinals = new GlobalOrdinals(field, leaves, true)
    const { count } = this.#ordinals
    const known = missing === null ? -1 : this.#ordinals.ordOf(missing)
    this.#missingOrd = known < 0 ? count : known
    this.#counts = new Float64Array(count + 1)
  }

  add(own: unknown): Int32Array {
    const { highs, lows, counts: from, dense } = own as OrdinalTermsPartial
    const counts = this.#counts
    for (const each of dense) this.#ordinals.spread(each.leafOrd, each.counts, counts)
    for (let i = 0; i < highs.length; i++) {
      const leafOrd = highs[i]!
      const ord =
        leafOrd === NO_LEAF ? this.#missingOrd : this.#ordinals.globalOf(leafOrd, lows[i]!)
      counts[ord] = counts[ord]! + from[i]!
    }
    return new Int32Array(highs.length)
  }

  close(owners: Int32Array): { own: ClosedTerms<TermKey>; buckets: Int32Array } {
    const { shardMinDocCount, shardSize, order } = this.#plan
    const counts = this.#counts
    const min = Math.max(1, shardMinDocCount)
    const found = new Int32Array(counts.length)
    let size = 0
    let others = 0
    for (let ord = 0; ord < counts.length; ord++) {
      const count = counts[ord]!
      if (count < min) continue
      found[size++] = ord
      others += count
    }
    const compareKeys = (a: number, b: number): number => this.#compare(a, b)
    const compare = compareBuckets(order, { count: ord => counts[ord]!, compareKeys }, [])
    const byCount = isByCount(order) ? counts : null
    const best = firstBuckets(found.subarray(0, size), shardSize, compare, byCount)
    for (const ord of best) others -= counts[ord]!
    const error = best.length < shardSize ? 0 : errorOf(order, counts[best.at(-1)!]!)
    return {
      own: {
        owners: new Int32Array(best.length),
        keys: Array.from(best, ord => this.#term(ord)),
        counts: Float64Array.from(best, ord => counts[ord]!),
        others: Float64Array.from(owners, () => others),
        errors: Float64Array.from(owners, () => error),
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
