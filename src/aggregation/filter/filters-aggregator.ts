import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Weight } from '../../search/weight/weight.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { AggregationSlice, Aggregator } from '../aggregation-type.ts'
import { NO_NOTES } from '../aggregation-type.ts'
import { type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { Doubles, ownerLimit } from '../columns.ts'
import type { FixedPartial } from '../fixed-buckets.ts'
import { LeafMembers } from '../leaf-members.ts'

/** Collects a bucket for each of some filters, and one for the documents that none matches. */
export class FiltersAggregator implements Aggregator {
  readonly #matches: readonly LeafMembers[]
  readonly #size: number
  readonly #hasOther: boolean
  readonly #counts = new Doubles()
  readonly #below: ChildBatch | null

  constructor(
    weights: readonly Weight[],
    hasOther: boolean,
    children: readonly Aggregator[],
    slice: AggregationSlice,
  ) {
    this.#matches = weights.map((weight, i) => new LeafMembers(weight, i, slice))
    this.#hasOther = hasOther
    this.#size = weights.length + (hasOther ? 1 : 0)
    this.#below = children.length === 0 ? null : new ChildBatch(children)
  }

  openLeaf(leaf: Leaf, leafOrd: number): void {
    for (const matches of this.#matches) matches.openLeaf(leaf, leafOrd)
  }

  collect(batch: BucketBatch): void {
    const { docs, owners, weights, count } = batch
    const size = this.#size
    const counts = this.#counts.ensure(size * ownerLimit(owners, count))
    const filters = this.#matches.length
    this.#below?.begin(batch)
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!
      const first = owners === null ? 0 : owners[i]! * size
      let isOther = this.#hasOther
      for (let f = 0; f < filters; f++) {
        if (!this.#matches[f]!.has(doc)) continue
        isOther = false
        counts[first + f] = counts[first + f]! + (weights === null ? 1 : weights[i]!)
        this.#below?.add(i, first + f)
      }
      if (!isOther) continue
      counts[first + filters] = counts[first + filters]! + (weights === null ? 1 : weights[i]!)
      this.#below?.add(i, first + filters)
    }
    this.#below?.flush()
  }

  finish(): FixedPartial {
    return { counts: this.#counts.values }
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}
