import type { NumericValuesReader } from '../../codec/doc-values/reader.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BucketBatch, ChildBatch } from '../bucket-batch.ts'
import type { Doubles } from '../columns.ts'
import { type KeySpace, SlotCounts } from './slot-counts.ts'

/** The buckets of an aggregator, where slots become new ones. */
interface NumberedBuckets {
  /** Number of buckets. */
  readonly size: number
}

/** Counts the batches of a leaf by slot, and gives the slots buckets of their aggregator. */
export class SlotBuckets {
  readonly #table: NumberedBuckets
  readonly #counts: Doubles
  readonly #below: ChildBatch | null
  /** Null: no leaf is open whose buckets kernels find. */
  #slots: SlotCounts | null = null
  /** Makes a bucket of an owning bucket and a key. */
  #name: (owner: number, key: number) => number = () => -1

  /** @param counts documents by bucket */
  constructor(table: NumberedBuckets, counts: Doubles, below: ChildBatch | null) {
    this.#table = table
    this.#counts = counts
    this.#below = below
  }

  /**
   * Opens a leaf.
   * @param reader its column; null: its documents are collected one by one
   * @param name   makes a bucket of an owning bucket and a key
   * @returns the limit of buckets until it is closed; Infinity: unknown
   */
  open(
    leaf: Leaf,
    reader: NumericValuesReader | null,
    keys: KeySpace | null,
    ownerLimit: number,
    name: (owner: number, key: number) => number,
  ): number {
    this.#name = name
    this.#slots =
      keys === null ? null : SlotCounts.of(leaf, reader, keys, ownerLimit, this.#below !== null)
    return this.#slots === null ? Number.POSITIVE_INFINITY : this.#table.size + this.#slots.size
  }

  /**
   * Counts a batch, and hands its documents down.
   * @param hasKeys whether all values have a key
   * @returns false: its documents are to be collected one by one
   */
  collect(batch: BucketBatch, hasKeys: boolean): boolean {
    const slots = this.#slots
    const below = this.#below
    if (slots === null || batch.weights !== null) return false
    if (below === null) slots.count(batch)
    else if (batch.scores === null)
      slots.assign(batch, below, this.#table.size, hasKeys, this.#name)
    else return false
    return true
  }

  /** Gives up the slots of the open leaf, uncounted; null: there are none. */
  take(): SlotCounts | null {
    const slots = this.#slots
    this.#slots = null
    return slots
  }

  /** Adds the counts of the open leaf to its buckets. */
  close(): void {
    const slots = this.take()
    if (slots === null) return
    const { owners, keys, buckets, counts: from } = slots.list()
    for (let i = 0; i < keys.length; i++) {
      const bucket = buckets[i] ?? this.#name(owners[i]!, keys[i]!)
      const counts = this.#counts.ensure(bucket + 1)
      counts[bucket] = counts[bucket]! + from[i]!
    }
  }
}
