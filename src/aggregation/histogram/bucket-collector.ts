import type { GatherNotes } from '../../search/collector/gather.ts'
import type { MatchScope } from '../../search/collector/match-scope.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { AggregationSlice, Aggregator, CountLimits } from '../aggregation-type.ts'
import { type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { Doubles } from '../columns.ts'
import { KeySteps, type StepKeys } from '../kernel/key-steps.ts'
import { LeafTally } from '../kernel/leaf-tally.ts'
import { countPoints, matchedPoints } from '../kernel/point-counts.ts'
import { SlotBuckets } from '../kernel/slot-buckets.ts'
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
  readonly #values: NumberSource
  readonly #keys: StepKeys
  readonly #slice: AggregationSlice
  readonly #table: KeyTable
  readonly #counts = new Doubles()
  readonly #below: ChildBatch | null
  readonly #tally = new LeafTally()
  readonly #slots: SlotBuckets
  bucketLimit: number = Number.POSITIVE_INFINITY

  /** @param keys the bucket of a value; NaN: none */
  constructor(
    values: NumberSource,
    keys: StepKeys,
    children: readonly Aggregator[],
    slice: AggregationSlice,
  ) {
    this.#table = new KeyTable(bytes => slice.charge(bytes))
    this.#column = new NumberColumn(values)
    this.#values = values
    this.#keys = keys
    this.#slice = slice
    this.#below = children.length === 0 ? null : new ChildBatch(children)
    this.#slots = new SlotBuckets(this.#table, this.#counts, this.#below)
  }

  openLeaf(leaf: Leaf, _leafOrd: number, ownerLimit: number): void {
    this.#tally.addCollected()
    this.#column.openLeaf(leaf)
    const { values } = this.#column
    const isWeighed = this.#slice.docCounts() !== null
    const steps = isWeighed ? null : KeySteps.of(values, this.#values, this.#keys)
    const name = (owner: number, step: number): number =>
      this.#table.append(owner, steps!.keys[step]!)
    this.bucketLimit = this.#slots.open(leaf, values, steps, ownerLimit, name)
  }

  countLeaf(leaf: Leaf, scope: MatchScope, { maxRuns }: CountLimits): boolean {
    const matched = matchedPoints(leaf, this.#values, scope)
    const found = matched === null ? null : countPoints(matched, this.#keys, maxRuns)
    if (found === null) return false
    this.#tally.addCounted(found)
    for (const [i, count] of found.counts.entries()) {
      if (count === 0) continue
      const bucket = this.#table.bucketOf(0, found.keys[i]!)
      const counts = this.#counts.ensure(bucket + 1)
      counts[bucket] = counts[bucket]! + count
    }
    return true
  }

  collect(batch: BucketBatch): void {
    if (!this.#slots.collect(batch, true)) this.#collectOneByOne(batch)
  }

  closeLeaf(): void {
    this.#slots.close()
  }

  #collectOneByOne(batch: BucketBatch): void {
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
      const start = this.#keys.of(values[i]!)
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
    return { total_buckets: this.#table.size, ...this.#tally.notes() }
  }
}
