import type { GatherNotes } from '../../search/collector/gather.ts'
import type { MatchScope } from '../../search/collector/match-scope.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { AggregationSlice, Aggregator, CountLimits } from '../aggregation-type.ts'
import { type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { Doubles, ownerLimit } from '../columns.ts'
import type { StepKeys } from '../kernel/key-steps.ts'
import { LeafTally } from '../kernel/leaf-tally.ts'
import { countPoints, endsOf, matchedPoints } from '../kernel/point-counts.ts'
import { NumberColumn } from '../number-column.ts'
import type { NumberSource } from '../value-source.ts'
import { KeyTable } from './key-table.ts'
import type { KeyedPartial } from './keyed-partial.ts'
import type { UnitLadder } from './unit-ladder.ts'

/** Memory of a bucket, roughly. */
const BUCKET_BYTES = 48

/** Columns of buckets, whose keys are starts of units up to one by owning bucket. */
export interface AutoPartial extends KeyedPartial {
  /** Indices of units by owning bucket. */
  readonly levels: Float64Array
}

/**
 * Collects buckets of the finest unit that an answer may still have: an owning bucket whose instants
 * lie too far apart goes on with a coarser one, beside the buckets that it has.
 */
export class AutoCollector implements Aggregator {
  readonly #column: NumberColumn
  readonly #values: NumberSource
  readonly #ladder: UnitLadder
  readonly #slice: AggregationSlice
  readonly #table = new KeyTable()
  readonly #counts = new Doubles()
  readonly #below: ChildBatch | null
  readonly #tally = new LeafTally()
  /** By owning bucket: the index of its unit, and its first and last key. */
  readonly #levels = new Doubles()
  readonly #firsts = new Doubles(Number.POSITIVE_INFINITY)
  readonly #lasts = new Doubles(Number.NEGATIVE_INFINITY)

  constructor(
    values: NumberSource,
    ladder: UnitLadder,
    children: readonly Aggregator[],
    slice: AggregationSlice,
  ) {
    this.#slice = slice
    this.#column = new NumberColumn(values)
    this.#values = values
    this.#ladder = ladder
    this.#below = children.length === 0 ? null : new ChildBatch(children)
  }

  openLeaf(leaf: Leaf): void {
    this.#tally.addCollected()
    this.#column.openLeaf(leaf)
  }

  countLeaf(leaf: Leaf, scope: MatchScope, { maxRuns }: CountLimits): boolean {
    const matched = matchedPoints(leaf, this.#values, scope)
    if (matched === null) return false
    // The ends of the leaf decide the unit, before the documents between them are counted.
    for (const each of [this.#levels, this.#firsts, this.#lasts]) each.ensure(1)
    for (const end of endsOf(matched)) this.#keyOf(0, end)
    const level = this.#levels.at(0)
    const keys: StepKeys = {
      of: millis => this.#ladder.round(level, millis),
      next: start => this.#ladder.next(level, start),
    }
    const found = countPoints(matched, keys, maxRuns)
    if (found === null) return false
    this.#tally.addCounted(found)
    const before = this.#table.size
    for (const [i, count] of found.counts.entries()) {
      if (count === 0) continue
      const bucket = this.#table.bucketOf(0, found.keys[i]!)
      const counts = this.#counts.ensure(bucket + 1)
      counts[bucket] = counts[bucket]! + count
    }
    this.#slice.charge((this.#table.size - before) * BUCKET_BYTES)
    return true
  }

  collect(batch: BucketBatch): void {
    const column = this.#column
    if (column.isEmpty) return
    column.read(batch)
    const { count, index } = column
    const values = column.doubles()
    const { owners, weights } = batch
    const limit = ownerLimit(owners, batch.count)
    for (const each of [this.#levels, this.#firsts, this.#lasts]) each.ensure(limit)
    const before = this.#table.size
    this.#below?.begin(batch)
    let lastDoc = -1
    let lastValue = 0
    for (let i = 0; i < count; i++) {
      const at = index[i]!
      const owner = owners === null ? 0 : owners[at]!
      const value = values[i]!
      // A document counts once for each of the finest units, whatever its bucket's unit is by now.
      if (at === lastDoc && this.#ladder.round(0, value) === this.#ladder.round(0, lastValue))
        continue
      lastDoc = at
      lastValue = value
      const bucket = this.#table.bucketOf(owner, this.#keyOf(owner, value))
      const counts = this.#counts.ensure(bucket + 1)
      counts[bucket] = counts[bucket]! + (weights === null ? 1 : weights[at]!)
      this.#below?.add(at, bucket)
    }
    this.#below?.flush()
    this.#slice.charge((this.#table.size - before) * BUCKET_BYTES)
  }

  /** The key of an instant, for which its owning bucket may become coarser. */
  #keyOf(owner: number, millis: number): number {
    const { values: levels } = this.#levels
    const { values: firsts } = this.#firsts
    const { values: lasts } = this.#lasts
    const key = this.#ladder.round(levels[owner]!, millis)
    if (key >= firsts[owner]! && key <= lasts[owner]!) return key
    firsts[owner] = Math.min(key, firsts[owner]!)
    lasts[owner] = Math.max(key, lasts[owner]!)
    const level = levels[owner]!
    while (this.#ladder.isTooFine(levels[owner]!, firsts[owner]!, lasts[owner]!))
      levels[owner] = levels[owner]! + 1
    return levels[owner] === level ? key : this.#ladder.round(levels[owner]!, millis)
  }

  finish(): AutoPartial {
    const { owners, keys } = this.#table.packed()
    const counts = this.#counts.values.slice(0, owners.length)
    return { owners, keys, counts, levels: this.#levels.values }
  }

  notes(): GatherNotes {
    const { owners, keys } = this.#table.packed()
    const coarse = new KeyTable()
    for (const [bucket, owner] of owners.entries())
      coarse.bucketOf(owner, this.#ladder.round(this.#levels.at(owner), keys[bucket]!))
    return { ...this.#tally.notes(), surviving_buckets: coarse.size }
  }
}
