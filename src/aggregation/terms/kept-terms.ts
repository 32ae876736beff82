/** The second search of `terms`: the documents of the terms whose buckets stay, for the children that were deferred. */
import type { Leaf } from '../../segment/leaf.ts'
import type { AggregationPlan, AggregationType, SliceReducer } from '../aggregation-type.ts'
import { GlobalOrdinals } from '../global-ordinals.ts'
import { slotBytes } from '../kernel/slot-counts.ts'
import { maxTerms } from '../max-terms.ts'
import type { TermSource } from '../value-source.ts'
import { OrdinalTerms, type OrdinalTermsPartial } from './ordinal-terms.ts'

/** A bucket for each of some terms of a shard. */
export interface KeptTerms extends AggregationPlan {
  readonly kind: 'keptTerms'
  readonly values: TermSource
  /** Each once. */
  readonly keys: readonly Uint8Array[]
}

/** By leaf, bits of the ords of the terms; null: the leaf has none of them. */
type Ready = readonly (Uint32Array | null)[]

/** Buckets of documents by term, in order of the terms. */
export const keptTerms: AggregationType<KeptTerms, Ready> = {
  isStandIn: true,
  readsScores: () => false,
  className: () => 'KeptTermsAggregator',
  prepare({ values, keys }, shard) {
    const { leaves } = shard
    const terms = maxTerms(values, leaves)
    shard.useTerms(values.field, values.fieldData)
    shard.reserve(slotBytes(terms))
    shard.reserve(terms / 8 + 128)
    return leaves.map(leaf => ordsIn(leaf, values.field, keys))
  },
  open({ values }, accepted, children, slice) {
    const facts = { isMap: false, hasFilter: true, isPlain: false, givesDense: false } as const
    return new OrdinalTerms(values, accepted, children, { ...facts, selection: null }, slice)
  },
  sliceReducer: ({ values, keys }, _ready, leaves) => new SliceKept(values.field, keys, leaves),
  shardReducer() {
    throw new Error('shards are merged by the aggregation that the buckets belong to')
  },
}

function ordsIn(leaf: Leaf, field: string, keys: readonly Uint8Array[]): Uint32Array | null {
  const terms = leaf.fieldInfo(field) === null ? null : leaf.terms(field)
  if (terms === null) return null
  const bits = new Uint32Array((terms.termCount + 31) >>> 5)
  for (const key of keys) {
    const ord = terms.ordOf(key)
    if (ord >= 0) bits[ord >>> 5]! |= 1 << (ord & 31)
  }
  return bits
}

/** Gives buckets of slices the places of their terms. */
class SliceKept implements SliceReducer {
  readonly #ordinals: GlobalOrdinals
  /** By ord of the shard. */
  readonly #places = new Map<number, number>()
  readonly #size: number

  constructor(field: string, keys: readonly Uint8Array[], leaves: readonly Leaf[]) {
    this.#ordinals = new GlobalOrdinals(field, leaves, true)
    this.#size = keys.length
    for (const [place, key] of keys.entries()) this.#places.set(this.#ordinals.ordOf(key), place)
  }

  add(own: unknown): Int32Array {
    const { highs, lows } = own as OrdinalTermsPartial
    return Int32Array.from(
      highs,
      (leafOrd, i) => this.#places.get(this.#ordinals.globalOf(leafOrd, lows[i]!))!,
    )
  }

  close(): { own: null; buckets: Int32Array } {
    return { own: null, buckets: Int32Array.from({ length: this.#size }, (_, place) => place) }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }
}
