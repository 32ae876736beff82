/** `ip_range`: a bucket for each of several ranges of addresses. */

import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { compareBytes } from '../../util/bytes.ts'
import { printAddress } from '../../util/ip-address.ts'
import {
  type AggregationPlan,
  type AggregationType,
  type Aggregator,
  NO_NOTES,
  type ReducedChildren,
  type ReducedShards,
} from '../aggregation-type.ts'
import { type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { Doubles, ownerLimit } from '../columns.ts'
import { type FixedPartial, SliceFixed } from '../fixed-buckets.ts'
import { MISSING_ORD, OrdinalColumn } from '../ordinal-column.ts'
import type { BucketResult, MultiBucketResult } from '../result.ts'
import { ShardFixed } from '../shard-fixed.ts'
import type { TermSource } from '../value-source.ts'

/** Addresses from `from` on and below `to`, 16 bytes each; null ends are open. */
export interface AddressRange {
  readonly from: Uint8Array | null
  readonly to: Uint8Array | null
  /** Null: made of its ends. */
  readonly key: string | null
}

/** A bucket for each of several ranges of addresses. */
export interface IpRange extends AggregationPlan {
  readonly kind: 'ipRange'
  readonly values: TermSource
  /** By `from`, then `to`. */
  readonly ranges: readonly AddressRange[]
  readonly keyed: boolean
}

/** Buckets of ranges of addresses. */
export const ipRange: AggregationType<IpRange, null> = {
  readsScores: () => false,
  className: () => 'BinaryRangeAggregator',
  prepare({ values }, shard) {
    shard.useTerms(values.field, values.fieldData)
    return null
  },
  open: (plan, _ready, children) => new IpRangeAggregator(plan, children),
  sliceReducer: ({ ranges }) => new SliceFixed(ranges.length),
  shardReducer: ([plan], children, shards) => new ShardIpRange(plan!, children, shards),
}

/** Ords of a leaf's dictionary in a range. */
interface OrdRange {
  readonly from: number
  readonly to: number
}

class IpRangeAggregator implements Aggregator {
  readonly #plan: IpRange
  readonly #column: OrdinalColumn
  readonly #counts = new Doubles()
  readonly #below: ChildBatch | null
  /** By range, whether the missing address is in it. */
  readonly #hasMissing: readonly boolean[]
  /** By range, one more than the index of the last document that was in it. */
  readonly #seen: Int32Array
  #ords: readonly OrdRange[] = []

  constructor(plan: IpRange, children: readonly Aggregator[]) {
    const { values, ranges } = plan
    this.#plan = plan
    this.#column = new OrdinalColumn(values)
    this.#below = children.length === 0 ? null : new ChildBatch(children)
    this.#seen = new Int32Array(ranges.length)
    const { missing } = values
    this.#hasMissing = ranges.map(range => missing !== null && isWithin(missing, range))
  }

  openLeaf(leaf: Leaf): void {
    const { values, ranges } = this.#plan
    this.#column.openLeaf(leaf)
    const terms = leaf.fieldInfo(values.field) === null ? null : leaf.terms(values.field)
    this.#ords = ranges.map(({ from, to }) => ({
      from: terms === null || from === null ? 0 : terms.ceilingOf(from),
      to: terms === null ? 0 : to === null ? terms.termCount : terms.ceilingOf(to),
    }))
  }

  collect(batch: BucketBatch): void {
    const column = this.#column
    if (column.isEmpty) return
    column.read(batch)
    const { count, index, ords } = column
    const { owners, weights } = batch
    const size = this.#ords.length
    const counts = this.#counts.ensure(size * ownerLimit(owners, batch.count))
    this.#seen.fill(0)
    this.#below?.begin(batch)
    for (let i = 0; i < count; i++) {
      const at = index[i]!
      const ord = ords[i]!
      for (let r = 0; r < size; r++) {
        const { from, to } = this.#ords[r]!
        const isIn = ord === MISSING_ORD ? this.#hasMissing[r]! : ord >= from && ord < to
        if (!isIn || this.#seen[r] === at + 1) continue
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

function isWithin(address: Uint8Array, { from, to }: AddressRange): boolean {
  return (
    (from === null || compareBytes(address, from) >= 0) &&
    (to === null || compareBytes(address, to) < 0)
  )
}

class ShardIpRange extends ShardFixed {
  readonly #plan: IpRange

  constructor(plan: IpRange, children: ReducedChildren, shards: ReducedShards) {
    super(plan.ranges.length, children, shards)
    this.#plan = plan
  }

  override result(owner: number): MultiBucketResult {
    const { ranges, keyed } = this.#plan
    this.shards.budget.take(ranges.length)
    return {
      kind: 'multi',
      typedName: 'ip_range',
      className: 'InternalBinaryRange',
      keyed,
      head: {},
      tail: {},
      buckets: ranges.map((_, i) => this.#bucket(owner, i)),
    }
  }

  #bucket(owner: number, index: number): BucketResult {
    const { ranges, keyed } = this.#plan
    const { from, to, key } = ranges[index]!
    const fromText = from === null ? null : printAddress(from)
    const toText = to === null ? null : printAddress(to)
    const name = key ?? `${fromText ?? '*'}-${toText ?? '*'}`
    const docCount = this.counts.count(owner, index)
    return {
      name,
      key: Number.NaN,
      docCount,
      head: {
        key: keyed ? undefined : name,
        from: fromText ?? undefined,
        to: toText ?? undefined,
        doc_count: docCount,
      },
      children: this.children.results(owner < 0 ? -1 : owner * ranges.length + index),
    }
  }
}
