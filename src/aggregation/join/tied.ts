/** The second search of `children` and `parent`: the documents that ids tie, in the buckets of these. */
import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import {
  type AggregationPlan,
  type AggregationType,
  type Aggregator,
  NO_NOTES,
} from '../aggregation-type.ts'
import { type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { type FixedPartial, SliceFixed } from '../fixed-buckets.ts'
import type { OrdinalColumn } from '../ordinal-column.ts'
import { idColumn } from './id-column.ts'

/** The buckets of a shard's ids: plain data. */
export interface TiedBuckets {
  /** How many there are; some may have no id. */
  readonly bucketCount: number
  /** By number of an id, where its buckets begin in `buckets`; one more for the end. */
  readonly starts: Int32Array
  /** Ascending within an id. */
  readonly buckets: Int32Array
  /** By ord of the leaf. */
  readonly leaves: readonly TiedIds[]
}

/** The ids of a leaf that are in some bucket. */
export interface TiedIds {
  /** How many ids the leaf has in all. */
  readonly idCount: number
  /** Ords in the leaf, ascending, and the number of each. */
  readonly ords: Int32Array
  readonly numbers: Int32Array
}

/** A bucket of documents for each that some ids are in. */
export interface Tied extends AggregationPlan {
  readonly kind: 'tied'
  readonly idField: string
  readonly ties: TiedBuckets
}

/** Buckets of documents by id. The search's query matches documents of one relation alone. */
export const tied: AggregationType<Tied, null> = {
  isStandIn: true,
  readsScores: () => false,
  className: () => 'TiedAggregator',
  prepare({ idField }, shard) {
    shard.useTerms(idField, null)
    return null
  },
  open: (plan, _ready, children) => new TiedAggregator(plan, children),
  sliceReducer: ({ ties }) => new SliceFixed(ties.bucketCount),
  shardReducer() {
    throw new Error('shards are merged by the aggregation that the buckets belong to')
  },
}

class TiedAggregator implements Aggregator {
  readonly #ties: TiedBuckets
  readonly #column: OrdinalColumn
  readonly #counts: Float64Array
  readonly #below: ChildBatch | null
  /** By leaf, by ord of an id: its number + 1; 0: it is in no bucket. */
  readonly #numbers: (Int32Array | undefined)[] = []
  #leafOrd = -1

  constructor({ idField, ties }: Tied, children: readonly Aggregator[]) {
    this.#ties = ties
    this.#column = idColumn(idField)
    this.#counts = new Float64Array(ties.bucketCount)
    this.#below = children.length === 0 ? null : new ChildBatch(children)
  }

  openLeaf(leaf: Leaf, leafOrd: number): void {
    this.#column.openLeaf(leaf)
    this.#leafOrd = leafOrd
  }

  collect(batch: BucketBatch): void {
    const column = this.#column
    if (column.isEmpty) return
    column.read(batch)
    const { count, index, ords } = column
    const { starts, buckets, leaves } = this.#ties
    const numberOf = (this.#numbers[this.#leafOrd] ??= byOrd(leaves[this.#leafOrd]!))
    const { weights } = batch
    this.#below?.begin(batch)
    for (let i = 0; i < count; i++) {
      const number = numberOf[ords[i]!]! - 1
      if (number < 0) continue
      const at = index[i]!
      const weight = weights === null ? 1 : weights[at]!
      for (let k = starts[number]!; k < starts[number + 1]!; k++) {
        const bucket = buckets[k]!
        this.#counts[bucket] = this.#counts[bucket]! + weight
        this.#below?.add(at, bucket)
      }
    }
    this.#below?.flush()
  }

  finish(): FixedPartial {
    return { counts: this.#counts }
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}

function byOrd({ idCount, ords, numbers }: TiedIds): Int32Array {
  const found = new Int32Array(idCount)
  for (let i = 0; i < ords.length; i++) found[ords[i]!] = numbers[i]! + 1
  return found
}
