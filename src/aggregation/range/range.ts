/** `range` and `date_range`: a bucket for each of several ranges of numbers. */

import type { GatherNotes } from '../../search/collector/gather.ts'
import type { MatchScope } from '../../search/collector/match-scope.ts'
import { sectionBit } from '../../search/weight/section-use.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type {
  AggregationPlan,
  AggregationSlice,
  AggregationType,
  Aggregator,
  CountLimits,
} from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { type FixedPartial, SliceFixed } from '../fixed-buckets.ts'
import { KeySteps, STEPPED_BYTES } from '../kernel/key-steps.ts'
import { LeafTally } from '../kernel/leaf-tally.ts'
import { countPoints, matchedPoints } from '../kernel/point-counts.ts'
import { SlotCounts } from '../kernel/slot-counts.ts'
import { NumberColumn } from '../number-column.ts'
import type { NumberSource } from '../value-source.ts'
import { type NumberRange, RangeCounts } from './range-counts.ts'
import { RangeIntervals } from './range-intervals.ts'
import { ShardRange } from './shard-range.ts'

/** A bucket for each of several ranges. */
export interface Range extends AggregationPlan {
  readonly kind: 'range'
  readonly type: 'range' | 'date_range'
  readonly values: NumberSource
  /** By `from`, then `to`. */
  readonly ranges: readonly NumberRange[]
  readonly keyed: boolean
}

const NUMERIC_VALUES = sectionBit('numericValues')

/** Buckets of ranges of numbers. */
export const range: AggregationType<Range, null> = {
  countsBy: ({ values, ranges }) => (areApart(ranges) ? values.field : null),
  pointSteps: ({ values, ranges }, leaf, scope, maxRuns) =>
    ranges.length <= maxRuns && matchedPoints(leaf, values, scope) !== null
      ? 2 * ranges.length
      : null,
  readsScores: () => false,
  className: () => 'RangeAggregator',
  prepare({ values }, shard) {
    shard.use(values.field, NUMERIC_VALUES)
    shard.reserve(STEPPED_BYTES)
    return null
  },
  open: ({ values, ranges }, _ready, children, slice) =>
    new RangeAggregator(values, ranges, children, slice),
  sliceReducer: ({ ranges }) => new SliceFixed(ranges.length),
  shardReducer([plan], children, shards) {
    const { type, ranges, keyed, values } = plan!
    const className = type === 'range' ? 'InternalRange' : 'InternalDateRange'
    const form = { typedName: type, className, ranges, keyed, format: values.format }
    return new ShardRange(form, children, shards)
  },
}

/** Whether no two ranges overlap. @param ranges by `from`, then `to` */
function areApart(ranges: readonly NumberRange[]): boolean {
  return ranges.every(({ from }, i) => i === 0 || ranges[i - 1]!.to <= from)
}

class RangeAggregator implements Aggregator {
  readonly #values: NumberSource
  readonly #column: NumberColumn
  readonly #ranges: RangeCounts
  readonly #intervals: RangeIntervals
  readonly #slice: AggregationSlice
  readonly #rangeCount: number
  readonly #tally = new LeafTally()
  /** Whether counts are all that is asked for. */
  readonly #countsAlone: boolean
  /** The intervals of the open leaf; null: values are compared one by one. */
  #steps: KeySteps | null = null
  #slots: SlotCounts | null = null

  constructor(
    values: NumberSource,
    ranges: readonly NumberRange[],
    children: readonly Aggregator[],
    slice: AggregationSlice,
  ) {
    this.#values = values
    this.#column = new NumberColumn(values)
    this.#ranges = new RangeCounts(ranges, children)
    this.#intervals = new RangeIntervals(ranges)
    this.#slice = slice
    this.#rangeCount = ranges.length
    this.#countsAlone = children.length === 0
  }

  openLeaf(leaf: Leaf, _leafOrd: number, ownerLimit: number): void {
    this.#tally.addCollected()
    this.#column.openLeaf(leaf)
    this.#steps = null
    this.#slots = null
    const { values } = this.#column
    // A document counts once in each range: of several values a kernel cannot tell.
    if (!this.#countsAlone || values === null || values.multiValued) return
    if (this.#slice.docCounts() !== null) return
    this.#steps = KeySteps.of(values, this.#values, this.#intervals)
    if (this.#steps === null) return
    this.#slots = SlotCounts.of(leaf, values, this.#steps, ownerLimit, false)
  }

  countLeaf(leaf: Leaf, scope: MatchScope, { maxRuns }: CountLimits): boolean {
    if (this.#rangeCount > maxRuns) return false
    const matched = matchedPoints(leaf, this.#values, scope)
    if (matched === null) return false
    const intervals = this.#intervals
    const isBucket = (key: number): boolean => intervals.ranges(key).length > 0
    const found = countPoints(matched, intervals, Number.POSITIVE_INFINITY, isBucket)
    if (found === null) return false
    this.#tally.addCounted(found)
    for (const [i, key] of found.keys.entries())
      for (const range of intervals.ranges(key)) this.#ranges.addCount(0, range, found.counts[i]!)
    return true
  }

  closeLeaf(): void {
    if (this.#slots === null) return
    const { owners, keys, counts } = this.#slots.list()
    this.#slots = null
    for (let i = 0; i < keys.length; i++)
      for (const range of this.#intervals.ranges(this.#steps!.keys[keys[i]!]!))
        this.#ranges.addCount(owners[i]!, range, counts[i]!)
  }

  collect(batch: BucketBatch): void {
    if (this.#slots !== null && batch.weights === null) this.#slots.count(batch)
    else this.#collectOneByOne(batch)
  }

  #collectOneByOne(batch: BucketBatch): void {
    const column = this.#column
    if (column.isEmpty) return
    column.read(batch)
    this.#ranges.add(batch, column.doubles(), column.index, column.count)
  }

  finish(): FixedPartial {
    return this.#ranges.partial()
  }

  notes(): GatherNotes {
    return this.#tally.notes()
  }
}
