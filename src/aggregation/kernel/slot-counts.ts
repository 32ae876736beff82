/** Documents of one leaf counted by slot, a pair of an owning bucket and a key. */
import type { NumericValuesReader } from '../../codec/doc-values/reader.ts'
import { BATCH_DOCS } from '../../search/collector/gather.ts'
import { joinHalves } from '../../search/query/point-value.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { BATCH_RECORD_BYTES, BatchRecord } from './batch-record.ts'
import { type ArenaList, HandedBatch } from './handed-batch.ts'

/** Max slots of a leaf. */
const MAX_SLOTS = 1 << 19
/** Slots that have room where their number is unknown before the search. */
const USUAL_SLOTS = 1 << 15
/** Count and bucket of a slot. */
const SLOT_BYTES = 8
const LIST_BYTES = 4 * BATCH_DOCS
/** Bits of the keys of blocks that are counted without looking at each, and room for any of theirs. */
const NARROW_BITS = 14
/** The bucket of a slot that has not become one. */
const NO_BUCKET = -1

/**
 * Scratch of one counter with the lists of documents that it hands down.
 * @param keys of one owning bucket; Infinity: unknown
 */
export function slotBytes(keys: number): number {
  const slots = keys <= MAX_SLOTS ? keys : USUAL_SLOTS
  return BATCH_RECORD_BYTES + 4 * roomOf(slots) + SLOT_BYTES * slots + 3 * LIST_BYTES + 6 * 64
}

/** Counts behind the last slot: what a block of few bits may hold beside its base. */
function roomOf(slots: number): number {
  return Math.min(2 ** NARROW_BITS, 2 ** Math.ceil(Math.log2(slots + 1)))
}

/** The keys of a column's values: from 0 on, below `count`. */
export interface KeySpace {
  readonly count: number
  /** Whether a document may have one of them several times. */
  readonly repeats: boolean
  /** Describes them to the kernel. @returns false: there is no room */
  describe(leaf: Leaf, record: BatchRecord): boolean
}

/** The slots of a leaf. */
export class SlotCounts {
  /** Limit of the buckets that its slots become. */
  readonly size: number
  readonly #leaf: Leaf
  readonly #record: BatchRecord
  readonly #keys: number
  /** Index of the first count among the words of the arena; behind each its bucket, where slots become some. */
  readonly #counts: number
  readonly #down: DownList | null

  /**
   * Null where the column lies in no blocks, slots would be too many, or there is no scratch.
   * @param ownerLimit  of owning buckets
   * @param hasChildren whether slots become buckets whose documents are handed down
   */
  static of(
    leaf: Leaf,
    reader: NumericValuesReader | null,
    keys: KeySpace,
    ownerLimit: number,
    hasChildren: boolean,
  ): SlotCounts | null {
    const slots = keys.count * ownerLimit
    if (reader === null || !(slots <= MAX_SLOTS) || (hasChildren && reader.multiValued)) return null
    const mark = leaf.scratch.mark()
    const record = BatchRecord.of(leaf, reader)
    const bytes = hasChildren ? SLOT_BYTES * slots + 3 * LIST_BYTES : 4 * (roomOf(slots) + slots)
    const at = record === null ? -1 : leaf.scratch.tryAllocate(bytes)
    if (record !== null && at >= 0 && keys.describe(leaf, record)) {
      const isFull = reader.docCount === reader.maxDoc
      return new SlotCounts(leaf, record, keys, ownerLimit, hasChildren ? { isFull } : null, at)
    }
    leaf.scratch.release(mark)
    return null
  }

  private constructor(
    leaf: Leaf,
    record: BatchRecord,
    { count, repeats }: KeySpace,
    ownerLimit: number,
    children: { readonly isFull: boolean } | null,
    at: number,
  ) {
    const { i32 } = leaf.views
    this.#leaf = leaf
    this.#record = record
    this.#keys = count
    this.size = count * ownerLimit
    this.#counts = at >> 2
    record.set('keys', count)
    record.set('ownerLimit', ownerLimit)
    record.set('repeats', repeats ? 1 : 0)
    record.set('counts', at)
    this.#down = null
    if (children === null) {
      record.set('room', ownerLimit === 1 ? roomOf(this.size) : 0)
      i32.fill(0, this.#counts, this.#counts + this.size)
      return
    }
    for (let i = this.#counts; i < this.#counts + 2 * this.size; i += 2) {
      i32[i] = 0
      i32[i + 1] = NO_BUCKET
    }
    const lists = at + SLOT_BYTES * this.size
    record.set('fresh', lists)
    const listAt = (address: number): ArenaList => ({
      at: address,
      values: i32.subarray(address >> 2, (address >> 2) + BATCH_DOCS),
    })
    const owners = listAt(lists + 2 * LIST_BYTES)
    record.set('outOwners', owners.at)
    this.#down = {
      isFull: children.isFull,
      fresh: listAt(lists).values,
      docs: listAt(lists + LIST_BYTES),
      owners,
    }
  }

  /** Counts a batch whose documents weigh 1 each. */
  count(batch: BucketBatch): void {
    this.#record.point(batch)
    this.#leaf.kernels.countKeys(this.#record.address)
  }

  /**
   * The same, and hands the documents down with their buckets.
   * @param next    the bucket of the next slot that becomes one
   * @param hasKeys whether all values have a key
   * @param name    called with the owning bucket and key of each new bucket, in order
   */
  assign(
    batch: BucketBatch,
    below: ChildBatch,
    next: number,
    hasKeys: boolean,
    name: (owner: number, key: number) => unknown,
  ): void {
    const { isFull, fresh, docs, owners } = this.#down!
    const record = this.#record
    record.point(batch)
    // Where each document has a bucket, the documents handed down are those of the batch.
    const isSame = isFull && hasKeys
    record.set('outDocs', isSame ? 0 : docs.at)
    record.set('nextBucket', next)
    const count = this.#leaf.kernels.assignBuckets(record.address)
    const freshCount = record.get('freshCount')
    for (let i = 0; i < freshCount; i++) {
      const slot = fresh[i]!
      name(Math.floor(slot / this.#keys), slot % this.#keys)
    }
    if (count > 0) below.hand(new HandedBatch(batch, count, isSame ? null : docs, owners))
  }

  /** Sets the bits of the keys that have documents of the one owning bucket; the counts are lost. */
  markKeys(bits: Uint32Array): void {
    const { views, kernels } = this.#leaf
    const start = this.#counts
    kernels.bitsOfCounts(4 * start, this.size)
    const words = (this.size + 31) >>> 5
    for (let i = 0; i < words; i++) bits[i] = bits[i]! | views.u32[start + i]!
  }

  /** Copies of the counts of all slots; the counts themselves are lost. */
  counts(): SlotTotals {
    const { views, kernels } = this.#leaf
    const at = 4 * this.#counts
    const bytes = kernels.narrowCounts(at, this.size)
    const copy = views.u8.slice(at, at + bytes * this.size).buffer
    return bytes === 1
      ? new Uint8Array(copy)
      : bytes === 2
        ? new Uint16Array(copy)
        : new Uint32Array(copy)
  }

  /** The slots that have documents, ascending. */
  list(): SlotList {
    const { u32, i32 } = this.#leaf.views
    const words = this.#down === null ? 1 : 2
    const end = this.#counts + words * this.size
    let found = 0
    for (let i = this.#counts; i < end; i += words) if (u32[i] !== 0) found++
    const owners = new Int32Array(found)
    const keys = new Int32Array(found)
    const counts = new Uint32Array(found)
    const buckets = new Int32Array(words === 1 ? 0 : found)
    let i = this.#counts
    let at = 0
    for (let owner = 0; at < found; owner++)
      for (let key = 0; key < this.#keys; key++, i += words) {
        const count = u32[i]!
        if (count === 0) continue
        owners[at] = owner
        keys[at] = key
        if (words === 2) buckets[at] = i32[i + 1]!
        counts[at++] = count
      }
    return { owners, keys, counts, buckets }
  }
}

/**
 * Counts of slots, as narrow as they fit: of 100,000 keys they cross threads, and four bytes each would cost
 * more there than counting a million documents.
 */
export type SlotTotals = Uint8Array | Uint16Array | Uint32Array

/** Slots that have documents. */
export interface SlotList {
  readonly owners: Int32Array
  readonly keys: Int32Array
  /** The bucket that each has become; empty: none has. */
  readonly buckets: Int32Array
  readonly counts: Uint32Array
}

/** The documents handed down: lists in the leaf's arena. */
interface DownList {
  /** Whether each document of the leaf has a value. */
  readonly isFull: boolean
  /** Slots that became buckets in the last batch. */
  readonly fresh: Int32Array
  readonly docs: ArenaList
  readonly owners: ArenaList
}

/** Ordinals as keys. */
export class OrdKeys implements KeySpace {
  readonly count: number
  readonly repeats = false
  readonly #accepted: Uint32Array | null

  /** @param accepted bits of the ords that have buckets; null: all */
  constructor(count: number, accepted: Uint32Array | null) {
    this.count = count
    this.#accepted = accepted
  }

  describe({ scratch, views }: Leaf, record: BatchRecord): boolean {
    if (this.#accepted === null) return true
    // The bit behind the last one is read in place of those of corrupt ords, and of what lies behind a batch.
    const last = this.count >>> 5
    const words = Math.max(this.#accepted.length, last + 1)
    const at = scratch.tryAllocate(4 * words)
    if (at < 0) return false
    views.u32.fill(0, at >> 2, (at >> 2) + words)
    views.u32.set(this.#accepted, at >> 2)
    views.u32[(at >> 2) + last]! &= ~(1 << (this.count & 31))
    record.set('accepted', at)
    return true
  }
}

/** Integers of a narrow column as keys, less the lowest. */
export class IntegerKeys implements KeySpace {
  readonly count: number
  readonly repeats: boolean
  /** The integer of key 0. */
  readonly base: bigint

  /**
   * Null where the column's range is too wide.
   * @param repeats whether equal values of a document count once
   */
  static of(reader: NumericValuesReader, repeats: boolean): IntegerKeys | null {
    const { minHi, minLo, maxHi, maxLo } = reader
    const range = (maxHi - minHi) * 4294967296 + (maxLo - minLo) + 1
    if (range > MAX_SLOTS) return null
    return new IntegerKeys(range, repeats && reader.multiValued, joinHalves(minHi, minLo))
  }

  private constructor(count: number, repeats: boolean, base: bigint) {
    this.count = count
    this.repeats = repeats
    this.base = base
  }

  describe(_leaf: Leaf, record: BatchRecord): boolean {
    record.setLong('base', this.base)
    return true
  }
}
