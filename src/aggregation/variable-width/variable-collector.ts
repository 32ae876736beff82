import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { type AggregationSlice, type Aggregator, NO_NOTES } from '../aggregation-type.ts'
import { type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { Doubles } from '../columns.ts'
import { ExactSums, type SumScale, type SumsPartial } from '../exact-sum.ts'
import { NumberColumn } from '../number-column.ts'
import type { NumberSource } from '../value-source.ts'
import { CellBuckets } from './cell-buckets.ts'

/** Columns of a slice by bucket, each of values that share a cell: plain data. */
export interface CellBucketsPartial {
  readonly owners: Int32Array
  /** By owning bucket: of its cells. */
  readonly levels: Uint8Array
  readonly mins: Float64Array
  readonly maxs: Float64Array
  /** Values, each counted once in a document. */
  readonly counts: Float64Array
  /** The same, weighted by their documents. */
  readonly docCounts: Float64Array
  readonly sums: SumsPartial
}

/** Collects documents by the cells of their values. */
export class VariableCollector implements Aggregator {
  readonly #column: NumberColumn
  readonly #buckets: CellBuckets
  readonly #below: ChildBatch | null
  readonly #mins = new Doubles(Number.POSITIVE_INFINITY)
  readonly #maxs = new Doubles(Number.NEGATIVE_INFINITY)
  readonly #counts = new Doubles()
  readonly #docCounts = new Doubles()
  readonly #sums: ExactSums
  #ownerCount = 0

  constructor(
    values: NumberSource,
    scale: SumScale,
    children: readonly Aggregator[],
    slice: AggregationSlice,
  ) {
    this.#column = new NumberColumn(values)
    this.#buckets = new CellBuckets(bytes => slice.charge(bytes))
    this.#sums = new ExactSums(scale)
    this.#below = children.length === 0 ? null : new ChildBatch(children)
  }

  openLeaf(leaf: Leaf): void {
    this.#column.openLeaf(leaf)
  }

  collect(batch: BucketBatch): void {
    const column = this.#column
    if (column.isEmpty) return
    column.read(batch)
    const { count, index } = column
    const values = column.doubles()
    const { owners, weights } = batch
    this.#below?.begin(batch)
    for (let i = 0; i < count; i++) {
      const at = index[i]!
      // −0 is 0.
      const value = values[i]! + 0
      // Equal values of a document lie side by side.
      if (i > 0 && index[i - 1] === at && values[i - 1] === value) continue
      const owner = owners === null ? 0 : owners[at]!
      if (owner >= this.#ownerCount) this.#ownerCount = owner + 1
      const bucket = this.#buckets.bucketOf(owner, value)
      this.#add(bucket, value, weights === null ? 1 : weights[at]!)
      this.#below?.add(at, bucket)
    }
    this.#below?.flush()
  }

  #add(bucket: number, value: number, weight: number): void {
    const room = bucket + 1
    const mins = this.#mins.ensure(room)
    const maxs = this.#maxs.ensure(room)
    const counts = this.#counts.ensure(room)
    const docCounts = this.#docCounts.ensure(room)
    mins[bucket] = Math.min(mins[bucket]!, value)
    maxs[bucket] = Math.max(maxs[bucket]!, value)
    counts[bucket]! += 1
    docCounts[bucket]! += weight
    this.#sums.ensure(room)
    this.#sums.add(bucket, value)
  }

  finish(): CellBucketsPartial {
    const { size } = this.#buckets
    return {
      owners: Int32Array.from({ length: size }, (_, bucket) => this.#buckets.owner(bucket)),
      levels: this.#buckets.levels(this.#ownerCount),
      mins: this.#mins.values.slice(0, size),
      maxs: this.#maxs.values.slice(0, size),
      counts: this.#counts.values.slice(0, size),
      docCounts: this.#docCounts.values.slice(0, size),
      sums: this.#sums.partial(),
    }
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}
