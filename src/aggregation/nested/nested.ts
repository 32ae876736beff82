/** `nested`: the nested objects of a path within the documents. */

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
import { LeafMatches } from '../leaf-matches.ts'
import { ShardSingle } from '../single-bucket.ts'
import { nestedPathQuery, PathDocs } from './path-docs.ts'

/** The nested objects of a path within the documents. */
export interface Nested extends AggregationPlan {
  readonly kind: 'nested'
  readonly path: string
  /** Path of the nested objects that the documents are; null: they are none. */
  readonly parentPath: string | null
}

interface Ready {
  readonly objects: Weight
  /** Null: documents that are no nested objects. */
  readonly parents: Weight | null
}

const PARENTS = sectionBit('parents')

/** One bucket of nested objects. */
export const nested: AggregationType<Nested, Ready> = {
  readsScores: () => false,
  className: () => 'NestedAggregator',
  prepare({ path, parentPath }, shard) {
    shard.use('', PARENTS)
    return {
      objects: shard.weightOf(nestedPathQuery(path)),
      parents: parentPath === null ? null : shard.weightOf(nestedPathQuery(parentPath)),
    }
  },
  open: (_plan, ready, children, slice) => new NestedAggregator(ready, children, slice),
  sliceReducer: () => new SliceFixed(1),
  shardReducer: (_plans, children) => new ShardSingle('nested', children),
}

class NestedAggregator implements Aggregator {
  readonly #ready: Ready
  readonly #slice: AggregationSlice
  readonly #counts = new Doubles()
  readonly #below: ChildBatch
  readonly #objects: LeafMatches
  #parents: PathDocs | null = null
  /** The document whose objects `#within` holds; the pairs of one may come in several batches. */
  #parent = -1
  readonly #within: number[] = []

  constructor(ready: Ready, children: readonly Aggregator[], slice: AggregationSlice) {
    this.#ready = ready
    this.#slice = slice
    this.#objects = new LeafMatches(ready.objects, slice)
    this.#below = new ChildBatch(children)
  }

  openLeaf(leaf: Leaf, leafOrd: number): void {
    this.#objects.openLeaf(leaf, leafOrd)
    this.#parents = new PathDocs(this.#ready.parents, leaf, leafOrd, this.#slice)
    this.#parent = -1
  }

  collect(batch: BucketBatch): void {
    const { docs, owners, count } = batch
    if (this.#objects.isEmpty) return
    const counts = this.#counts.ensure(ownerLimit(owners, count))
    // Nested objects count once each.
    this.#below.begin(batch, false)
    for (let i = 0; i < count; ) {
      const parent = docs[i]!
      let end = i + 1
      while (end < count && docs[end] === parent) end++
      if (parent !== this.#parent) this.#readObjects(parent)
      for (const doc of this.#within)
        for (let k = i; k < end; k++) {
          const owner = owners === null ? 0 : owners[k]!
          counts[owner] = counts[owner]! + 1
          this.#below.addDoc(doc, k, owner, 1)
        }
      i = end
    }
    this.#below.flush()
  }

  /** Reads the objects of a document. */
  #readObjects(parent: number): void {
    const within = this.#within
    within.length = 0
    const before = this.#parents!.previous(parent - 1)
    let doc = this.#objects.seek(before + 1)
    for (; doc < parent; doc = this.#objects.seek(doc + 1)) within.push(doc)
    this.#parent = parent
  }

  finish(): FixedPartial {
    return { counts: this.#counts.values }
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}
