/** Buckets of fields of ranges: a document falls into each bucket that one of its ranges touches. */
import type { BytesReader } from '../../codec/bytes/reader.ts'
import type { GatherNotes } from '../../search/collector/gather.ts'
import { decodePoint } from '../../search/scorer/point-encoding.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { AggregationSlice, Aggregator } from '../aggregation-type.ts'
import { type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { Doubles } from '../columns.ts'
import type { RangeSource } from '../value-source.ts'
import type { Bounds } from './bounds.ts'
import { KeyTable } from './key-table.ts'
import type { KeyedPartial } from './keyed-partial.ts'

/** The buckets of a histogram, numbered or named by an ascending double: their steps. */
export interface RangeSteps {
  /** The step that holds a value. */
  of(value: number): number
  /** The step behind one. */
  next(step: number): number
  /** The key of a step's bucket. */
  key(step: number): number
  /** A number of buckets from one step to another that there are at least. */
  minCount(first: number, last: number): number
}

/** Memory of a bucket, with those below it and its result, roughly. */
const BUCKET_BYTES = 1024
/** Ends are two integers of 8 bytes whose sign bits are flipped. */
const END_BYTES = 8
const SIGN = 0x80000000

/** Collects buckets by the steps that ranges touch. */
export class RangeCollector implements Aggregator {
  readonly #values: RangeSource
  readonly #steps: RangeSteps
  readonly #min: number
  readonly #max: number
  readonly #slice: AggregationSlice
  readonly #table = new KeyTable()
  readonly #counts = new Doubles()
  readonly #below: ChildBatch | null
  #reader: BytesReader | null = null
  /** Buckets whose memory is charged. */
  #charged = 0

  /** @param bounds ranges are cut at them, both included */
  constructor(
    values: RangeSource,
    steps: RangeSteps,
    bounds: Bounds | null,
    children: readonly Aggregator[],
    slice: AggregationSlice,
  ) {
    this.#values = values
    this.#steps = steps
    this.#min = bounds?.min ?? Number.NEGATIVE_INFINITY
    this.#max = bounds?.max ?? Number.POSITIVE_INFINITY
    this.#slice = slice
    this.#below = children.length === 0 ? null : new ChildBatch(children)
  }

  openLeaf(leaf: Leaf): void {
    this.#reader = leaf.bytes(this.#values.field)
  }

  collect(batch: BucketBatch): void {
    const reader = this.#reader
    if (reader === null) return
    const { docs, count, owners } = batch
    this.#below?.begin(batch)
    for (let i = 0; i < count; i++) {
      if (!reader.advanceExact(docs[i]!)) continue
      const owner = owners === null ? 0 : owners[i]!
      // Ranges of a document ascend by their lower ends: steps up to this one have counted it.
      let seen = Number.NEGATIVE_INFINITY
      for (let k = 0; k < reader.valueCount(); k++)
        seen = this.#addRange(batch, i, owner, reader.value(k), seen)
    }
    this.#below?.flush()
  }

  /** @returns the last step that has counted the document */
  #addRange(batch: BucketBatch, at: number, owner: number, ends: Uint8Array, seen: number): number {
    const steps = this.#steps
    const from = Math.max(this.#end(ends, 0), this.#min)
    const to = Math.min(this.#end(ends, END_BYTES), this.#max)
    const start = steps.of(from)
    const last = steps.of(to)
    const first = Math.max(start, seen)
    if (!(last >= first)) return seen
    this.#charge(Math.min(Number.MAX_SAFE_INTEGER / BUCKET_BYTES, steps.minCount(first, last)))
    for (let step = first; step <= last; ) {
      if (step !== seen) this.#count(batch, at, owner, steps.key(step))
      const next = steps.next(step)
      // Of steps so large that doubles do not tell them apart, one bucket is made.
      if (!(next > step)) break
      step = next
    }
    this.#charge(this.#table.size)
    return last
  }

  #count(batch: BucketBatch, at: number, owner: number, key: number): void {
    const bucket = this.#table.bucketOf(owner, key)
    const counts = this.#counts.ensure(bucket + 1)
    counts[bucket] = counts[bucket]! + (batch.weights === null ? 1 : batch.weights[at]!)
    this.#below?.add(at, bucket)
  }

  /** Charges the memory of so many buckets, less what has been charged. */
  #charge(buckets: number): void {
    if (buckets <= this.#charged) return
    this.#slice.charge(Math.ceil((buckets - this.#charged) * BUCKET_BYTES))
    this.#charged = buckets
  }

  #end(bytes: Uint8Array, at: number): number {
    return decodePoint(wordOf(bytes, at) ^ SIGN, wordOf(bytes, at + 4) >>> 0, this.#values.encoding)
  }

  finish(): KeyedPartial {
    const { owners, keys } = this.#table.packed()
    return { owners, keys, counts: this.#counts.values.slice(0, owners.length) }
  }

  notes(): GatherNotes {
    return { total_buckets: this.#table.size }
  }
}

function wordOf(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
}
