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
import { TextColumn } from '../text-column.ts'
import type { TermSource, TextSource } from '../value-source.ts'
import { termOfText } from '../value-text.ts'

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
  readonly values: TermSource | TextSource
  /** By `from`, then `to`. */
  readonly ranges: readonly AddressRange[]
  readonly keyed: boolean
}

/** Buckets of ranges of addresses. */
export const ipRange: AggregationType<IpRange, null> = {
  readsScores: () => false,
  className: () => 'BinaryRangeAggregator',
  prepare({ values }, shard) {
    if (values.kind === 'terms') shard.useTerms(values.field, values.fieldData)
    return null
  },
  open: ({ values, ranges }, _ready, children) =>
    new IpRangeAggregator(
      values.kind === 'terms' ? new OrdinalRanges(values, ranges) : new TextRanges(values, ranges),
      ranges.length,
      children,
    ),
  sliceReducer: ({ ranges }) => new SliceFixed(ranges.length),
  shardReducer: ([plan], children, shards) => new ShardIpRange(plan!, children, shards),
}

/** The addresses of the documents of a batch, and the ranges that they lie in. */
interface AddressRanges {
  readonly isEmpty: boolean
  readonly count: number
  /** The index in the batch of each address' document, ascending. */
  readonly index: ArrayLike<number>
  openLeaf(leaf: Leaf): void
  read(batch: BucketBatch): void
  /** Whether an address that was read lies in a range. */
  isIn(at: number, range: number): boolean
}

/** Ords of a leaf's dictionary in a range. */
interface OrdRange {
  readonly from: number
  readonly to: number
}

/** Addresses of a field: each range is one of ords. */
class OrdinalRanges implements AddressRanges {
  readonly #field: string
  readonly #ranges: readonly AddressRange[]
  readonly #column: OrdinalColumn
  /** By range, whether the missing address is in it. */
  readonly #hasMissing: readonly boolean[]
  #ords: readonly OrdRange[] = []

  constructor(values: TermSource, ranges: readonly AddressRange[]) {
    const { field, missing } = values
    this.#field = field
    this.#ranges = ranges
    this.#column = new OrdinalColumn(values)
    this.#hasMissing = ranges.map(range => missing !== null && isWithin(missing, range))
  }

  get isEmpty(): boolean {
    return this.#column.isEmpty
  }

  get count(): number {
    return this.#column.count
  }

  get index(): ArrayLike<number> {
    return this.#column.index
  }

  openLeaf(leaf: Leaf): void {
    this.#column.openLeaf(leaf)
    const terms = leaf.fieldInfo(this.#field) === null ? null : leaf.terms(this.#field)
    this.#ords = this.#ranges.map(({ from, to }) => ({
      from: terms === null || from === null ? 0 : terms.ceilingOf(from),
      to: terms === null ? 0 : to === null ? terms.termCount : terms.ceilingOf(to),
    }))
  }

  read(batch: BucketBatch): void {
    this.#column.read(batch)
  }

  isIn(at: number, range: number): boolean {
    const ord = this.#column.ords[at]!
    if (ord === MISSING_ORD) return this.#hasMissing[range]!
    const { from, to } = this.#ords[range]!
    return ord >= from && ord < to
  }
}

/** Addresses that a script gives. */
class TextRanges implements AddressRanges {
  readonly #format: TextSource['format']
  readonly #ranges: readonly AddressRange[]
  readonly #column: TextColumn
  #addresses: readonly Uint8Array[] = []

  constructor(values: TextSource, ranges: readonly AddressRange[]) {
    this.#format = values.format
    this.#ranges = ranges
    this.#column = new TextColumn(values)
  }

  readonly isEmpty: boolean = false

  get count(): number {
    return this.#column.count
  }

  get index(): ArrayLike<number> {
    return this.#column.index
  }

  openLeaf(): void {
    this.#column.openLeaf()
  }

  read(batch: BucketBatch): void {
    this.#column.read(batch)
    this.#addresses = this.#column.texts.map(text => termOfText(this.#format, text))
  }

  isIn(at: number, range: number): boolean {
    return isWithin(this.#addresses[at]!, this.#ranges[range]!)
  }
}

class IpRangeAggregator implements Aggregator {
  readonly #ranges: AddressRanges
  readonly #counts = new Doubles()
  readonly #below: ChildBatch | null
  /** By range, one more than the index of the last document that was in it. */
  readonly #seen: Int32Array

  constructor(ranges: AddressRanges, size: number, children: readonly Aggregator[]) {
    this.#ranges = ranges
    this.#below = children.length === 0 ? null : new ChildBatch(children)
    this.#seen = new Int32Array(size)
  }

  openLeaf(leaf: Leaf): void {
    this.#ranges.openLeaf(leaf)
  }

  collect(batch: BucketBatch): void {
    const ranges = this.#ranges
    if (ranges.isEmpty) return
    ranges.read(batch)
    const { count, index } = ranges
    const { owners, weights } = batch
    const size = this.#seen.length
    const counts = this.#counts.ensure(size * ownerLimit(owners, batch.count))
    this.#seen.fill(0)
    this.#below?.begin(batch)
    for (let i = 0; i < count; i++) {
      const at = index[i]!
      for (let r = 0; r < size; r++) {
        if (this.#seen[r] === at + 1 || !ranges.isIn(i, r)) continue
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
