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
import type { SlotList } from '../kernel/slot-counts.ts'
import { NumberColumn } from '../number-column.ts'
import type { NumberSource } from '../value-source.ts'
import { KeyTable } from './key-table.ts'
import { joinedRuns, type KeyedPartial, mergedRuns } from './keyed-partial.ts'

/** Memory of a bucket of a run, here and where runs are joined. */
const BUCKET_BYTES = 48

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
  /** Buckets of leaves that a kernel counted, without children: they lie in order, so that none is looked for. */
  #run: KeyedPartial | null = null
  #steps: KeySteps | null = null
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
    this.#steps = steps
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
    const slots = this.#below === null ? this.#slots.take() : null
    if (slots === null) this.#slots.close()
    else this.#addRun(slots.list(), this.#steps!.keys)
  }

  #addRun({ owners, keys: steps, counts }: SlotList, keyOf: readonly number[]): void {
    this.#slice.charge(BUCKET_BYTES * owners.length)
    const keys = new Float64Array(owners.length)
    for (let i = 0; i < keys.length; i++) keys[i] = keyOf[steps[i]!]!
    const run = { owners, keys, counts: Float64Array.from(counts) }
    this.#run = this.#run === null ? run : mergedRuns(this.#run, run)
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
    const run = this.#run
    if (run !== null && this.#table.size === 0) return run
    const { owners, keys } = this.#table.packed()
    const found = { owners, keys, counts: this.#counts.values.slice(0, owners.length) }
    return run === null ? found : joinedRuns(found, run)
  }

  notes(): GatherNotes {
    const total = this.#table.size + (this.#run?.keys.length ?? 0)
    return { total_buckets: total, ...this.#tally.notes() }
  }
}
