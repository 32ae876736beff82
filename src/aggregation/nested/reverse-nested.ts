/** `reverse_nested`: the documents that hold nested objects. */
import type { GatherNotes } from '../../search/collector/gather.ts'
import { sectionBit } from '../../search/weight/section-use.ts'
import type { Weight } from '../../search/weight/weight.ts'
import type { Leaf } from '../../segment/leaf.ts'
import {
  type AggregationPlan,
  type AggregationSlice,
  type AggregationType,
  type Aggregator,
  NO_NOTES,
} from '../aggregation-type.ts'
import { type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { Doubles, ownerLimit } from '../columns.ts'
import { type FixedPartial, SliceFixed } from '../fixed-buckets.ts'
import { ShardSingle } from '../single-bucket.ts'
import { nestedPathQuery, PathDocs } from './path-docs.ts'

/** The documents that hold nested objects. */
export interface ReverseNested extends AggregationPlan {
  readonly kind: 'reverseNested'
  /** Path of the nested objects that hold them; null: the documents that are none. */
  readonly path: string | null
}

const PARENTS = sectionBit('parents')

/** One bucket of the documents around nested objects, each once. */
export const reverseNested: AggregationType<ReverseNested, Weight | null> = {
  readsScores: () => false,
  className: () => 'ReverseNestedAggregator',
  prepare({ path }, shard) {
    shard.use('', PARENTS)
    return path === null ? null : shard.weightOf(nestedPathQuery(path))
  },
  open: (_plan, ready, children, slice) => new ReverseNestedAggregator(ready, children, slice),
  sliceReducer: () => new SliceFixed(1),
  shardReducer: (_plans, children) => new ShardSingle('reverse_nested', children),
}

class ReverseNestedAggregator implements Aggregator {
  readonly #weight: Weight | null
  readonly #slice: AggregationSlice
  readonly #counts = new Doubles()
  readonly #below: ChildBatch
  /** By owning bucket, the last document that was counted in the leaf. */
  #last = new Doubles(-1)
  #parents: PathDocs | null = null

  constructor(weight: Weight | null, children: readonly Aggregator[], slice: AggregationSlice) {
    this.#weight = weight
    this.#slice = slice
    this.#below = new ChildBatch(children)
  }

  openLeaf(leaf: Leaf, leafOrd: number): void {
    this.#parents = new PathDocs(this.#weight, leaf, leafOrd, this.#slice)
    this.#last = new Doubles(-1)
  }

  collect(batch: BucketBatch): void {
    const { docs, owners, count } = batch
    const limit = ownerLimit(owners, count)
    const counts = this.#counts.ensure(limit)
    const last = this.#last.ensure(limit)
    const docCounts = this.#slice.docCounts()
    this.#below.begin(batch, docCounts !== null)
    for (let i = 0; i < count; i++) {
      const owner = owners === null ? 0 : owners[i]!
      const parent = this.#parents!.next(docs[i]!)
      if (parent < 0 || last[owner] === parent) continue
      last[owner] = parent
      const weight = docCounts?.at(parent) ?? 1
      counts[owner] = counts[owner]! + weight
      this.#below.addDoc(parent, i, owner, weight)
    }
    this.#below.flush()
  }

  finish(): FixedPartial {
    return { counts: this.#counts.values }
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}
