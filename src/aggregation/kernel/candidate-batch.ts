/** Documents that may be among the first of their owning bucket by one number, found by a kernel. */
import type { NumericValuesReader } from '../../codec/doc-values/reader.ts'
import { BATCH_DOCS } from '../../search/collector/gather.ts'
import { highHalf, lowHalf, MAX_LONG, MIN_LONG } from '../../search/query/point-value.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { BATCH_RECORD_BYTES, BatchRecord } from './batch-record.ts'

/** Owning buckets that there is room for. */
const MAX_OWNERS = 1 << 13
const OWNER_BYTES = 8 + 4
/** Listing writes one index past the last. */
const LIST_BYTES = 4 * (BATCH_DOCS + 1)

const FIRST_PART = 64

/** Scratch of one list of candidates. */
export const CANDIDATES_BYTES: number =
  BATCH_RECORD_BYTES + OWNER_BYTES * MAX_OWNERS + LIST_BYTES + 3 * 64

/** Passes over documents that cannot be among the first. */
export class CandidateBatch {
  readonly #leaf: Leaf
  readonly #record: BatchRecord
  readonly #flip: bigint
  /** Index of the first threshold among the words of the arena. */
  readonly #thresholds: number
  readonly #counts: Uint32Array
  readonly #list: Int32Array
  /** Documents of the next part: the first ones are all listed, those behind them mostly passed over. */
  #part = FIRST_PART

  /**
   * Null where some document has no value or several, or there is no scratch.
   * @param ownerLimit of owning buckets
   */
  static of(
    leaf: Leaf,
    reader: NumericValuesReader | null,
    descending: boolean,
    ownerLimit: number,
  ): CandidateBatch | null {
    if (reader === null || reader.multiValued || reader.docCount < reader.maxDoc) return null
    if (!(ownerLimit <= MAX_OWNERS)) return null
    const mark = leaf.scratch.mark()
    const record = BatchRecord.of(leaf, reader)
    const at =
      record === null ? -1 : leaf.scratch.tryAllocate(OWNER_BYTES * ownerLimit + LIST_BYTES)
    if (record !== null && at >= 0)
      return new CandidateBatch(leaf, record, descending, ownerLimit, at)
    leaf.scratch.release(mark)
    return null
  }

  private constructor(
    leaf: Leaf,
    record: BatchRecord,
    descending: boolean,
    ownerLimit: number,
    at: number,
  ) {
    const { i32, u32 } = leaf.views
    const counts = at + 8 * ownerLimit
    const list = counts + 4 * ownerLimit
    this.#leaf = leaf
    this.#record = record
    this.#flip = descending ? -1n : 0n
    this.#thresholds = at >> 2
    this.#counts = u32.subarray(counts >> 2, (counts >> 2) + ownerLimit)
    this.#list = i32.subarray(list >> 2, (list >> 2) + BATCH_DOCS)
    this.#counts.fill(0)
    for (let owner = 0; owner < ownerLimit; owner++) this.#setThreshold(owner, MAX_LONG)
    record.set('flip', descending ? -1 : 0)
    record.set('mins', at)
    record.set('counts', counts)
    record.set('outOwners', list)
    record.set('ownerLimit', ownerLimit)
  }

  /** Visits the indexes of the documents of a batch that may be among the first, ascending. */
  forEach(batch: BucketBatch, visit: (index: number) => void): void {
    this.#record.point(batch)
    for (let from = 0; from < batch.count; ) {
      const count = Math.min(this.#part, batch.count - from)
      this.#record.pointPart(batch, from, count)
      const listed = this.#leaf.kernels.listCandidates(this.#record.address)
      for (let i = 0; i < listed; i++) visit(from + this.#list[i]!)
      this.#part = Math.min(2 * this.#part, BATCH_DOCS)
      from += count
    }
  }

  /**
   * Only documents in front of this value are listed from here on.
   * @param last the sortable integer of the last of the first ones
   */
  limit(owner: number, last: bigint): void {
    const flipped = last ^ this.#flip
    this.#setThreshold(owner, flipped === MIN_LONG ? MIN_LONG : flipped - 1n)
  }

  /** Documents by owning bucket. */
  counts(): Uint32Array {
    return this.#counts
  }

  #setThreshold(owner: number, threshold: bigint): void {
    const { i32, u32 } = this.#leaf.views
    u32[this.#thresholds + 2 * owner] = lowHalf(threshold)
    i32[this.#thresholds + 2 * owner + 1] = highHalf(threshold)
  }
}
