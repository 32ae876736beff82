import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { AggregationSlice, Aggregator } from '../aggregation-type.ts'
import { type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { Doubles } from '../columns.ts'
import { NumberColumn } from '../number-column.ts'
import type { NumberSource } from '../value-source.ts'
import { KeyTable } from './key-table.ts'

/** Columns of buckets by a double. */
export interface KeyedPartial {
  readonly owners: Int32Array
  readonly keys: Float64Array
  readonly counts: Float64Array
}

/** Collects buckets by a function of each value that does not descend. */
export class BucketCollector implements Aggregator {
  readonly #column: NumberColumn
  readonly #keyOf: (value: number) => number
  readonly #table: KeyTable
  readonly #counts = new Doubles()
  readonly #below: ChildBatch | null

  /** @param keyOf the bucket of a value; NaN: none */
  constructor(
    values: NumberSource,
    keyOf: (value: number) => number,
    children: readonly Aggregator[],
    slice: AggregationSlice,
  ) {
    this.#table = new KeyTable(bytes => slice.charge(bytes))
    this.#column = new NumberColumn(values)
    this.#keyOf = keyOf
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
    let lastDoc = -1
    let lastKey = 0
    for (let i = 0; i < count; i++) {
      const at = index[i]!
      const start = this.#keyOf(values[i]!)
      if (Number.isNaN(start)) continue
      // Values of a document ascend: those of one bucket lie side by side.
      if (at === lastDoc && start === lastKey) continue
      lastDoc = at
      lastKey = start
      const bucket = this.#table.bucketOf(owners === null ? 0 : owners[at]!, start)
      const counts = this.#counts.ensure(bucket + 1)
      counts[bucket] = counts[bucket]! + (weights === null ? 1 : weights[at]!)
      this.#below?.add(at, bucket)
    }
    this.#below?.flush()
  }

  finish(): KeyedPartial {
    const { owners, keys } = this.#table.packed()
    return { owners, keys, counts: this.#counts.values.slice(0, owners.length) }
  }

  notes(): GatherNotes {
    return { total_buckets: this.#table.size }
  }
}
