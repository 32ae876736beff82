/** `range` and `date_range`: a bucket for each of several ranges of numbers. */

import type { GatherNotes } from '../../search/collector/gather.ts'
import { sectionBit } from '../../search/weight/section-use.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { Float64 } from '../../util/json/json-value.ts'
import type {
  AggregationPlan,
  AggregationType,
  Aggregator,
  ReducedChildren,
  ReducedShards,
  ShardReducer,
} from '../aggregation-type.ts'
import { NO_NOTES } from '../aggregation-type.ts'
import { type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { Doubles, ownerLimit } from '../columns.ts'
import { FixedCounts, type FixedPartial, SliceFixed } from '../fixed-buckets.ts'
import { NumberColumn } from '../number-column.ts'
import type { BucketResult, MultiBucketResult } from '../result.ts'
import type { NumberSource } from '../value-source.ts'
import { numberText } from '../value-text.ts'

/** Numbers from `from` on and below `to`. */
export interface NumberRange {
  /** −∞: open. */
  readonly from: number
  /** ∞: open. */
  readonly to: number
  /** Null: made of its ends. */
  readonly key: string | null
}

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
  readsScores: () => false,
  className: () => 'RangeAggregator',
  prepare({ values }, shard) {
    shard.use(values.field, NUMERIC_VALUES)
    return null
  },
  open: ({ values, ranges }, _ready, children) => new RangeAggregator(values, ranges, children),
  sliceReducer: ({ ranges }) => new SliceFixed(ranges.length),
  shardReducer: ([plan], children, shards) => new ShardRange(plan!, children, shards),
}

class RangeAggregator implements Aggregator {
  readonly #column: NumberColumn
  readonly #ranges: readonly NumberRange[]
  readonly #counts = new Doubles()
  readonly #below: ChildBatch | null
  /** By range, one more than the index of the last document that was in it. */
  readonly #seen: Int32Array

  constructor(
    values: NumberSource,
    ranges: readonly NumberRange[],
    children: readonly Aggregator[],
  ) {
    this.#column = new NumberColumn(values)
    this.#ranges = ranges
    this.#seen = new Int32Array(ranges.length)
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
    const ranges = this.#ranges
    const size = ranges.length
    const counts = this.#counts.ensure(size * ownerLimit(owners, batch.count))
    this.#seen.fill(0)
    this.#below?.begin(batch)
    for (let i = 0; i < count; i++) {
      const at = index[i]!
      const value = values[i]!
      for (let r = 0; r < size; r++) {
        const { from, to } = ranges[r]!
        if (value < from) break
        // An open end takes infinity in.
        if (!(value < to) && to !== Number.POSITIVE_INFINITY) continue
        if (this.#seen[r] === at + 1) continue
        this.#seen[r] = at + 1
        const bucket = (owners === null ? 0 : owners[at]! * size) + r
        counts[bucket] = counts[bucket]! + (weights === null ? 1 : weights[at]!)
        this.#below?.add(at, bucket)
      }
    }
    this.#below?.flush()
  }

  finish(): FixedPartial {
    return { counts: this.#counts.values }
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}

class ShardRange implements ShardReducer {
  readonly #plan: Range
  readonly #children: ReducedChildren
  readonly #shards: ReducedShards
  readonly #counts: FixedCounts

  constructor(plan: Range, children: ReducedChildren, shards: ReducedShards) {
    this.#plan = plan
    this.#children = children
    this.#shards = shards
    this.#counts = new FixedCounts(plan.ranges.length)
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    return this.#counts.add(own as FixedPartial, owners)
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  result(owner: number): MultiBucketResult {
    const { ranges, keyed, type } = this.#plan
    this.#shards.budget.take(ranges.length)
    return {
      kind: 'multi',
      typedName: type,
      className: type === 'range' ? 'InternalRange' : 'InternalDateRange',
      keyed,
      head: {},
      tail: {},
      buckets: ranges.map((_, i) => this.#bucket(owner, i)),
    }
  }

  #bucket(owner: number, index: number): BucketResult {
    const { values, ranges, keyed } = this.#plan
    const { from, to, key } = ranges[index]!
    const text = numberText(values.format)
    const hasFrom = from !== Number.NEGATIVE_INFINITY
    const hasTo = to !== Number.POSITIVE_INFINITY
    const name = key ?? `${hasFrom ? text.of(from) : '*'}-${hasTo ? text.of(to) : '*'}`
    const docCount = this.#counts.count(owner, index)
    return {
      name,
      key: Number.NaN,
      docCount,
      head: {
        key: keyed ? undefined : name,
        from: hasFrom ? new Float64(from) : undefined,
        from_as_string: hasFrom && text.isShown ? text.of(from) : undefined,
        to: hasTo ? new Float64(to) : undefined,
        to_as_string: hasTo && text.isShown ? text.of(to) : undefined,
        doc_count: docCount,
      },
      children: this.#children.results(owner < 0 ? -1 : owner * ranges.length + index),
    }
  }
}
