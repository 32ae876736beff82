import type { GatherNotes } from '../../search/collector/gather.ts'
import { highHalf, lowHalf } from '../../search/query/point-value.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { AggregationSlice, Aggregator } from '../aggregation-type.ts'
import { type BatchTarget, type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { type BucketKeys, BucketTable } from '../bucket-table.ts'
import { Doubles } from '../columns.ts'
import { SlotBuckets } from '../kernel/slot-buckets.ts'
import { IntegerKeys } from '../kernel/slot-counts.ts'
import { NumberColumn } from '../number-column.ts'
import type { NumberSource } from '../value-source.ts'
import { NumberFilter } from './number-filter.ts'
import type { Selection } from './selection.ts'
import type { ValueFilter } from './value-filter.ts'

/** Columns of buckets by sortable integer. */
export interface NumberTermsPartial extends BucketKeys {
  readonly counts: Float64Array
}

const STRATEGIES: { readonly [T in NumberSource['type']]: string } = {
  long: 'long_terms',
  unsignedLong: 'unsigned_long_terms',
  double: 'double_terms',
}

/** Collects buckets of numbers. */
export class NumberTerms implements Aggregator {
  readonly #strategy: string
  readonly #column: NumberColumn
  readonly #filter: NumberFilter | null
  readonly #table: BucketTable
  readonly #counts = new Doubles()
  readonly #below: ChildBatch | null
  readonly #values: NumberSource
  readonly #slice: AggregationSlice
  readonly #slots: SlotBuckets
  readonly #selection: Selection | null
  bucketLimit: number = Number.POSITIVE_INFINITY

  /** @param selection null: none is told */
  constructor(
    values: NumberSource,
    filter: ValueFilter | null,
    children: readonly BatchTarget[],
    slice: AggregationSlice,
    selection: Selection | null = null,
  ) {
    this.#selection = selection
    this.#table = new BucketTable(bytes => slice.charge(bytes))
    this.#values = values
    this.#slice = slice
    this.#strategy = STRATEGIES[values.type]
    this.#column = new NumberColumn(values)
    this.#filter = filter === null ? null : new NumberFilter(filter)
    this.#below = children.length === 0 ? null : new ChildBatch(children)
    this.#slots = new SlotBuckets(this.#table, this.#counts, this.#below)
  }

  /** Buckets so far. */
  get bucketCount(): number {
    return this.#table.size
  }

  openLeaf(leaf: Leaf, _leafOrd: number, ownerLimit: number): void {
    this.#column.openLeaf(leaf)
    const { values } = this.#column
    const { missing, isNanos } = this.#values
    const isPlain = missing === null && !isNanos && this.#filter === null
    const isCounted = values !== null && isPlain && this.#slice.docCounts() === null
    const keys = isCounted ? IntegerKeys.of(values, true) : null
    const name = (owner: number, key: number): number => {
      const value = keys!.base + BigInt(key)
      return this.#table.append(owner, highHalf(value), lowHalf(value))
    }
    this.bucketLimit = this.#slots.open(leaf, values, keys, ownerLimit, name)
  }

  closeLeaf(): void {
    this.#slots.close()
  }

  collect(batch: BucketBatch): void {
    if (!this.#slots.collect(batch, true)) this.#collectOneByOne(batch)
  }

  #collectOneByOne(batch: BucketBatch): void {
    const column = this.#column
    if (column.isEmpty) return
    column.read(batch)
    const { count, index, high, low } = column
    const { owners, weights } = batch
    this.#below?.begin(batch)
    for (let i = 0; i < count; i++) {
      const at = index[i]!
      // Equal values of a document lie side by side.
      if (i > 0 && index[i - 1] === at && high[i - 1] === high[i] && low[i - 1] === low[i]) continue
      if (this.#filter?.accepts(high[i]!, low[i]!) === false) continue
      const bucket = this.#table.bucketOf(owners === null ? 0 : owners[at]!, high[i]!, low[i]!)
      const counts = this.#counts.ensure(bucket + 1)
      counts[bucket] = counts[bucket]! + (weights === null ? 1 : weights[at]!)
      this.#below?.add(at, bucket)
    }
    this.#below?.flush()
  }

  finish(): NumberTermsPartial {
    return { ...this.#table.packed(), counts: this.#counts.values.slice(0, this.#table.size) }
  }

  notes(): GatherNotes {
    const selection = this.#selection
    return {
      result_strategy: this.#strategy,
      total_buckets: this.#table.size,
      ...(selection && { result_selection_strategy: selection.ofNumbers(this.finish()) }),
    }
  }
}
